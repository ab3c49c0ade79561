import { hash } from 'node:crypto'
import { HOUR } from '../../../lib/time.ts'
import type { EventEntry } from '../eventEntry.ts'

/** Remembers the payload ids of the last hour, so that a repeated payload is not counted twice. */
export class PayloadDeduplicator {
  readonly #now: () => number
  readonly #serverKeyIds = new Map<string, number>()
  readonly #publicKeyIds = new Map<string, number>()
  readonly #inProgress = new Map<string, Promise<void>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Does the work unless it was done for this id within the last hour. If work for the same id is in progress, waits
   * for it, and does the work only if that one fails.
   */
  async once(identified: PayloadIdentity, work: () => Promise<void>): Promise<void> {
    const key = digestPayload(identified)
    for (let first = this.#inProgress.get(key); first; first = this.#inProgress.get(key)) {
      const isDone = await first.then(
        () => true,
        () => false
      )
      if (isDone) return
    }
    // Entries of an earlier version have no digest.
    const earlier = digestPayload({ ...identified, payloadDigest: undefined })
    if (this.#isKnown(identified, key) || this.#isKnown(identified, earlier)) return
    const doing = work()
    this.#inProgress.set(key, doing)
    try {
      await doing
      this.#remember(identified, key)
    } finally {
      this.#inProgress.delete(key)
    }
  }

  /** Remembers the id of a stored entry. */
  remember(identified: PayloadIdentity): void {
    this.#remember(identified, digestPayload(identified))
  }

  #isKnown({ keyType }: PayloadIdentity, key: string): boolean {
    const at = this.#recentOf(keyType).ids.get(key)
    return at !== undefined && at > this.#now() - HOUR
  }

  #remember({ keyType, at }: PayloadIdentity, key: string): void {
    const { ids, max } = this.#recentOf(keyType)
    ids.delete(key)
    ids.set(key, at)
    const oldest = this.#now() - HOUR
    for (const [first, arrived] of ids) {
      if (arrived > oldest && ids.size <= max) return
      ids.delete(first)
    }
  }

  /** Holders of public keys can send any number of ids, which must not displace those of servers. */
  #recentOf(keyType: PayloadIdentity['keyType']): RecentPayloads {
    return keyType === 'server'
      ? { ids: this.#serverKeyIds, max: MAX_SERVER }
      : { ids: this.#publicKeyIds, max: MAX_PUBLIC }
  }
}

/** The identity of a payload. */
export interface PayloadIdentity extends Pick<EventEntry, 'environment' | 'keyType' | 'payloadDigest' | 'at'> {
  readonly payloadId: string
}

interface RecentPayloads {
  /** Digest of an id → arrival of its entry, in the order of insertion. */
  readonly ids: Map<string, number>
  /** The maximum number; beyond it, the oldest are removed early. */
  readonly max: number
}

/** About 100 MB of memory. */
const MAX_SERVER = 1_000_000

/** About 25 MB of memory. */
const MAX_PUBLIC = 250_000

/** Returns 132 bits of a digest: senders choose the length of ids, and collisions cannot be constructed. */
export function digestPayload({ environment, keyType, payloadDigest, payloadId }: PayloadIdentity): string {
  const names = [keyType, environment, payloadDigest, payloadId]
  return hash('sha256', names.map((name) => name ?? '').join('\0'), 'base64url').slice(0, 22)
}
