/**
 * Finds a boundary by bisection: the point farthest from `inside` towards `outside` at which `isInside` holds. It must
 * hold from `inside` up to one point and nowhere beyond. The result has double precision for numbers between 0 and 1.
 */
export function bisect(inside: number, outside: number, isInside: (point: number) => boolean): number {
  if (isInside(outside)) return outside
  let [near, far] = [inside, outside]
  for (let step = 0; step < STEPS; step++) {
    const middle = (near + far) / 2
    if (isInside(middle)) near = middle
    else far = middle
  }
  return near
}

/** More than the 53 bits of a double's significand. */
const STEPS = 60
