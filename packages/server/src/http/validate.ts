import type { z } from 'zod'
import { invalid } from '../errors.ts'
import { show } from '../show.ts'

/** How many mistakes a message names. */
const NAMED = 10

/**
 * Parses a part of a request by its schema.
 * @throws {ApiError} 400 with every mistake: which member, what it should be, what it is.
 */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  place: 'path' | 'query' | 'body'
): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { issues } = result.error
  const mistakes = issues.slice(0, NAMED).map((issue) => describe(issue, value, place))
  if (issues.length > NAMED) mistakes.push(`and ${issues.length - NAMED} more`)
  throw invalid(mistakes.join('; '), place === 'body' ? 'invalid_body' : 'invalid_request')
}

function describe(issue: z.core.$ZodIssue, root: unknown, place: string): string {
  const name = issue.path.length > 0 ? issue.path.map(String).join('.') : `the ${place}`
  const value = issue.path.reduce<unknown>((part, step) => memberOf(part, step), root)
  return `${name} ${expectation(issue)}, got ${show(value)}`
}

function memberOf(value: unknown, member: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined
}

/** A type as people call it, with its article. */
function named(type: string): string {
  const name = type === 'record' ? 'object' : type
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
}

/** What a value should have been. Messages of the contract's own checks begin with "should" or "is" already. */
function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `should be ${named(issue.expected)}`
    case 'invalid_value':
      return `should be one of ${issue.values.map(String).join(', ')}`
    case 'too_big':
      return /^should/.test(issue.message) ? issue.message : `should have at most ${issue.maximum} characters`
    case 'too_small':
      return /^should/.test(issue.message) ? issue.message : 'should not be empty'
    default:
      return issue.message
  }
}
