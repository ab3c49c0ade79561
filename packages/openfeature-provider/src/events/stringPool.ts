/** Stores equal strings once, with reference counts. */
export class StringPool {
  readonly #texts = new Map<string, PooledString & { uses: number }>()
  #bytes = 0

  /** The size of all strings, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether a string is stored already. */
  has(text: string): boolean {
    return this.#texts.has(text)
  }

  /** Stores a string until it is released as often as it was acquired. */
  acquire(text: string): PooledString {
    const entry = this.#texts.get(text)
    if (entry) {
      entry.uses++
      return entry
    }
    const created = { text, bytes: Buffer.byteLength(text), uses: 1 }
    this.#texts.set(text, created)
    this.#bytes += created.bytes
    return created
  }

  release({ text }: PooledString): void {
    const entry = this.#texts.get(text)
    if (!entry || --entry.uses > 0) return
    this.#texts.delete(text)
    this.#bytes -= entry.bytes
  }
}

/** A string that several events share. */
export interface PooledString {
  readonly text: string
  readonly bytes: number
}
