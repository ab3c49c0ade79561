/**
 * An immutable map from strings that is cheap to change: a change copies one shard of many, not the whole.
 * A plain `Map` would be copied in full by every transaction, and a million edge users would feel it.
 */
export class Shards<V> {
  readonly size: number
  readonly #shards: readonly Shard<V>[]

  private constructor(shards: readonly Shard<V>[], size: number) {
    this.#shards = shards
    this.size = size
  }

  static from<V>(entries: ReadonlyMap<string, V>): Shards<V> {
    const filled = new Map<number, Map<string, V>>()
    for (const [key, value] of entries) {
      const shard = filled.get(shardOf(key))
      if (shard) shard.set(key, value)
      else filled.set(shardOf(key), new Map([[key, value]]))
    }
    const empty = new Map<string, V>()
    const shards = Array.from({ length: 2 ** SHARD_BITS }, (_, number) => filled.get(number) ?? empty)
    return new Shards<V>(shards, entries.size)
  }

  get(key: string): V | undefined {
    return this.#shards[shardOf(key)]?.get(key)
  }

  with(key: string, value: V): Shards<V> {
    const known = this.#shards[shardOf(key)]?.has(key)
    return this.#changed(key, (shard) => shard.set(key, value), known ? 0 : 1)
  }

  without(key: string): Shards<V> {
    const known = this.#shards[shardOf(key)]?.has(key)
    return known ? this.#changed(key, (shard) => shard.delete(key), -1) : this
  }

  *values(): Generator<V, void> {
    for (const shard of this.#shards) yield* shard.values()
  }

  #changed(key: string, change: (shard: Map<string, V>) => unknown, growth: number): Shards<V> {
    const shards = this.#shards.slice()
    const shard = new Map(shards[shardOf(key)])
    change(shard)
    shards[shardOf(key)] = shard
    return new Shards(shards, this.size + growth)
  }
}

type Shard<V> = ReadonlyMap<string, V>

/** Keeps a shard at about a thousand entries when there are a million. */
const SHARD_BITS = 10

function shardOf(key: string): number {
  let hash = 0
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0
  // The high bits of the product mix all characters, where the low ones would depend on few.
  return Math.imul(hash, 0x9e3779b1) >>> (32 - SHARD_BITS)
}
