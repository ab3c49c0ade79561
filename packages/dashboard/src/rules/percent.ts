/** 100% in hundredths of a percent, the unit of shares in forms. */
export const WHOLE = 10_000

/** Returns a fraction of the API in hundredths of a percent, rounded. */
export function toHundredths(fraction: number): number {
  return Math.round(fraction * WHOLE)
}

/** Returns hundredths of a percent as a fraction of the API. */
export function toFraction(hundredths: number): number {
  return hundredths / WHOLE
}

/** Returns hundredths of a percent as the text of a field, for example `33.34`, without trailing zeros. */
export function formatHundredths(hundredths: number): string {
  return String(Math.round(hundredths) / 100)
}

/**
 * Parses the text of a field, for example `33.34`, `33,34` or `33 %`, to hundredths of a percent. Returns undefined for
 * any other text, for more than two decimals, and outside of 0 to 100.
 */
export function parsePercent(text: string): number | undefined {
  const match = /^(\d{1,3})(?:[.,](\d{0,2}))?\s*%?$/.exec(text.trim())
  if (!match) return undefined
  const hundredths = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return hundredths <= WHOLE ? hundredths : undefined
}
