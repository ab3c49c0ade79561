import type { SdkKeyType } from '@burgee/contract'
import type { ConfigVersion } from '../configs/configVersions.ts'
import type { RequestOrigin } from '../configs/keyRestrictions.ts'
import { formatOpeningMessage, formatVersionMessage, type StreamKind } from './streamMessage.ts'
import { StreamReader } from './streamReader.ts'
import type { StreamSink } from './streamSink.ts'

/** The subscriber of a stream. */
export interface Subscriber {
  /** The digest of the SDK key that authorizes the stream; the key itself must not be kept. */
  readonly keyDigest: string
  readonly keyType: SdkKeyType
  /** The address of the subscriber, or the IPv6 network of that address. */
  readonly network: string
  /** The address and the web origin of the client. */
  readonly from: RequestOrigin
  /** The id of the environment. */
  readonly environment: string
  readonly kind: StreamKind
  /** The config version that the subscriber has, if declared. */
  readonly since: string | undefined
}

/** The limits of a connection, in keep-alive rounds. */
export interface StreamLimits {
  readonly maxRounds: number
  /** The number of rounds in which a reader may lag behind. */
  readonly maxStalledRounds: number
}

/** A stream sink and the last version sent to it. For a slow reader at most one message is pending: the latest. */
export class StreamConnection {
  readonly subscriber: Subscriber
  readonly #reader: StreamReader
  readonly #lastEventId: string | undefined
  readonly #maxRounds: number
  #lastSentId: string | undefined
  #rounds = 0

  /** `onReady` is called when a slow reader has caught up. */
  constructor(
    subscriber: Subscriber,
    sink: StreamSink,
    { maxRounds, maxStalledRounds }: StreamLimits,
    onReady: (connection: StreamConnection) => void
  ) {
    this.subscriber = subscriber
    this.#reader = new StreamReader(sink, maxStalledRounds, () => onReady(this))
    this.#lastEventId = sink.lastEventId
    this.#maxRounds = maxRounds
  }

  /** Sends the preamble, and the version unless the subscriber has it. Returns whether it sent the version. */
  start(version: ConfigVersion, retryMs: number): boolean {
    const { kind, since } = this.subscriber
    const known = this.#lastEventId ?? since
    // SDKs ignore a version that they have; the config that they fetched may be older than the stream.
    const isNewVersion = kind === 'sdk' || (known !== undefined && known !== version.id)
    this.#lastSentId = version.id
    this.#reader.write(
      formatOpeningMessage(retryMs, version) + (isNewVersion ? formatVersionMessage(version, kind) : '')
    )
    return isNewVersion
  }

  /** Sends a version, unless it was the last one sent or the reader is still busy. Returns whether it was sent. */
  send(version: ConfigVersion): boolean {
    if (this.#reader.isStalled || this.#lastSentId === version.id) return false
    this.#lastSentId = version.id
    this.#reader.write(formatVersionMessage(version, this.subscriber.kind))
    return true
  }

  /** Sends a keep-alive, and returns what to do with the connection. */
  keepAlive(): 'keep' | 'close' | 'drop' {
    this.#rounds++
    if (this.#reader.countRound()) return 'drop'
    if (this.#rounds >= this.#maxRounds) return 'close'
    this.#reader.keepAlive()
    return 'keep'
  }

  close(): void {
    this.#reader.close()
  }
}
