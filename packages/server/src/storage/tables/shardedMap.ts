/**
 * An immutable map from strings. An update copies one shard, not the whole map, so that transactions stay fast with a
 * million edge users.
 */
export class ShardedMap<V> {
  readonly size: number
  readonly #shards: readonly Shard<V>[]

  private constructor(shards: readonly Shard<V>[], size: number) {
    this.#shards = shards
    this.size = size
  }

  static from<V>(entries: ReadonlyMap<string, V>): ShardedMap<V> {
    const length = shardCount(entries.size)
    const filled = new Map<number, Map<string, V>>()
    for (const [key, value] of entries) {
      const number = shardOf(key, length)
      const shard = filled.get(number)
      if (shard) shard.set(key, value)
      else filled.set(number, new Map([[key, value]]))
    }
    const empty = new Map<string, V>()
    const shards = Array.from({ length }, (_, number) => filled.get(number) ?? empty)
    return new ShardedMap<V>(shards, entries.size)
  }

  get(key: string): V | undefined {
    return this.#shards[shardOf(key, this.#shards.length)]?.get(key)
  }

  with(key: string, value: V): ShardedMap<V> {
    const size = this.size + (this.#shards[shardOf(key, this.#shards.length)]?.has(key) ? 0 : 1)
    if (shardCount(size) > this.#shards.length) return ShardedMap.from(new Map(this.#entries()).set(key, value))
    return this.#changed(key, (shard) => shard.set(key, value), size)
  }

  without(key: string): ShardedMap<V> {
    const known = this.#shards[shardOf(key, this.#shards.length)]?.has(key)
    return known ? this.#changed(key, (shard) => shard.delete(key), this.size - 1) : this
  }

  *values(): Generator<V, void> {
    for (const shard of this.#shards) yield* shard.values()
  }

  *#entries(): Generator<[string, V], void> {
    for (const shard of this.#shards) yield* shard
  }

  #changed(key: string, change: (shard: Map<string, V>) => unknown, size: number): ShardedMap<V> {
    const at = shardOf(key, this.#shards.length)
    const shards = this.#shards.slice()
    const shard = new Map(shards[at])
    change(shard)
    shards[at] = shard
    return new ShardedMap(shards, size)
  }
}

type Shard<V> = ReadonlyMap<string, V>

/**
 * Returns the number of shards of a map, a power of two: few for the thousands of small maps, and enough for shards of
 * about 1,000 entries in a map of a million. A growing map is rehashed twice.
 */
function shardCount(size: number): number {
  if (size <= 16) return 1
  return size <= 2_048 ? 32 : 1_024
}

function shardOf(key: string, length: number): number {
  let hash = 0
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0
  // The high bits of the product depend on all characters, the low ones on few.
  return (Math.imul(hash, 0x9e3779b1) >>> 22) & (length - 1)
}
