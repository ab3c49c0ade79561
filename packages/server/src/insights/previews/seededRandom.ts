/** Returns a generator of numbers in [0, 1) that is the same for the same seed (mulberry32). Not for secrets. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns up to `count` items of a list in a random order. */
export function drawItems<T>(items: readonly T[], count: number, random: () => number): readonly T[] {
  const rest = [...items]
  const drawn: T[] = []
  while (drawn.length < count && rest.length > 0) {
    const index = Math.floor(random() * rest.length)
    const last = rest.pop()
    // Moves the last item to the place of the drawn one.
    const item = index < rest.length ? rest[index] : last
    if (item === undefined || last === undefined) break
    if (index < rest.length) rest[index] = last
    drawn.push(item)
  }
  return drawn
}
