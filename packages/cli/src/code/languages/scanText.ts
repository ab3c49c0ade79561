import { blank } from '../script/syntax.ts'
import type { CodeRead, DynamicRead, FileReads, ScanOptions } from '../source/codeRead.ts'
import { linePositions } from '../source/linePositions.ts'
import type { Language } from './languages.ts'

/** Finds the reads of a file by patterns, outside of comments and texts. */
export function scanText(
  text: string,
  file: string,
  { name: language, comments, quotes, calls, openFeature }: Language,
  { knownKeys, wrappers }: Pick<ScanOptions, 'knownKeys' | 'wrappers'>
): FileReads {
  const { code, isInText } = tokenize(text, comments, quotes)
  const position = linePositions(text)
  const constants = readConstants(code)
  const reads: CodeRead[] = []
  const dynamic: DynamicRead[] = []
  const seen = new Set<number>()
  const declared = wrappers.map(({ name, position }) => ({
    before: String.raw`\b${escapePattern(name)}\(\s*${String.raw`[^,()]*,\s*`.repeat(position)}`,
    isCommon: false,
    isCertain: () => true
  }))
  const importsOpenFeature = openFeature?.test(code) ?? false
  const known = calls.map((call) => ({
    ...call,
    // Other objects in the file may have methods with these names, but no calls with keys of the project.
    isCertain: (literal: string | undefined) =>
      importsOpenFeature && call.isOpenFeature === true && knownKeys?.has(literal ?? '') === true
  }))
  for (const { before, isCommon, isCertain } of [...declared, ...known]) {
    for (const match of code.matchAll(
      new RegExp(`${before}(?:${QUOTED}|${NAME}|${INTERPOLATED})(?=\\s*[,)\\n]|\\s*$)`, 'gm')
    )) {
      const { index } = match
      if (isInText(index) || seen.has(index)) continue
      const { double, single, name, interpolated } = match.groups ?? {}
      const key = double ?? single ?? constants.get(name ?? '')
      if (isCommon && (key === undefined || !knownKeys?.has(key))) continue
      seen.add(index)
      const place = {
        file,
        language,
        ...position(index),
        endLine: position(index + match[0].length).line,
        isTest: false
      }
      if (key === undefined) dynamic.push({ expression: name ?? interpolated ?? '', ...place })
      else reads.push({ key, ...place, confidence: isCertain(double ?? single) ? 'certain' : 'likely' })
    }
  }
  const inOrder = (one: CodeRead | DynamicRead, other: CodeRead | DynamicRead) =>
    one.line - other.line || one.column - other.column
  return { reads: reads.sort(inOrder), dynamic: dynamic.sort(inOrder) }
}

const QUOTED = String.raw`"(?<double>[^"\\\n]*)"|'(?<single>[^'\\\n]*)'`
/** A text with expressions in it, as in Python and C#: `f"cart-{name}"`. */
const INTERPOLATED = String.raw`(?<interpolated>[fF$]["'][^"'\n]*["'])`
const NAME = String.raw`(?<name>[$A-Za-z_][\w.]*)`

/** Returns the texts of names that are assigned once: `KEY = "new-checkout"`. */
function readConstants(code: string): ReadonlyMap<string, string> {
  const found = new Map<string, string | undefined>()
  for (const { groups } of code.matchAll(
    /(?<name>[$A-Za-z_]\w*)(?:\s*:\s*&?[\w']+(?: str)?)?\s*(?::=|=)\s*["'](?<text>[^"'\\\n]*)["']/g
  )) {
    const { name = '', text = '' } = groups ?? {}
    found.set(name, found.has(name) && found.get(name) !== text ? undefined : text)
  }
  return new Map([...found].flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])))
}

const patterns = {
  slashes: String.raw`\/\/[^\n]*`,
  hash: String.raw`#[^\n]*`,
  dashes: String.raw`--[^\n]*`,
  block: String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
  docStrings: String.raw`"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)`
} as const

const quotePatterns = {
  '"""': String.raw`"""[\s\S]*?"""`,
  '"': String.raw`"(?:\\.|[^"\\\n])*"`,
  "'": String.raw`'(?:\\.|[^'\\\n])*'`,
  '`': '`[^`]*`'
} as const

/** Blanks the comments of a text, and tells which offsets are in texts. */
function tokenize(text: string, comments: Language['comments'], quotes: Language['quotes']) {
  const comment = comments.map((kind) => patterns[kind]).join('|')
  const quoted = quotes.map((quote) => quotePatterns[quote]).join('|')
  const texts: (readonly [start: number, end: number])[] = []
  const code = text.replace(new RegExp(`(?<comment>${comment})|${quoted}`, 'g'), (found, ...rest) => {
    const groups: { readonly comment?: string } = rest.at(-1)
    if (groups.comment !== undefined) return blank(found)
    const start: number = rest.at(-3)
    texts.push([start, start + found.length])
    return found
  })
  return { code, isInText: (offset: number) => isInside(texts, offset) }
}

/** Whether an offset is inside of one of some ranges, which are sorted and do not overlap. */
function isInside(ranges: readonly (readonly [start: number, end: number])[], offset: number): boolean {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[middle]?.[0] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  // The last range that starts before the offset.
  return offset < (ranges[low - 1]?.[1] ?? 0)
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
