/**
 * An immutable map from strings. An update copies one shard and the lists that lead to it, not the whole map, so that
 * transactions stay fast with a million edge users.
 */
export class ShardedMap<V> {
  readonly size: number
  readonly #groups: ShardGroups<V>

  private constructor(groups: ShardGroups<V>, size: number) {
    this.#groups = groups
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
    const groups = Array.from({ length: Math.ceil(length / GROUP) }, (_, number) => {
      return shards.slice(number * GROUP, (number + 1) * GROUP)
    })
    return new ShardedMap<V>(groups, entries.size)
  }

  get(key: string): V | undefined {
    return this.#shardOf(key)?.get(key)
  }

  with(key: string, value: V): ShardedMap<V> {
    const size = this.size + (this.#shardOf(key)?.has(key) ? 0 : 1)
    if (shardCount(size) > lengthOf(this.#groups)) return ShardedMap.from(new Map(this.#entries()).set(key, value))
    return this.#changed(key, (shard) => shard.set(key, value), size)
  }

  without(key: string): ShardedMap<V> {
    return this.#shardOf(key)?.has(key) ? this.#changed(key, (shard) => shard.delete(key), this.size - 1) : this
  }

  *values(): Generator<V, void> {
    for (const group of this.#groups) for (const shard of group) yield* shard.values()
  }

  *#entries(): Generator<[string, V], void> {
    for (const group of this.#groups) for (const shard of group) yield* shard
  }

  #shardOf(key: string): Shard<V> | undefined {
    const at = shardOf(key, lengthOf(this.#groups))
    return this.#groups[Math.floor(at / GROUP)]?.[at % GROUP]
  }

  #changed(key: string, change: (shard: Map<string, V>) => unknown, size: number): ShardedMap<V> {
    const at = shardOf(key, lengthOf(this.#groups))
    const group = this.#groups[Math.floor(at / GROUP)] ?? []
    const shard = new Map(group[at % GROUP])
    change(shard)
    return new ShardedMap(this.#groups.with(Math.floor(at / GROUP), group.with(at % GROUP, shard)), size)
  }
}

type Shard<V> = ReadonlyMap<string, V>

/** The shards of a map, in lists of up to `GROUP`: an update copies two short lists instead of a long one. */
type ShardGroups<V> = readonly (readonly Shard<V>[])[]

const GROUP = 32

function lengthOf(groups: ShardGroups<unknown>): number {
  return groups.length * (groups[0]?.length ?? 0)
}

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
