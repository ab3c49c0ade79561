import { formatValue } from '@burgee/kit/text'
import { RE2JS } from 're2js'
import { reasonOf } from '../../lib/reasonOf.ts'
import type { TimeBudget } from './timeBudget.ts'

/**
 * Compiles a regular expression of RE2, which runs in linear time: patterns such as `(a+)+$` cannot block the server.
 * RE2 has no look-around and no back-references.
 * @throws {Error} when the pattern is not valid.
 */
export function linearTimeRegExp(pattern: string): { readonly test: (text: string) => boolean } {
  const compiled = RE2JS.compile(pattern)
  return { test: (text) => compiled.test(text) }
}

/** Compiles the check that a text contains a match of a pattern. */
export function compilePattern(pattern: string, budget: TimeBudget): CompiledCheck {
  return budget.run(`compiling the pattern ${formatValue(pattern)}`, () => compiledFrom(pattern))
}

function compiledFrom(pattern: string): CompiledCheck {
  try {
    const compiled = linearTimeRegExp(pattern)
    return { check: (value) => (compiled.test(String(value)) ? undefined : `should match ${formatValue(pattern)}`) }
  } catch (error) {
    const problem = formatRegExpError(error)
    return { issue: `regexPattern should be a regular expression of RE2, got ${formatValue(pattern)} (${problem})` }
  }
}

/** Returns the message of an RE2 error without its constant prefix. */
export function formatRegExpError(error: unknown): string {
  const message = reasonOf(error)
  return message.replace(/^error parsing regexp: /, '')
}

/**
 * Returns the issue of a value, to follow its name in a message (`should match ^a$`); undefined for a valid one. May be
 * slow.
 */
export type ValueCheck = (value: unknown) => string | undefined

/** A compiled check, or the issue of a rule that does not compile. */
export type CompiledCheck = { readonly check: ValueCheck } | { readonly issue: string }
