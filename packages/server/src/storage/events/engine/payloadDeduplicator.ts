import { hash } from 'node:crypto'
import { HOUR } from '../../../lib/time.ts'
import type { EventEntry } from '../eventEntry.ts'

/** The payload ids that entries of the last hour came with, so that one that comes again is not counted twice. */
export class PayloadDeduplicator {
  readonly #now: () => number
  readonly #secret = new Map<string, number>()
  readonly #public = new Map<string, number>()
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Does the work unless it was done under this id within the last hour. While the same is under way, waits for it: where that fails, this is another try. */
  async once(identified: PayloadIdentity, work: () => Promise<void>): Promise<void> {
    const key = digest(identified)
    for (let first = this.#underWay.get(key); first; first = this.#underWay.get(key)) {
      const isDone = await first.then(
        () => true,
        () => false
      )
      if (isDone) return
    }
    // What came to an earlier version was kept without what it said.
    const earlier = digest({ ...identified, payloadDigest: undefined })
    if (this.#isKnown(identified, key) || this.#isKnown(identified, earlier)) return
    const doing = work()
    this.#underWay.set(key, doing)
    try {
      await doing
      this.#remember(identified, key)
    } finally {
      this.#underWay.delete(key)
    }
  }

  /** Remembers an entry that was kept before. */
  remember(identified: PayloadIdentity): void {
    this.#remember(identified, digest(identified))
  }

  #isKnown({ keyType }: PayloadIdentity, key: string): boolean {
    const at = this.#memoryOf(keyType).ids.get(key)
    return at !== undefined && at > this.#now() - HOUR
  }

  #remember({ keyType, at }: PayloadIdentity, key: string): void {
    const { ids, max } = this.#memoryOf(keyType)
    ids.delete(key)
    ids.set(key, at)
    const oldest = this.#now() - HOUR
    for (const [first, arrived] of ids) {
      if (arrived > oldest && ids.size <= max) return
      ids.delete(first)
    }
  }

  /** Anybody can send with a public key, as much as they like: what they send must not push out what servers sent. */
  #memoryOf(keyType: PayloadIdentity['keyType']): RecentPayloads {
    return keyType === 'server' ? { ids: this.#secret, max: MAX_SECRET } : { ids: this.#public, max: MAX_PUBLIC }
  }
}

/** What has a payload id. */
export interface PayloadIdentity extends Pick<EventEntry, 'environment' | 'keyType' | 'payloadDigest' | 'at'> {
  readonly payloadId: string
}

interface RecentPayloads {
  /** Digest of an id → when its entry arrived; those that were noted first stand first. */
  readonly ids: Map<string, number>
  /** How many are remembered. Beyond that the oldest are forgotten early. */
  readonly max: number
}

/** About 100 MB of memory. */
const MAX_SECRET = 1_000_000

/** About 25 MB of memory. */
const MAX_PUBLIC = 250_000

/** 128 bits of a digest stand for an id: ids are as long as their senders like, and nobody can make two that are taken for one. */
function digest({ environment, keyType, payloadDigest, payloadId }: PayloadIdentity): string {
  const names = [keyType, environment, payloadDigest, payloadId]
  return hash('sha256', names.map((name) => name ?? '').join('\0'), 'base64url').slice(0, 22)
}
