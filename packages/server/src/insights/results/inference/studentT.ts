/**
 * Returns the standard normal statistic with the p-value of a t statistic, up to an error below 0.01 for 20 degrees of
 * freedom and more (Wallace 1959, Annals of Mathematical Statistics 30).
 */
export function studentTToNormal(t: number, degrees: number): number {
  return Math.sign(t) * scaleOf(degrees) * Math.sqrt(degrees * Math.log1p((t * t) / degrees))
}

/** The inverse of `studentTToNormal`. */
export function normalToStudentT(z: number, degrees: number): number {
  return Math.sign(z) * Math.sqrt(degrees * Math.expm1((z / scaleOf(degrees)) ** 2 / degrees))
}

function scaleOf(degrees: number): number {
  return (8 * degrees + 1) / (8 * degrees + 3)
}
