/**
 * The goals by workload: how many times the floor Burgee may cost at most, and how many times faster than the best peer it
 * has to be. They hold for numbers of one run only.
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
  j100: { floor: 2, peer: 12 }
}

/** The most bytes that the evaluation of one flag may leave to the garbage collector. */
export const garbageGoal = 64
