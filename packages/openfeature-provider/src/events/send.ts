import { type Answer, post } from '../http/post.ts'
import { keyOf, type ServerOptions, toldOf } from '../http/server.ts'
import { isRecord } from '../isRecord.ts'
import { messageOf } from '../messageOf.ts'
import { type Payload, toBody } from './event.ts'

/** What became of a payload. */
export type SendOutcome =
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
const passing = [408, 425, 429]

/** Posts a payload once. Only 201 says that the server has it (`evaluation.md` §8.2). It never throws. */
export async function send(server: ServerOptions, payload: Payload, signal: AbortSignal): Promise<SendOutcome> {
  let key = ''
  try {
    key = keyOf(server)
    const headers = { 'idempotency-key': payload.id }
    const answer = await post(server, { path: '/v1/events/batch', key, body: toBody(payload), headers, signal })
    return toOutcome(answer, server.url, payload, key)
  } catch (error) {
    const message = toldOf(`${server.url} cannot be reached: ${messageOf(error)}`, key)
    return { kind: 'failed', message, refusedKey: undefined, retryAfterMs: undefined }
  }
}

function toOutcome(answer: Answer, url: string, payload: Payload, key: string): SendOutcome {
  const { status, retryAfterMs } = answer
  if (status === 201) return { kind: 'delivered', ...refusalIn(answer, url, payload, key) }
  const message = `${url} answered with status ${status} rather than 201`
  const isRefused = status === 401 || status === 403
  if (status === 413) return { kind: 'tooLarge', message }
  // What is neither taken nor refused was answered by something in between, which may go away.
  const isLasting = status >= 400 && status < 500 && !isRefused && !passing.includes(status)
  return isLasting
    ? { kind: 'rejected', message }
    : { kind: 'failed', message, refusedKey: isRefused ? key : undefined, retryAfterMs }
}

/** What a server that has a payload says of the events in it that it refuses; whatever else it says changes nothing. */
function refusalIn(
  { isJson, text }: Answer,
  url: string,
  { events }: Payload,
  key: string
): { readonly refusal?: string } {
  const body = isJson && text !== undefined ? parse(text) : undefined
  if (!isRecord(body) || typeof body.refused !== 'number' || body.refused < 1) return {}
  const first: unknown = Array.isArray(body.mistakes) ? body.mistakes[0] : undefined
  // The key first: what is left of one that is cut is not found any more.
  const why = isRecord(first) ? toldOf(wordsOf(first), key).slice(0, MAX_MISTAKE) : ''
  return { refusal: `${body.refused} of ${events.length} events are dropped: ${url} refuses them${why}` }
}

/** What the server says of the first of them; nothing where it is not as ours says it. */
function wordsOf({ path, message }: Record<string, unknown>): string {
  return typeof path === 'string' && typeof message === 'string' ? `: ${path}: ${message}` : ''
}

/** The most that is repeated of what a server says, in characters. */
const MAX_MISTAKE = 300

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
