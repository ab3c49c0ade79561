import type { SdkKeyType } from '@burgee/contract'
import type { ConfigVersion } from '../configs/configVersions.ts'
import { formatOpeningMessage, formatVersionMessage, KEEP_ALIVE, type StreamKind } from './streamMessage.ts'
import type { StreamSink } from './streamSink.ts'

/** Who opens a stream. */
export interface Subscriber {
  /** The digest of the SDK key that lets them in, which must not be kept itself. */
  readonly keyDigest: string
  readonly keyType: SdkKeyType
  /** The id of the environment that they are told about. */
  readonly environment: string
  readonly kind: StreamKind
  /** The version that they know, as far as they say so. */
  readonly since: string | undefined
}

/** What a connection must not outlast, in rounds of keep-alive messages. */
export interface StreamLimits {
  readonly maxRounds: number
  /** How many rounds may find that the reader has not taken what it was sent. */
  readonly maxStalledRounds: number
}

/** A reader and what they were last told. At most one message waits for a reader who is slow: the latest. */
export class StreamConnection {
  readonly subscriber: Subscriber
  readonly #reader: StreamSink
  readonly #limits: StreamLimits
  readonly #onReady: (connection: StreamConnection) => void
  #told: string | undefined
  #isStalled = false
  #rounds = 0
  #stalledRounds = 0

  /** `onReady` is called when a slow reader has caught up. */
  constructor(
    subscriber: Subscriber,
    reader: StreamSink,
    limits: StreamLimits,
    onReady: (connection: StreamConnection) => void
  ) {
    this.subscriber = subscriber
    this.#reader = reader
    this.#limits = limits
    this.#onReady = onReady
  }

  /** Greets, and tells the version where that may be news. Answers whether it did. */
  start(version: ConfigVersion, retryMs: number): boolean {
    const { kind, since } = this.subscriber
    const known = this.#reader.lastEventId ?? since
    // SDKs ignore what they have, and may have fetched before a change that came before the stream.
    const isNews = kind === 'sdk' || (known !== undefined && known !== version.id)
    this.#told = version.id
    this.#write(formatOpeningMessage(retryMs, version) + (isNews ? formatVersionMessage(version, kind) : ''))
    return isNews
  }

  /** Tells a version, unless it is the one told last or the reader is not done with the one before. Answers whether it did. */
  send(version: ConfigVersion): boolean {
    if (this.#isStalled || this.#told === version.id) return false
    this.#told = version.id
    this.#write(formatVersionMessage(version, this.subscriber.kind))
    return true
  }

  /** Shows that the connection is alive, and answers what should become of it. */
  keepAlive(): 'stays' | 'ends' | 'drops' {
    this.#rounds++
    this.#stalledRounds = this.#isStalled ? this.#stalledRounds + 1 : 0
    if (this.#stalledRounds > this.#limits.maxStalledRounds) return 'drops'
    if (this.#rounds >= this.#limits.maxRounds) return 'ends'
    if (!this.#isStalled) this.#write(KEEP_ALIVE)
    return 'stays'
  }

  close(): void {
    if (this.#isStalled) this.#reader.destroy()
    else this.#reader.end()
  }

  #write(text: string): void {
    if (this.#reader.write(text)) return
    this.#isStalled = true
    this.#reader.onDrain(() => {
      this.#isStalled = false
      this.#onReady(this)
    })
  }
}
