import { isRecord } from '@burgee/kit'
import { ConfigPoller } from '../http/configPoller.ts'
import { EventStream, HEALTHY_AFTER_MS, type StreamOptions } from '../http/eventStream.ts'
import { addressOf, assertUrl, keyOf, ownerOf, type ServerOptions } from '../http/serverOptions.ts'
import { parseRecord } from '../lib/json.ts'
import { normalizeNumbers } from '../optionRanges.ts'
import { restartableSource } from './restartableSource.ts'
import type { Source, SourceListener } from './source.ts'

/** The options of a streaming source. */
export interface StreamingSourceOptions extends ServerOptions, StreamOptions {
  /** The interval between polls while the stream is down. Default: 10 seconds. */
  readonly pollIntervalMs?: number
  /** The interval between polls while the stream is open, in case a message was lost. Default: 10 minutes. */
  readonly safetyPollMs?: number
}

/** Follows a server through a stream that announces changes, and polls while the stream is down. */
export function streamingSource(serverOptions: StreamingSourceOptions): Source {
  const options = normalizeNumbers(serverOptions)
  assertUrl(options.url)
  const open = (listener: SourceListener): StreamingSession => new StreamingSession(options, listener)
  return restartableSource(`the server ${options.url}`, open, (owner) => owner === ownerOf(options, keyOf(options)))
}

/** The waits between polls for an announced version, which a cache may not have yet. */
const EXPECTED_UPDATE_WAITS_MS = [100, 250, 500, 1_000]

/** The minimum time before these waits restart. */
const EXPECTED_UPDATE_MIN_MS = 1_000

/** The maximum jitter before the poll after a disconnect, which spreads the clients. */
const DISCONNECT_JITTER_MS = 500

/** A session that follows a server. */
class StreamingSession {
  readonly #options: StreamingSourceOptions
  readonly #listener: SourceListener
  readonly #poller: ConfigPoller
  #stream: EventStream | undefined
  #isOpen = false
  /** Whether the current outage of the stream was logged. An outage is logged once, regardless of retries. */
  #hasWarned = false
  #healthy: NodeJS.Timeout | undefined
  /** The stream address in the document. */
  #address: string | undefined
  #expectedVersion = Number.NEGATIVE_INFINITY
  #expectedSince = Number.NEGATIVE_INFINITY
  #expectedWaits: readonly number[] = []

  constructor(options: StreamingSourceOptions, listener: SourceListener) {
    this.#options = options
    this.#listener = listener
    this.#poller = new ConfigPoller(options, listener, {
      intervalMs: () => this.#intervalMs(),
      onSuccess: (config, hasRecovered) => this.#ensureStream(config, hasRecovered)
    })
    this.#poller.start()
  }

  close(): void {
    clearTimeout(this.#healthy)
    this.#poller.close()
    this.#stream?.close()
  }

  #intervalMs(): number {
    const [wait, ...waits] = this.#expectedWaits
    if (wait !== undefined && this.#poller.lastModified < this.#expectedVersion) {
      this.#expectedWaits = waits
      return wait
    }
    const { pollIntervalMs = 10_000, safetyPollMs = 600_000 } = this.#options
    return this.#isOpen ? safetyPollMs : pollIntervalMs
  }

  /** Opens the stream after the first document, and reopens it if its address changes or the server has recovered. */
  #ensureStream(config: unknown, hasRecovered: boolean): void {
    const address = config === undefined ? this.#address : streamAddressIn(config)
    if (this.#stream && address === this.#address) {
      if (hasRecovered) this.#stream.reconnect()
      return
    }
    this.#address = address
    clearTimeout(this.#healthy)
    this.#stream?.close()
    this.#isOpen = false
    this.#stream = new EventStream(this.#options, {
      addresses: () => this.#addresses(),
      onOpen: () => {
        this.#isOpen = true
        const { healthyAfterMs = HEALTHY_AFTER_MS } = this.#options
        this.#healthy = setTimeout(() => {
          this.#hasWarned = false
        }, healthyAfterMs).unref()
        // Changes before the stream was open were not announced.
        this.#poller.requestPoll()
      },
      onMessage: (data) => this.#onMessage(data),
      onDisconnect: (message, wasOpen) => this.#onDisconnect(message, wasOpen)
    })
    this.#stream.open()
  }

  /** The stream address in the document, and the default address on the configured server. */
  #addresses(): readonly [string, ...string[]] {
    const own = addressOf(this.#options, `/event-stream?sdkKey=${encodeURIComponent(keyOf(this.#options))}`)
    return this.#address === undefined || this.#address === own ? [own] : [this.#address, own]
  }

  #onMessage(data: string): void {
    const { type, etag, lastModified } = parseMessage(data)
    if (type !== undefined && type !== 'refetchConfig') return
    const isKnown = etag !== undefined && etag === this.#poller.etag
    if (isKnown || lastModified <= this.#poller.lastModified) return
    if (!Number.isNaN(lastModified)) this.#expectVersion(lastModified)
    this.#poller.requestPoll()
  }

  /** Polls at short intervals until the announced version arrives. Further announcements do not shorten them. */
  #expectVersion(lastModified: number): void {
    this.#expectedVersion = lastModified
    const now = performance.now()
    if (now - this.#expectedSince < EXPECTED_UPDATE_MIN_MS) return
    this.#expectedSince = now
    this.#expectedWaits = EXPECTED_UPDATE_WAITS_MS
  }

  #onDisconnect(message: string, wasOpen: boolean): void {
    this.#isOpen = false
    clearTimeout(this.#healthy)
    if (!this.#hasWarned) this.#listener.onWarning(message)
    this.#hasWarned = true
    if (wasOpen) this.#poller.pollWithin((this.#options.random ?? Math.random)() * DISCONNECT_JITTER_MS)
  }
}

/** Returns the stream address in a document. */
function streamAddressIn(config: unknown): string | undefined {
  const { hostname, path } = (isRecord(config) && isRecord(config.sse) && config.sse) || {}
  if (typeof hostname !== 'string' || typeof path !== 'string') return undefined
  return URL.canParse(path, hostname) ? new URL(path, hostname).href : undefined
}

/** Parses a message. Messages of unknown shape are treated as announcements. */
function parseMessage(data: string): { type: unknown; etag: string | undefined; lastModified: number } {
  const outer = parseRecord(data)
  const { type, etag, lastModified } = typeof outer.data === 'string' ? parseRecord(outer.data) : outer
  return {
    type,
    etag: typeof etag === 'string' ? etag : undefined,
    lastModified: typeof lastModified === 'number' ? lastModified : Date.parse(String(lastModified))
  }
}
