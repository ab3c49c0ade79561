import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { errorMessage } from '../lib/text.ts'
import { readRetryAfter } from './retryAfter.ts'
import { DEFAULT_MAX_MS, type RetryBackoff, retryBackoff } from './retryBackoff.ts'
import { RetryTimer } from './retryTimer.ts'
import { keyOf, maskSecrets, type ServerOptions } from './serverOptions.ts'

/** The criteria for broken and healthy streams. */
export interface StreamOptions {
  /** The maximum time without data, comments included, before a stream counts as broken. Default: 90 seconds. */
  readonly silenceMs?: number
  /**
   * How long a stream has to be open to reset the back-off. A shorter time suffices if it exceeds the wait before the
   * connection. Default: 60 seconds.
   */
  readonly healthyAfterMs?: number
}

/** Receives the events of a stream. */
export interface EventStreamListener {
  /** The addresses to try in turn. */
  readonly addresses: () => readonly string[]
  readonly onOpen: () => void
  readonly onMessage: (data: string) => void
  /** Called when the stream ended or could not be opened. It reconnects later. */
  readonly onDisconnect: (message: string, wasOpen: boolean) => void
}

/** Why a stream ended. */
interface Disconnect {
  readonly message: string
  /** The SDK key of the request. */
  readonly key: string
  readonly isRefused: boolean
  readonly wasOpen: boolean
  /** The `Retry-After` of the response, if any. */
  readonly retryAfterMs?: number | undefined
}

/** The default of `healthyAfterMs`. */
export const HEALTHY_AFTER_MS = 60_000

/** The maximum length of a message, in characters. Messages of Burgee servers have a few hundred. */
const MAX_MESSAGE_LENGTH = 64 * 1024

/** Event ids that can be sent in a header. Others are ignored. */
const HEADER_TEXT = /^[\x20-\x7e]{0,200}$/

/** A stream of server-sent events that reconnects until it is closed. */
export class EventStream {
  readonly #server: ServerOptions & StreamOptions
  readonly #listener: EventStreamListener
  readonly #backoff: RetryBackoff
  readonly #closed = new AbortController()
  readonly #timer: RetryTimer
  #attempts = 0
  #lastEventId: string | undefined
  #minWait = 0
  /** The wait before the current attempt. */
  #wait = 0
  /** The earliest time for an attempt, on the clock of `performance.now()`. */
  #notBefore = Number.NEGATIVE_INFINITY

  constructor(server: ServerOptions & StreamOptions, listener: EventStreamListener) {
    this.#server = server
    this.#listener = listener
    this.#backoff = retryBackoff(server.retry, server.random)
    this.#timer = new RetryTimer(server)
  }

  open(): void {
    void this.#run()
  }

  /** Reconnects at once if an attempt is scheduled, because the server is available again. */
  reconnect(): void {
    if (!this.#timer.isRunning || performance.now() < this.#notBefore) return
    this.#timer.clear()
    void this.#run()
  }

  close(): void {
    this.#timer.clear()
    this.#closed.abort()
  }

  async #run(): Promise<void> {
    const { retryAfterMs = 0, ...end } = await this.#read()
    if (this.#closed.signal.aborted) return
    this.#notBefore = performance.now() + retryAfterMs
    this.#wait = retryAfterMs + Math.max(this.#minWait, this.#backoff.next(end.isRefused))
    this.#listener.onDisconnect(maskSecrets(`the stream ${end.message}`, end.key), end.wasOpen)
    const run = (hasNewKey: boolean): void => {
      if (hasNewKey) this.#backoff.reset()
      void this.#run()
    }
    this.#timer.start(this.#wait, run, end.isRefused ? end.key : undefined)
  }

  /** Reads the stream until it ends. Returns why. */
  async #read(): Promise<Disconnect> {
    const { silenceMs = 90_000, healthyAfterMs = HEALTHY_AFTER_MS, requestTimeoutMs = 10_000 } = this.#server
    const result = { key: '', isRefused: false, wasOpen: false }
    const controller = new AbortController()
    const abort = (): void => controller.abort()
    const inactivityTimer = new InactivityTimer((ms) => controller.abort(new Error(`was silent for ${ms} ms`)))
    let healthyTimer: NodeJS.Timeout | undefined
    this.#closed.signal.addEventListener('abort', abort)
    try {
      result.key = keyOf(this.#server)
      inactivityTimer.set(requestTimeoutMs)
      const response = await this.#request(controller.signal)
      const problem = findProblem(response, this.#server)
      if (problem) {
        await response.body?.cancel()
        return { ...result, ...problem }
      }
      result.wasOpen = true
      // A proxy may close every stream after a fixed time. The back-off need not grow if it is shorter than that.
      healthyTimer = setTimeout(() => this.#backoff.reset(), Math.min(healthyAfterMs, this.#wait)).unref()
      this.#listener.onOpen()
      await this.#feed(response, () => inactivityTimer.set(silenceMs))
      return { ...result, message: 'was closed by the server' }
    } catch (error) {
      return { ...result, message: `broke: ${errorMessage(error)}` }
    } finally {
      this.#closed.signal.removeEventListener('abort', abort)
      inactivityTimer.clear()
      clearTimeout(healthyTimer)
    }
  }

  #request(signal: AbortSignal): Promise<Response> {
    const lastEventId = this.#lastEventId === undefined ? undefined : { 'last-event-id': this.#lastEventId }
    const headers = { accept: 'text/event-stream', 'cache-control': 'no-cache', ...lastEventId }
    return (this.#server.fetch ?? fetch)(this.#nextAddress(), { headers, redirect: 'manual', signal })
  }

  async #feed({ body }: Response, onBytes: () => void): Promise<void> {
    const parser = this.#parser()
    const decoder = new TextDecoder()
    onBytes()
    for await (const chunk of body ?? []) {
      onBytes()
      parser.feed(decoder.decode(chunk, { stream: true }))
    }
  }

  /** Rotates through the addresses, because the one in the document may be unreachable from this network. */
  #nextAddress(): string {
    const addresses = this.#listener.addresses()
    // Never empty: the default address is always included.
    return addresses[this.#attempts++ % addresses.length] as string
  }

  #parser(): ReturnType<typeof createParser> {
    return createParser({
      maxBufferSize: MAX_MESSAGE_LENGTH,
      onEvent: ({ id, event, data }: EventSourceMessage) => {
        if (id !== undefined && HEADER_TEXT.test(id)) this.#lastEventId = id
        if (event === undefined || event === 'message') this.#listener.onMessage(data)
      },
      onRetry: (ms) => {
        this.#minWait = Math.min(ms, this.#server.retry?.maxMs ?? DEFAULT_MAX_MS)
      }
    })
  }
}

/** Returns why a response is not an event stream, or undefined if it is one. */
function findProblem(
  { status, headers }: Response,
  server: ServerOptions
): Pick<Disconnect, 'message' | 'isRefused' | 'retryAfterMs'> | undefined {
  const type = headers.get('content-type') ?? ''
  if (status !== 200) {
    const isRefused = status === 401 || status === 403
    const retryAfterMs = readRetryAfter(headers, server)
    return { message: `was answered with status ${status}`, isRefused, retryAfterMs }
  }
  if (type.startsWith('text/event-stream')) return undefined
  return { message: `was answered with content of type "${type}"`, isRefused: false }
}

/** A timer that is restarted on activity. */
class InactivityTimer {
  readonly #onInactive: (ms: number) => void
  #timer: NodeJS.Timeout | undefined

  constructor(onInactive: (ms: number) => void) {
    this.#onInactive = onInactive
  }

  set(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onInactive(ms), ms).unref()
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
