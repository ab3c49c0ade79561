/**
 * How far one can go from a place that has a property to one that need not have it, where all places up to some point
 * between have it, and none beyond: found by halving, as finely as numbers between 0 and 1 need it.
 */
export function bisect(inside: number, outside: number, isInside: (place: number) => boolean): number {
  if (isInside(outside)) return outside
  let [near, far] = [inside, outside]
  for (let step = 0; step < HALVES; step++) {
    const middle = (near + far) / 2
    if (isInside(middle)) near = middle
    else far = middle
  }
  return near
}

const HALVES = 60
