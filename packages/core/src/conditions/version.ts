import { isString } from '../json/typeGuards.ts'
import type { StringRule } from './stringRule.ts'

/**
 * A version: one number if its parts fit, which orders like the version, else the numbers between its dots. `NaN` if a
 * part is not a number.
 */
type Version = number | readonly number[]

/** Parses a user's version. That of an absent or empty one is `NaN`. */
export type VersionParser = (text: string | undefined) => Version

/** The limit of parts in a number of three. Its cube is just below 2 ** 53. */
const PART_LIMIT = 208_063

/** Prepares a version comparison other than `=`, which compares strings (docs/reference/evaluation.md, Comparators). */
export function versionRule(
  comparator: string,
  values: readonly unknown[],
  parseUserVersion: VersionParser
): StringRule {
  if (values.length === 0) return () => false
  const texts = values.filter(isString)
  if (comparator === '!=') {
    // `!=` does not strip other characters from either version.
    const versions = texts.map((value) => parse(value))
    return (text) => {
      if (!text) return false
      const exact = parsePlain(text) ?? parseLeniently(text)
      return !versions.some((version) => compare(exact, version) === 0)
    }
  }
  const versions = texts
    .map((text) => parse(strip(text)))
    .filter(isVersion)
    .sort(compare)
  // Several values are alternatives, so the least or the greatest of them decides.
  const least = versions[0] ?? Number.NaN
  const greatest = versions.at(-1) ?? Number.NaN
  switch (comparator) {
    case '>':
      return (text) => compare(parseUserVersion(text), least) > 0
    case '>=':
      return (text) => compare(parseUserVersion(text), least) >= 0
    case '<':
      return (text) => compare(parseUserVersion(text), greatest) < 0
    case '<=':
      return (text) => compare(parseUserVersion(text), greatest) <= 0
    default:
      // Each sign that another comparator contains counts, for example `==`.
      return (text) => {
        const orders = versions.map((version) => Math.sign(compare(parseUserVersion(text), version)))
        return orders.some((order) => comparator.includes('<=>'[order + 1] ?? 'none'))
      }
  }
}

/**
 * Returns a parser for users' versions, which strips other characters. It remembers the last version, because an
 * evaluation compares the same one with those of many filters.
 */
export function memoizedVersionParser(): VersionParser {
  let lastText: string | undefined
  let lastVersion: Version = Number.NaN
  return (text) => {
    if (text !== lastText) {
      lastVersion = text ? (parsePlain(text) ?? parseLeniently(strip(text))) : Number.NaN
      lastText = text
    }
    return lastVersion
  }
}

/** Parses a text of at most three short numbers and their dots in one pass. Returns undefined for others: they are rare. */
function parsePlain(text: string): number | undefined {
  let version = 0
  let part = 0
  let dots = 0
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - ZERO
    if (digit === DOT) {
      version = (version + part) * PART_LIMIT
      part = 0
      dots++
    } else if (digit >= 0 && digit <= 9) part = part * 10 + digit
    else return undefined
    if (part >= PART_LIMIT || dots > 2) return undefined
  }
  version += part
  for (; dots < 2; dots++) version *= PART_LIMIT
  return version
}

const ZERO = 0x30
const DOT = 0x2e - ZERO

/** Returns a number below, equal to or above 0; `NaN` if either is not a version. Missing parts count as 0. */
function compare(a: Version, b: Version): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const left = unpack(a)
  const right = unpack(b)
  for (let index = 0; index < left.length || index < right.length; index++) {
    const [part, other] = [left[index] ?? 0, right[index] ?? 0]
    if (part !== other) return part - other
  }
  return 0
}

function isVersion(version: Version): boolean {
  return !Number.isNaN(version)
}

function unpack(version: Version): readonly number[] {
  if (typeof version !== 'number') return version
  const rest = Math.floor(version / PART_LIMIT)
  return [Math.floor(rest / PART_LIMIT), rest % PART_LIMIT, version % PART_LIMIT]
}

function parse(text: string, part = /^\d+$/): Version {
  const parts = text.split('.')
  if (!parts.every((digits) => part.test(digits))) return Number.NaN
  // An empty part becomes 0.
  return parsePlain(text) ?? parts.map(Number)
}

/** Parses a user's version, whose parts may be empty. */
function parseLeniently(text: string): Version {
  return parse(text, /^\d*$/)
}

/** Removes characters that are not part of a version, and everything from the first hyphen. */
function strip(text: string): string {
  return text.replace(/[^0-9.\-()|]/g, '').replace(/-.*/, '')
}
