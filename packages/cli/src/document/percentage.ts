/** A percentage in a file, for example `20%` or `33.34%`. */
export const PERCENTAGE = /^(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%$/

/** Returns the fraction of a percentage. */
export function parsePercentage(text: string): number {
  return roundFraction(Number(text.slice(0, -1)) / 100)
}

/** Returns a fraction as a percentage. */
export function formatPercentage(fraction: number): string {
  return `${Number((fraction * 100).toFixed(DIGITS - 2))}%`
}

/** Rounds a fraction to what a percentage can express. */
export function roundFraction(fraction: number): number {
  return Number(fraction.toFixed(DIGITS))
}

const DIGITS = 10
