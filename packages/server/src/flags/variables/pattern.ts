import { formatValue } from '@burgee/kit/text'
import { RE2JS } from 're2js'
import type { TimeBudget } from './timeBudget.ts'

/**
 * The linear-time form of a regular expression: no text can make it hang, as `(a+)+$` makes others. It has no look-around
 * and no references to groups.
 * @throws {Error} when it is none.
 */
export function linearTimeRegExp(pattern: string): { readonly test: (text: string) => boolean } {
  const compiled = RE2JS.compile(pattern)
  return { test: (text) => compiled.test(text) }
}

/** The check that a text has a match of a pattern somewhere in it. */
export function compilePattern(pattern: string, budget: TimeBudget): CompiledCheck {
  return budget.run(`compiling the pattern ${formatValue(pattern)}`, () => compiledFrom(pattern))
}

function compiledFrom(pattern: string): CompiledCheck {
  try {
    const compiled = linearTimeRegExp(pattern)
    return { check: (value) => (compiled.test(String(value)) ? undefined : `should match ${formatValue(pattern)}`) }
  } catch (error) {
    const problem = formatRegExpError(error)
    return { mistake: `regexPattern should be a regular expression of RE2, got ${formatValue(pattern)} (${problem})` }
  }
}

/** The words of RE2, without those that are the same for every pattern. */
export function formatRegExpError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/^error parsing regexp: /, '')
}

/** What is wrong with a value, as a sentence goes on after its name: `should match ^a$`. Undefined when nothing is. It may go on for long. */
export type ValueCheck = (value: unknown) => string | undefined

/** A rule that is ready to check values, or what is wrong with the rule. */
export type CompiledCheck = { readonly check: ValueCheck } | { readonly mistake: string }
