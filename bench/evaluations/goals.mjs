/**
 * The rows of the table, with their goals: the maximum of `ours/floor`, the minimum of `best peer/ours`, which apply to
 * ratios within one run, and the maximum of our nanoseconds.
 */
export const goals = {
  a: { floor: 2, peer: 6 },
  b: { floor: 5, peer: 18 },
  c: { floor: 2, peer: 6 },
  f: { floor: 1.8, peer: 7 },
  g: { floor: 2, peer: 6 },
  d10: { floor: 2.5, peer: 7 },
  d100: { floor: 3, peer: 9 },
  d1000: { floor: 3.5, peer: 12 },
  j100: { floor: 2, peer: 12 },
  load: {},
  load10k: { floor: 4 },
  import: { nanoseconds: 10e6 }
}

/** The maximum of bytes that the evaluation of one flag may allocate. */
export const garbageGoal = 64
