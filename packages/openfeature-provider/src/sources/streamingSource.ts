import { ConfigPoller } from '../http/configPoller.ts'
import { EventStream, type StreamOptions } from '../http/eventStream.ts'
import { addressOf, assertUrl, keyOf, ownerOf, type ServerOptions } from '../http/serverOptions.ts'
import { isRecord } from '../lib/json.ts'
import { normalizeNumbers } from '../optionRanges.ts'
import { parseRecord } from '../toRecord.ts'
import { restartableSource } from './restartableSource.ts'
import type { Source, SourceListener } from './source.ts'

/** How a server is followed. */
export interface StreamingSourceOptions extends ServerOptions, StreamOptions {
  /** How often to poll while the stream is down; 10 seconds unless said otherwise. */
  readonly pollIntervalMs?: number
  /** How often to poll while the stream is open, in case a message was lost; 10 minutes unless said otherwise. */
  readonly safetyPollMs?: number
}

/** A server that tells of each change as it is made. While its stream is down it is polled, and the stream goes on being tried. */
export function streamingSource(given: StreamingSourceOptions): Source {
  const options = normalizeNumbers(given)
  assertUrl(options.url)
  const begin = (listener: SourceListener): StreamingSession => new StreamingSession(options, listener)
  return restartableSource(`the server ${options.url}`, begin, (owner) => owner === ownerOf(options, keyOf(options)))
}

/** Waits for the document that a message promised, which a cache in between may not have yet. */
const EXPECTED_UPDATE_WAITS_MS = [100, 250, 500, 1_000]

/** For how long those waits are at least, so that they do not begin anew before. */
const EXPECTED_UPDATE_MIN_MS = 1_000

/** Up to how long after a break to ask whether the server is there, so that many do not ask in the same moment. */
const DISCONNECT_JITTER_MS = 500

/** A server that is being followed. */
class StreamingSession {
  readonly #options: StreamingSourceOptions
  readonly #listener: SourceListener
  readonly #poller: ConfigPoller
  #stream: EventStream | undefined
  #isOpen = false
  /** Where the document says that its stream is. */
  #address: string | undefined
  #promised = Number.NEGATIVE_INFINITY
  #promisedAt = Number.NEGATIVE_INFINITY
  #promiseWaits: readonly number[] = []

  constructor(options: StreamingSourceOptions, listener: SourceListener) {
    this.#options = options
    this.#listener = listener
    this.#poller = new ConfigPoller(options, listener, {
      intervalMs: () => this.#intervalMs(),
      onReached: (config, isBack) => this.#keepStream(config, isBack)
    })
    this.#poller.start()
  }

  close(): void {
    this.#poller.close()
    this.#stream?.close()
  }

  #intervalMs(): number {
    const [wait, ...waits] = this.#promiseWaits
    if (wait !== undefined && this.#poller.lastModified < this.#promised) {
      this.#promiseWaits = waits
      return wait
    }
    const { pollIntervalMs = 10_000, safetyPollMs = 600_000 } = this.#options
    return this.#isOpen ? safetyPollMs : pollIntervalMs
  }

  /** Opens the stream once there is a document, anew when a document names another one, and soon when the server is back. */
  #keepStream(config: unknown, isBack: boolean): void {
    const address = config === undefined ? this.#address : streamAddressIn(config)
    if (this.#stream && address === this.#address) {
      if (isBack) this.#stream.reconnect()
      return
    }
    this.#address = address
    this.#stream?.close()
    this.#isOpen = false
    this.#stream = new EventStream(this.#options, {
      addresses: () => this.#addresses(),
      onOpen: () => {
        this.#isOpen = true
        // What changed before it was open was told to nobody.
        this.#poller.requestPoll()
      },
      onMessage: (data) => this.#read(data),
      onDisconnect: (message, wasOpen) => this.#broken(message, wasOpen)
    })
    this.#stream.open()
  }

  /** Where the document says that the stream is, and where it is on the server that was asked for the document. */
  #addresses(): readonly [string, ...string[]] {
    const own = addressOf(this.#options, `/event-stream?sdkKey=${encodeURIComponent(keyOf(this.#options))}`)
    return this.#address === undefined || this.#address === own ? [own] : [this.#address, own]
  }

  #read(data: string): void {
    const { type, etag, lastModified } = parseMessage(data)
    if (type !== undefined && type !== 'refetchConfig') return
    const isKnown = etag !== undefined && etag === this.#poller.etag
    if (isKnown || lastModified <= this.#poller.lastModified) return
    if (!Number.isNaN(lastModified)) this.#promise(lastModified)
    this.#poller.requestPoll()
  }

  /** Has the poller ask again soon if it does not find what was promised; many promises make it ask no faster than one. */
  #promise(lastModified: number): void {
    this.#promised = lastModified
    const now = performance.now()
    if (now - this.#promisedAt < EXPECTED_UPDATE_MIN_MS) return
    this.#promisedAt = now
    this.#promiseWaits = EXPECTED_UPDATE_WAITS_MS
  }

  #broken(message: string, wasOpen: boolean): void {
    this.#isOpen = false
    this.#listener.onWarning(message)
    if (wasOpen) this.#poller.pollWithin((this.#options.random ?? Math.random)() * DISCONNECT_JITTER_MS)
  }
}

/** Where a document says that its stream is. */
function streamAddressIn(config: unknown): string | undefined {
  const { hostname, path } = (isRecord(config) && isRecord(config.sse) && config.sse) || {}
  if (typeof hostname !== 'string' || typeof path !== 'string') return undefined
  return URL.canParse(path, hostname) ? new URL(path, hostname).href : undefined
}

/** What a message says; a message that is not one of ours says nothing in particular, which is taken for news. */
function parseMessage(data: string): { type: unknown; etag: string | undefined; lastModified: number } {
  const outer = parseRecord(data)
  const { type, etag, lastModified } = typeof outer.data === 'string' ? parseRecord(outer.data) : outer
  return {
    type,
    etag: typeof etag === 'string' ? etag : undefined,
    lastModified: typeof lastModified === 'number' ? lastModified : Date.parse(String(lastModified))
  }
}
