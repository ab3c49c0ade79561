/** Texts of which each is kept once, however many events have it. */
export class StringPool {
  readonly #texts = new Map<string, PooledString & { uses: number }>()
  #bytes = 0

  /** How much room they take, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether a text takes no more room. */
  has(text: string): boolean {
    return this.#texts.has(text)
  }

  /** A text to keep, until it has been released as often as it was kept. */
  acquire(text: string): PooledString {
    const known = this.#texts.get(text)
    if (known) {
      known.uses++
      return known
    }
    const made = { text, bytes: Buffer.byteLength(text), uses: 1 }
    this.#texts.set(text, made)
    this.#bytes += made.bytes
    return made
  }

  release({ text }: PooledString): void {
    const known = this.#texts.get(text)
    if (!known || --known.uses > 0) return
    this.#texts.delete(text)
    this.#bytes -= known.bytes
  }
}

/** A text that others may have too. */
export interface PooledString {
  readonly text: string
  readonly bytes: number
}
