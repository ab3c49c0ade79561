/** How long requests are started in one turn of the event loop, in milliseconds. */
const SLICE_MS = 2

/** The same in a turn in which a connection was accepted: others probably wait. */
const ACCEPTING_SLICE_MS = 0.25

/**
 * The part of each turn of the event loop in which requests are started.
 *
 * Node accepts one connection per turn, so those that arrive together wait for as many turns.
 */
export class TurnSlice {
  #isOpen = false
  #endsAt = 0
  /** The length of the next slice. */
  #nextMs = SLICE_MS

  /** Shortens the next slice, because a connection was accepted. */
  shorten(): void {
    this.#nextMs = ACCEPTING_SLICE_MS
  }

  /** Whether the slice of the present turn is over. The first call of a turn begins it. */
  isOver(): boolean {
    const now = performance.now()
    if (this.#isOpen) return now > this.#endsAt
    this.#isOpen = true
    this.#endsAt = now + this.#nextMs
    this.#nextMs = SLICE_MS
    // Runs in the next turn.
    setImmediate(this.#close)
    return false
  }

  readonly #close = (): void => {
    this.#isOpen = false
  }
}
