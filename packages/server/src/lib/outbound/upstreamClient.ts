import { isRecord, parseRetryAfter, withTimeout } from '@burgee/kit'
import { withoutTrailingSlashes } from '@burgee/kit/text'
import { reasonOf } from '../reasonOf.ts'
import { MINUTE, SECOND } from '../time.ts'

/** The server that an edge node copies configs from and forwards events to. */
export interface UpstreamClient {
  /** Requests a path below its address. @throws {UpstreamError} without a response, or with any other status. */
  readonly request: (request: UpstreamRequest) => Promise<UpstreamResponse>
  /**
   * Reads a stream of lines until it ends, breaks or is silent.
   * @throws {UpstreamError}
   */
  readonly readLines: (request: LineRequest) => Promise<void>
}

/** A request with a body of JSON text, if it has one. */
export interface UpstreamRequest {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The statuses of a success. */
  readonly expects: readonly number[]
  readonly signal: AbortSignal
}

/** A response with its whole body. */
export interface UpstreamResponse {
  readonly status: number
  readonly etag: string | null
  readonly text: string
}

interface LineRequest {
  readonly path: string
  readonly signal: AbortSignal
  readonly onOpen: () => void
  readonly onLine: (line: string) => void
}

/** A request failed. The message contains no key. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  /** The status of the response, if there was one. */
  readonly status: number | undefined
  /** The `Retry-After` of the response in milliseconds; 0 without one. */
  readonly retryAfterMs: number
  /** Whether the upstream refuses the key. A proxy that refuses the request does not know the key. */
  readonly isRefusal: boolean

  constructor(
    message: string,
    options: { readonly status?: number; readonly retryAfterMs?: number; readonly isRefusal?: boolean } = {}
  ) {
    super(message)
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs ?? 0
    this.isRefusal = options.isRefusal ?? false
  }
}

/**
 * Creates the client of the server at an address. Redirects are not followed, because paths contain keys.
 * @param now Returns the time in epoch milliseconds.
 */
export function createUpstreamClient(url: string, now: () => number): UpstreamClient {
  const base = withoutTrailingSlashes(url)
  const send = async ({ path, method = 'GET', headers = {}, body, signal }: Omit<UpstreamRequest, 'expects'>) => {
    try {
      const content = body === undefined ? {} : { body, headers: { 'content-type': 'application/json', ...headers } }
      return await fetch(`${base}${path}`, { method, headers, redirect: 'manual', signal, ...content })
    } catch (error) {
      // Messages of `fetch` do not contain the address; those of its cause name host and port.
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
      throw new UpstreamError(`${base} cannot be reached: ${reasonOf(cause)}`)
    }
  }
  return {
    request: ({ expects, signal, ...request }) =>
      withTimeout(REQUEST_MS, signal, async (requestSignal) => {
        const response = await send({ ...request, signal: requestSignal })
        if (!expects.includes(response.status)) throw await toError(base, response, now())
        return { status: response.status, etag: response.headers.get('etag'), text: await readText(base, response) }
      }),
    readLines: async ({ path, signal, onOpen, onLine }) => {
      const silence = new AbortController()
      const timer = setTimeout(() => silence.abort(new Error('it was silent')), SILENCE_MS)
      try {
        const response = await send({ path, signal: AbortSignal.any([signal, silence.signal]) })
        if (response.status !== 200) throw await toError(base, response, now())
        onOpen()
        const decoder = new TextDecoder()
        let rest = ''
        for await (const chunk of response.body ?? []) {
          timer.refresh()
          const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
          rest = (lines.pop() ?? '').slice(-MAX_LINE)
          for (const line of lines) onLine(line)
        }
      } catch (error) {
        throw error instanceof UpstreamError
          ? error
          : new UpstreamError(`the stream of ${base} broke: ${reasonOf(error)}`)
      } finally {
        clearTimeout(timer)
      }
    }
  }
}

/** The time for a request and its response. */
const REQUEST_MS = 15 * SECOND

/** Three times the interval of the comments on streams. */
const SILENCE_MS = 45 * SECOND

const MAX_LINE = 64 * 1024

/** A longer wait indicates a wrong clock. */
const MAX_WAIT_MS = 10 * MINUTE

async function readText(base: string, response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw new UpstreamError(`the response of ${base} broke: ${reasonOf(error)}`)
  }
}

async function toError(base: string, response: Response, now: number): Promise<UpstreamError> {
  const { status, headers } = response
  const wait = { date: headers.get('date'), now, maxMs: MAX_WAIT_MS }
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), wait) ?? 0
  const isRefusal = (status === 401 || status === 403) && (await isOwnError(response))
  if (!isRefusal) await response.body?.cancel().catch(() => {})
  const message = isRefusal ? `${base} refuses the SDK key` : `${base} answered with status ${status}`
  return new UpstreamError(message, { status, retryAfterMs, isRefusal })
}

/** Whether a response has the error format of the API. */
async function isOwnError(response: Response): Promise<boolean> {
  if (Number(response.headers.get('content-length') ?? MAX_LINE + 1) > MAX_LINE) return false
  const body: unknown = await response.json().catch(() => undefined)
  return isRecord(body) && body.statusCode === response.status
}
