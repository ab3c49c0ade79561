/** A map with changes on top of an earlier one: copying the whole map would take most of the time of an update. */
export class ChangedMap<V> {
  readonly #base: Lookup<V>
  readonly #changes: Map<string, V | undefined>

  private constructor(base: Lookup<V>, changes: Map<string, V | undefined>) {
    this.#base = base
    this.#changes = changes
  }

  /** Returns a copy of a map, to be changed. After many changes, it is built anew from all entries. */
  static copy<V>(before: Lookup<V> | undefined, readEntries: () => Lookup<V>): ChangedMap<V> {
    if (!(before instanceof ChangedMap)) return new ChangedMap<V>(before ?? readEntries(), new Map())
    const isLong = before.#changes.size >= MAX_CHANGES
    return isLong
      ? new ChangedMap<V>(readEntries(), new Map())
      : new ChangedMap<V>(before.#base, new Map(before.#changes))
  }

  get(key: string): V | undefined {
    return this.#changes.has(key) ? this.#changes.get(key) : this.#base.get(key)
  }

  set(key: string, value: V | undefined): void {
    this.#changes.set(key, value)
  }
}

type Lookup<V> = Pick<ReadonlyMap<string, V>, 'get'>

/** With more changes on top, the map is built anew. */
const MAX_CHANGES = 100
