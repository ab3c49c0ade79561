const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Returns a random number generator that is deterministic for a seed (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0
  /** A number in [0, 1). */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit) => Math.floor(next() * limit)
  const one = (list) => list[below(list.length)]
  return {
    next,
    /** A whole number from 0 up to, not including, the limit. */
    below,
    one,
    /** True with the given probability. */
    chance: (probability) => next() < probability,
    text: (length) => Array.from({ length }, () => one(LETTERS)).join(''),
    /** A list of `make(index)`, between `least` and `most` long. */
    list: (least, most, make) => Array.from({ length: least + below(most - least + 1) }, (_, index) => make(index))
  }
}
