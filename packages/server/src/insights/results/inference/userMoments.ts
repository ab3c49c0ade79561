/**
 * Sufficient statistics of a sample of users with two numbers each: a numerator `y` and a denominator `x`. The metric
 * is the ratio of their means. For a mean per user, `x` is 1.
 */
export interface UserMoments {
  /** The number of users. */
  readonly size: number
  /** The number of users with a numerator other than 0. */
  readonly nonZero: number
  readonly meanY: number
  readonly meanX: number
  /** Sums of products of two deviations from the means. */
  readonly yy: number
  readonly xy: number
  readonly xx: number
  /** Sums of products of three deviations from the means. */
  readonly yyy: number
  readonly xyy: number
  readonly xxy: number
  readonly xxx: number
}

/** Accumulates the moments of users, one by one. */
export class UserMomentsAccumulator implements UserMoments {
  size = 0
  nonZero = 0
  meanY = 0
  meanX = 0
  yy = 0
  xy = 0
  xx = 0
  yyy = 0
  xyy = 0
  xxy = 0
  xxx = 0

  /** Adds a user, by the update formulas of Pébay (2008), which extend those of Welford (1962). */
  add(y: number, x = 1): void {
    const before = this.size
    const size = before + 1
    const [dy, dx] = [y - this.meanY, x - this.meanX]
    const [sy, sx] = [dy / size, dx / size]
    const second = before / size
    const third = (before * (before - 1)) / size / size
    // Third moments first: they need the second ones of the users before.
    this.yyy += third * dy * dy * dy - 3 * sy * this.yy
    this.xyy += third * dx * dy * dy - 2 * sy * this.xy - sx * this.yy
    this.xxy += third * dx * dx * dy - 2 * sx * this.xy - sy * this.xx
    this.xxx += third * dx * dx * dx - 3 * sx * this.xx
    this.yy += second * dy * dy
    this.xy += second * dx * dy
    this.xx += second * dx * dx
    this.meanY += sy
    this.meanX += sx
    this.size = size
    if (y !== 0) this.nonZero++
  }
}

/** The residuals `y − ratio · x` of users, at the ratio of their means, in units of the ratio. */
export interface Residuals {
  readonly size: number
  readonly ratio: number
  /** Sums of the second and the third powers. */
  readonly squares: number
  readonly cubes: number
  /** The mean of `x`. */
  readonly scale: number
}

/** Returns the residuals that the delta method uses (Deng, Knoblich and Lu 2018, §3). */
export function residualsOf({ size, meanY, meanX, ...sums }: UserMoments): Residuals {
  const ratio = meanY / meanX
  const { yy, xy, xx, yyy, xyy, xxy, xxx } = sums
  return {
    size,
    ratio,
    squares: Math.max(0, yy - 2 * ratio * xy + ratio * ratio * xx),
    cubes: yyy - 3 * ratio * xyy + 3 * ratio * ratio * xxy - ratio ** 3 * xxx,
    scale: meanX
  }
}
