import { describeIssues, formatValue } from '@burgee/kit/text'
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** Says what a value of a file should be. @param value The value at the path of the issue. */
export function explainIssue(issue: Issue, value: unknown): string {
  // Messages of the schemas of files say what is right.
  if (/^(should|is) /.test(issue.message)) return issue.message
  if (issue.code === 'invalid_type') {
    const expected = expectedType(issue.expected)
    if (value === undefined) return `is missing: it should be ${expected}`
    if (value === null) return `is empty: it should be ${expected}, or be left out`
    return `should be ${expected}, got ${typeOf(value)}`
  }
  // The path is that of the file, which stands before.
  const { issues } = describeIssues({ issues: [{ ...issue, path: [] }] } as unknown as z.ZodError, value, PART)
  return (issues[0]?.message ?? issue.message)
    .replace(`the ${PART} `, '')
    .replace(/^should be one of ([^,]+), got/, 'should be $1, got')
}

/** Says which forms a value of a file can have. */
export function explainForms(errors: readonly (readonly Issue[])[], value: unknown): string {
  const all = errors.flat()
  const isPlain = ({ code, message }: Issue) => code === 'invalid_type' && !/^(should|is) /.test(message)
  const types = all.flatMap((issue) => {
    return issue.code === 'invalid_type' && isPlain(issue) ? expectedType(issue.expected) : []
  })
  const others = all.filter((issue) => !isPlain(issue)).map((issue) => shouldBe(issue, value))
  const forms = [...new Set([...types, ...others])].join(', or ')
  if (value === null) return `is empty: it should be ${forms}, or be left out`
  return value === undefined ? `is missing: it should be ${forms}` : `should be ${forms}`
}

function shouldBe(issue: Issue, value: unknown): string {
  return explainIssue(issue, value)
    .replace(/^should be /, '')
    .replace(/, got .*$/s, '')
}

const PART = 'value'

const typeNames: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false'
}

function expectedType(type: string): string {
  return typeNames[type] ?? type
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return formatValue(value)
}
