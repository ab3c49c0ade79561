import { type JsonResponse, postJson } from '../http/postJson.ts'
import { keyOf, type ServerOptions, sanitize } from '../http/serverOptions.ts'
import { isRecord } from '../lib/json.ts'
import { errorMessage } from '../lib/text.ts'
import { type Payload, toRequestBody } from './event.ts'

/** What became of a payload. */
export type SendResult =
  | {
      readonly kind: 'delivered'
      /** What the server says of events that it does not take, if there are any. */
      readonly refusal?: string
    }
  /** It may be taken in smaller parts. */
  | { readonly kind: 'tooLarge'; readonly message: string }
  /** It will never be taken. */
  | { readonly kind: 'rejected'; readonly message: string }
  /** It may be taken later. */
  | {
      readonly kind: 'failed'
      readonly message: string
      /** The SDK key, where the server refuses it. */
      readonly refusedKey: string | undefined
      readonly retryAfterMs: number | undefined
    }

/** Statuses below 500 that speak of the moment, not of the payload: it took too long, came too early or too often. */
const transientStatuses = [408, 425, 429]

/** Posts a payload once. Only 201 says that the server has it (`evaluation.md` §8.2). It never throws. */
export async function sendBatch(server: ServerOptions, payload: Payload, signal: AbortSignal): Promise<SendResult> {
  let key = ''
  try {
    key = keyOf(server)
    const headers = { 'idempotency-key': payload.id }
    const answer = await postJson(server, {
      path: '/v1/events/batch',
      key,
      body: toRequestBody(payload),
      headers,
      signal
    })
    return toSendResult(answer, server.url, payload, key)
  } catch (error) {
    const message = sanitize(`${server.url} cannot be reached: ${errorMessage(error)}`, key)
    return { kind: 'failed', message, refusedKey: undefined, retryAfterMs: undefined }
  }
}

function toSendResult(answer: JsonResponse, url: string, payload: Payload, key: string): SendResult {
  const { status, retryAfterMs } = answer
  if (status === 201) return { kind: 'delivered', ...rejectionIn(answer, url, payload, key) }
  const message = `${url} answered with status ${status} rather than 201`
  const isRefused = status === 401 || status === 403
  if (status === 413) return { kind: 'tooLarge', message }
  // What is neither taken nor refused was answered by something in between, which may go away.
  const isLasting = status >= 400 && status < 500 && !isRefused && !transientStatuses.includes(status)
  return isLasting
    ? { kind: 'rejected', message }
    : { kind: 'failed', message, refusedKey: isRefused ? key : undefined, retryAfterMs }
}

/** What a server that has a payload says of the events in it that it refuses; whatever else it says changes nothing. */
function rejectionIn(
  { isJson, text }: JsonResponse,
  url: string,
  { events }: Payload,
  key: string
): { readonly refusal?: string } {
  const body = isJson && text !== undefined ? parse(text) : undefined
  if (!isRecord(body) || typeof body.refused !== 'number' || body.refused < 1) return {}
  const first: unknown = Array.isArray(body.mistakes) ? body.mistakes[0] : undefined
  // The key first: what is left of one that is cut is not found any more.
  const why = isRecord(first) ? sanitize(formatIssue(first), key).slice(0, MAX_ISSUE_LENGTH) : ''
  return { refusal: `${body.refused} of ${events.length} events are dropped: ${url} refuses them${why}` }
}

/** What the server says of the first of them; nothing where it is not as ours says it. */
function formatIssue({ path, message }: Record<string, unknown>): string {
  return typeof path === 'string' && typeof message === 'string' ? `: ${path}: ${message}` : ''
}

/** The most that is repeated of what a server says, in characters. */
const MAX_ISSUE_LENGTH = 300

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
