/** The first row of each user, by their digest. */
export class UserRowIndex {
  readonly #shards = Array.from({ length: SHARDS }, () => new Map<string, number>())

  get(user: string): number | undefined {
    return this.#shardOf(user)?.get(user)
  }

  set(user: string, row: number): void {
    this.#shardOf(user)?.set(user, row)
  }

  *entries(): Generator<readonly [user: string, row: number], void> {
    for (const shard of this.#shards) yield* shard
  }

  #shardOf(user: string): Map<string, number> | undefined {
    return this.#shards[(user.charCodeAt(0) * 31 + user.charCodeAt(1)) & (SHARDS - 1)]
  }
}

/**
 * A single map blocks the event loop while it is rehashed, and holds at most 16 million entries in V8. Must be a power
 * of two.
 */
const SHARDS = 256
