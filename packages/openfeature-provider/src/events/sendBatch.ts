import { isRecord } from '@burgee/kit'
import { type JsonResponse, postJson } from '../http/postJson.ts'
import { describeFailure, keyOf, type ServerOptions, sanitize } from '../http/serverOptions.ts'
import { parseJson } from '../lib/json.ts'
import { type Payload, toRequestBody } from './event.ts'

/** The result of sending a payload. */
export type SendResult =
  | {
      readonly kind: 'delivered'
      /** The server's message about events that it rejected. */
      readonly rejection?: string
    }
  /** The server may accept smaller parts. */
  | { readonly kind: 'tooLarge'; readonly message: string }
  /** The server will never accept it. */
  | { readonly kind: 'rejected'; readonly message: string }
  /** The server may accept it later. */
  | {
      readonly kind: 'failed'
      readonly message: string
      /** The SDK key, if the server rejected it. */
      readonly refusedKey: string | undefined
      readonly retryAfterMs: number | undefined
    }

/** Client errors that a retry can resolve: timeouts and rate limits. */
const transientStatuses = [408, 425, 429]

/** Sends a payload once. Only 201 confirms its delivery (`docs/reference/events.md`). Never throws. */
export async function sendBatch(server: ServerOptions, payload: Payload, signal: AbortSignal): Promise<SendResult> {
  let key = ''
  try {
    key = keyOf(server)
    const headers = { 'idempotency-key': payload.id }
    const response = await postJson(server, {
      path: '/v1/events/batch',
      key,
      body: toRequestBody(payload),
      headers,
      signal
    })
    return toSendResult(response, server.url, payload, key)
  } catch (error) {
    return {
      kind: 'failed',
      message: describeFailure(error, server.url, key),
      refusedKey: undefined,
      retryAfterMs: undefined
    }
  }
}

function toSendResult(response: JsonResponse, url: string, payload: Payload, key: string): SendResult {
  const { status, retryAfterMs } = response
  if (status === 201) return { kind: 'delivered', ...rejectionIn(response, url, payload, key) }
  const message = `${url} answered with status ${status}, expected 201`
  const isRefused = status === 401 || status === 403
  if (status === 413) return { kind: 'tooLarge', message }
  // Other statuses come from a proxy, which may recover.
  const isPermanent = status >= 400 && status < 500 && !isRefused && !transientStatuses.includes(status)
  return isPermanent
    ? { kind: 'rejected', message }
    : { kind: 'failed', message, refusedKey: isRefused ? key : undefined, retryAfterMs }
}

/** Returns the message about rejected events of an accepted payload; any other body is ignored. */
function rejectionIn(
  { isJson, text }: JsonResponse,
  url: string,
  { events }: Payload,
  key: string
): { readonly rejection?: string } {
  const body = isJson && text !== undefined ? parseJson(text) : undefined
  if (!isRecord(body) || typeof body.refused !== 'number' || body.refused < 1) return {}
  const first: unknown = Array.isArray(body.mistakes) ? body.mistakes[0] : undefined
  // Masked before it is truncated, because a truncated key would not be recognized.
  const issue = isRecord(first) ? sanitize(formatIssue(first), key).slice(0, MAX_ISSUE_LENGTH) : ''
  return { rejection: `${body.refused} of ${events.length} events are dropped: ${url} rejected them${issue}` }
}

/** Formats an issue; empty if it has an unknown shape. */
function formatIssue({ path, message }: Record<string, unknown>): string {
  return typeof path === 'string' && typeof message === 'string' ? `: ${path}: ${message}` : ''
}

/** The maximum length of a quoted server message, in characters. */
const MAX_ISSUE_LENGTH = 300
