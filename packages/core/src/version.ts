/** A version as the numbers between its dots; undefined when a part is not a number, which compares with nothing. */
export type Version = readonly number[] | undefined

/** Whether a user's version satisfies a comparator against a list of versions (`evaluation.md` §2.5, all but `=`). */
export type VersionRule = (text: string, parsed: Version) => boolean

/** Prepares a version rule: the filter's versions are parsed here, once. */
export function versionRule(comparator: string, values: readonly unknown[]): VersionRule {
  if (values.length === 0) return () => false
  const texts = values.filter((value) => typeof value === 'string')
  if (comparator === '!=') {
    // Nothing is stripped for `!=`, so the user's version is parsed as it stands.
    const versions = texts.map(parse)
    return (text) => {
      const exact = parsePlain(text) ?? parse(repair(text))
      return !versions.some((version) => compare(exact, version) === 0)
    }
  }
  const isLess = comparator.includes('<')
  const isEqual = comparator.includes('=')
  const isMore = comparator.includes('>')
  const versions = texts.map((text) => parse(strip(text)))
  return (_text, parsed) => {
    for (const version of versions) {
      const order = compare(parsed, version)
      if ((order === 0 && isEqual) || (order === 1 && isMore) || (order === -1 && isLess)) return true
    }
    return false
  }
}

/** A user's version, read as leniently as the rules allow: junk is dropped, missing parts are 0. */
export function parseUserVersion(text: string): Version {
  return parsePlain(text) ?? parse(repair(strip(text)))
}

/** The longest text whose parts are sure to be exact numbers. */
const SHORT_TEXT = 15

/** Reads a text of digits and dots, as nearly all versions are, in one pass; undefined for any other, which needs repair. */
function parsePlain(text: string): Version {
  if (text.length > SHORT_TEXT) return undefined
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

/** −1, 0 or 1; undefined when one of the two is no version. Missing parts count as 0. */
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

function strip(text: string): string {
  const kept = text.replace(/[^0-9.\-()|]/g, '')
  const hyphen = kept.indexOf('-')
  return hyphen < 0 ? kept : kept.slice(0, hyphen)
}

function repair(text: string): string {
  const parts = text.split('.').map((part) => part || '0')
  while (parts.length < 3) parts.push('0')
  return parts.join('.')
}

function parse(text: string): Version {
  const parts = text.split('.')
  return parts.every((part) => /^[0-9]+$/.test(part)) ? parts.map(Number) : undefined
}
