import { invalidOfType } from './valueRules.ts'

/** A country by its code, with its name in English. */
export interface Country {
  readonly value: string
  readonly label: string
  readonly detail: string
}

let known: readonly Country[] | undefined
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Returns all countries that the API accepts, in the order of their names. Made at the first call. */
export function countries(): readonly Country[] {
  known ??= listCountries()
  return known
}

/** Returns the name of a country with its code, for example `Canada (CA)`; any other value as it is. */
export function countryName(value: unknown): string {
  const text = String(value)
  const name = /^[A-Z]{2}$/.test(text) ? names.of(text) : undefined
  return name === undefined ? text : `${name} (${text})`
}

/** Returns the code of a country that is named or whose code is written in small letters; any other text as it is. */
export function countryCode(text: string): string {
  const wanted = text.trim().toLowerCase()
  return (
    countries().find(({ value, label }) => [value, label].some((each) => each.toLowerCase() === wanted))?.value ?? text
  )
}

function listCountries(): readonly Country[] {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const invalid = invalidOfType('country', codes)
  return codes
    .filter((_, index) => !invalid.has(index))
    .map((value) => ({ value, label: names.of(value) ?? value, detail: value }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))
}
