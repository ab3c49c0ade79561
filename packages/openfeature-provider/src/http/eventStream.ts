import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { errorMessage } from '../lib/text.ts'
import { type Backoff, backoff, DEFAULT_MAX_MS } from './backoff.ts'
import { readRetryAfter } from './retryAfter.ts'
import { RetryTimer } from './retryTimer.ts'
import { keyOf, maskSecrets, type ServerOptions } from './serverOptions.ts'

/** How a stream is kept. */
export interface StreamOptions {
  /** After how long a stream that sends nothing, not even a comment, counts as broken; 90 seconds unless said otherwise. */
  readonly silenceMs?: number
  /** After how long an open stream counts as healthy, so that the next break is a first one; 60 seconds unless said otherwise. */
  readonly healthyAfterMs?: number
}

/** Told of what becomes of a stream. */
export interface EventStreamListener {
  /** The addresses to try, one after the other. */
  readonly addresses: () => readonly string[]
  readonly onOpen: () => void
  readonly onMessage: (data: string) => void
  /** The stream broke, or could not be opened; it is opened again later. */
  readonly onDisconnect: (message: string, wasOpen: boolean) => void
}

/** How a stream ended. */
interface Disconnect {
  readonly message: string
  /** The SDK key that it was asked for with. */
  readonly key: string
  readonly isRefused: boolean
  readonly wasOpen: boolean
  /** For how long the server wants no request, if it says so. */
  readonly retryAfterMs?: number | undefined
}

/** The largest message that is read; ours have some hundred characters. */
const MAX_MESSAGE_LENGTH = 64 * 1024

/** What can be sent back in a header; an id that is anything else is not kept. */
const HEADER_TEXT = /^[\x20-\x7e]{0,200}$/

/** A stream of server-sent events that is opened again and again until it is closed. */
export class EventStream {
  readonly #server: ServerOptions & StreamOptions
  readonly #listener: EventStreamListener
  readonly #backoff: Backoff
  readonly #ended = new AbortController()
  readonly #timer: RetryTimer
  #attempts = 0
  #lastEventId: string | undefined
  #shortestWait = 0
  /** The wait before the attempt that runs now. */
  #wait = 0
  /** Before when the server wants no request, on the clock of `performance.now()`. */
  #restUntil = Number.NEGATIVE_INFINITY

  constructor(server: ServerOptions & StreamOptions, listener: EventStreamListener) {
    this.#server = server
    this.#listener = listener
    this.#backoff = backoff(server.retry, server.random)
    this.#timer = new RetryTimer(server)
  }

  open(): void {
    void this.#run()
  }

  /** Opens it now, where it waits to be opened again: the server is there. */
  reconnect(): void {
    if (!this.#timer.isRunning || performance.now() < this.#restUntil) return
    this.#timer.clear()
    void this.#run()
  }

  close(): void {
    this.#timer.clear()
    this.#ended.abort()
  }

  async #run(): Promise<void> {
    const { retryAfterMs = 0, ...end } = await this.#read()
    if (this.#ended.signal.aborted) return
    this.#restUntil = performance.now() + retryAfterMs
    this.#wait = retryAfterMs + Math.max(this.#shortestWait, this.#backoff.next(end.isRefused))
    this.#listener.onDisconnect(maskSecrets(`the stream ${end.message}`, end.key), end.wasOpen)
    const run = (hasNewKey: boolean): void => {
      if (hasNewKey) this.#backoff.reset()
      void this.#run()
    }
    this.#timer.start(this.#wait, run, end.isRefused ? end.key : undefined)
  }

  /** Reads the stream until it ends, and says how it did. */
  async #read(): Promise<Disconnect> {
    const { silenceMs = 90_000, healthyAfterMs = 60_000, requestTimeoutMs = 10_000 } = this.#server
    const opening = { key: '', isRefused: false, wasOpen: false }
    const broken = new AbortController()
    const breakOff = (): void => broken.abort()
    const alarm = new InactivityTimer((ms) => broken.abort(new Error(`was silent for ${ms} ms`)))
    let healthy: NodeJS.Timeout | undefined
    this.#ended.signal.addEventListener('abort', breakOff)
    try {
      opening.key = keyOf(this.#server)
      alarm.set(requestTimeoutMs)
      const response = await this.#request(broken.signal)
      const refusal = problemIn(response)
      if (refusal) {
        await response.body?.cancel()
        return { ...opening, ...refusal }
      }
      opening.wasOpen = true
      // A proxy may cut every stream after a while; waits that are shorter than that while need not grow.
      healthy = setTimeout(() => this.#backoff.reset(), Math.min(healthyAfterMs, this.#wait)).unref()
      this.#listener.onOpen()
      await this.#feed(response, () => alarm.set(silenceMs))
      return { ...opening, message: 'was closed by the server' }
    } catch (error) {
      return { ...opening, message: `broke: ${errorMessage(error)}` }
    } finally {
      this.#ended.signal.removeEventListener('abort', breakOff)
      alarm.clear()
      clearTimeout(healthy)
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

  /** Each attempt takes the next address: what the document names may be right for others only. */
  #nextAddress(): string {
    const addresses = this.#listener.addresses()
    // Never empty: the server's own address is always there.
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
        this.#shortestWait = Math.min(ms, this.#server.retry?.maxMs ?? DEFAULT_MAX_MS)
      }
    })
  }
}

/** What is wrong with an answer that is no stream. */
function problemIn({
  status,
  headers
}: Response): Pick<Disconnect, 'message' | 'isRefused' | 'retryAfterMs'> | undefined {
  const type = headers.get('content-type') ?? ''
  if (status !== 200) {
    const isRefused = status === 401 || status === 403
    const retryAfterMs = readRetryAfter(headers, Date.now())
    return { message: `was answered with status ${status}`, isRefused, retryAfterMs }
  }
  if (type.startsWith('text/event-stream')) return undefined
  return { message: `was answered with content of type "${type}"`, isRefused: false }
}

/** A timer that can be set again and again. */
class InactivityTimer {
  readonly #ring: (ms: number) => void
  #timer: NodeJS.Timeout | undefined

  constructor(ring: (ms: number) => void) {
    this.#ring = ring
  }

  set(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#ring(ms), ms).unref()
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
