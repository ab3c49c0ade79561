/** A version as the numbers between its dots; undefined if a part is not a number. */
export type Version = readonly number[] | undefined

/** Returns whether a user's version satisfies a comparator. */
export type VersionRule = (text: string, parsed: Version) => boolean

/** Prepares a version comparison other than `=`, which compares strings (docs/reference/evaluation.md, Comparators). */
export function versionRule(comparator: string, values: readonly unknown[]): VersionRule {
  if (values.length === 0) return () => false
  const texts = values.filter((value) => typeof value === 'string')
  if (comparator === '!=') {
    // `!=` does not strip other characters from either version, so `parsed` does not apply.
    const versions = texts.map(parse)
    return (text) => {
      const exact = parsePlain(text) ?? parse(fillIn(text))
      return !versions.some((version) => compare(exact, version) === 0)
    }
  }
  const acceptsLess = comparator.includes('<')
  const acceptsEqual = comparator.includes('=')
  const acceptsGreater = comparator.includes('>')
  const versions = texts.map((text) => parse(strip(text)))
  return (_text, parsed) => {
    for (const version of versions) {
      const order = compare(parsed, version)
      if ((order === 0 && acceptsEqual) || (order === 1 && acceptsGreater) || (order === -1 && acceptsLess)) return true
    }
    return false
  }
}

/** Parses a user's version leniently: strips other characters and fills in missing parts with 0. */
export function parseUserVersion(text: string): Version {
  return parsePlain(text) ?? parse(fillIn(strip(text)))
}

/** The longest text whose parts are certain to be safe integers. */
const PLAIN_LENGTH_LIMIT = 15

/** Parses a text of digits and dots in one pass. Returns undefined for other texts, which are rare. */
function parsePlain(text: string): Version {
  if (text.length > PLAIN_LENGTH_LIMIT) return undefined
  const parts: number[] = []
  let part = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === DOT) {
      parts.push(part)
      part = 0
    } else if (code >= ZERO && code <= NINE) part = part * 10 + (code - ZERO)
    else return undefined
  }
  parts.push(part)
  while (parts.length < 3) parts.push(0)
  return parts
}

const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39

/** Returns −1, 0 or 1, or undefined if either is not a version. Missing parts count as 0. */
function compare(a: Version, b: Version): -1 | 0 | 1 | undefined {
  if (!a || !b) return undefined
  const length = Math.max(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a[index] ?? 0
    const right = b[index] ?? 0
    if (left < right) return -1
    if (left > right) return 1
  }
  return 0
}

/** Removes characters that are not part of a version, and everything from the first hyphen. */
function strip(text: string): string {
  const kept = text.replace(/[^0-9.\-()|]/g, '')
  const hyphen = kept.indexOf('-')
  return hyphen < 0 ? kept : kept.slice(0, hyphen)
}

/** Replaces empty parts with 0, and appends parts until there are three. */
function fillIn(text: string): string {
  const parts = text.split('.').map((part) => part || '0')
  while (parts.length < 3) parts.push('0')
  return parts.join('.')
}

function parse(text: string): Version {
  const parts = text.split('.')
  return parts.every((part) => /^[0-9]+$/.test(part)) ? parts.map(Number) : undefined
}
