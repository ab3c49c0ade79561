import { UsageError } from '@burgee/kit/settings'
import { RE2JS } from 're2js'

/** A match of a pattern. */
interface PatternMatch {
  readonly start: number
  readonly end: number
  /** The text of the group, which is the key. */
  readonly key: string
}

/**
 * Returns the matches of a regular expression of RE2, which runs in linear time: a pattern such as `(a+)+` cannot keep
 * a scan from ending.
 * @throws {UsageError} if the pattern has no group, or look-around or back-references, which RE2 lacks.
 */
export function findMatches(expression: string, text: string): readonly PatternMatch[] {
  const matcher = compile(expression).matcher(text)
  const found: PatternMatch[] = []
  while (matcher.find()) {
    const key = matcher.group(1)
    if (key) found.push({ start: matcher.start(), end: matcher.end(), key })
  }
  return found
}

/** Returns whether a text contains a match of an expression; `undefined` if it is no expression of RE2. */
export function matchesPattern(expression: string, text: string): boolean | undefined {
  try {
    return compile(expression).test(text)
  } catch {
    return undefined
  }
}

function compile(expression: string): RE2JS {
  const known = compiled.get(expression)
  if (known) return known
  try {
    const pattern = RE2JS.compile(expression)
    compiled.set(expression, pattern)
    return pattern
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, '') : String(cause)
    throw new UsageError(
      `the pattern ${expression} should be a regular expression of RE2, without look-around and back-references: ${reason}`,
      { cause }
    )
  }
}

const compiled = new Map<string, RE2JS>()
