import type { z } from 'zod'
import { formatValue } from './formatValue.ts'

/** The maximum number of issues in a message. */
const MAX_ISSUES = 10

type Issue = z.core.$ZodIssue

/** A problem of a value: the member, and a sentence with the member, the expectation and the actual value. */
export interface DescribedIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

interface DescribedIssues {
  readonly issues: readonly DescribedIssue[]
  /** The number of further issues. */
  readonly omitted: number
}

/**
 * Formats the issues of a value that a schema rejected, one sentence each: the member, the expectation and the actual
 * value.
 * @param part The name of the value as a whole, for example `body`.
 */
export function formatIssues(error: z.ZodError, value: unknown, part: string): string[] {
  const { issues, omitted } = describeIssues(error, value, part)
  const sentences = issues.map(({ message }) => message)
  return omitted > 0 ? [...sentences, formatOmitted(omitted)] : sentences
}

/** Formats the sentence for issues that are not described. */
export function formatOmitted(omitted: number): string {
  return `and ${omitted} more`
}

/** Describes the same issues with their paths. */
export function describeIssues({ issues: found }: z.ZodError, value: unknown, part: string): DescribedIssues {
  const issues = dropRedundantIssues(found.flatMap(closestForm)).flatMap(splitKeys)
  return {
    issues: issues.slice(0, MAX_ISSUES).flatMap((issue) => describeIssue(issue, value, part)),
    omitted: Math.max(0, issues.length - MAX_ISSUES)
  }
}

/** Replaces the issue of a union by those of the option with the fewest issues. */
function closestForm(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const forms = issue.errors.map((errors) => errors.flatMap(closestForm)).filter((errors) => !isOfOtherType(errors))
  const [closest] = forms.sort((one, other) => one.length - other.length)
  // If no option has the type of the value, the message of the union names them all.
  return (closest ?? [{ ...issue, path: [] }]).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

function isOfOtherType(issues: readonly Issue[]): boolean {
  return issues.every(({ code, path }) => code === 'invalid_type' && path.length === 0)
}

/** Drops the issues that follow from a wrong type or an empty value. */
function dropRedundantIssues(issues: readonly Issue[]): readonly Issue[] {
  const isPlain = (issue: Issue) => issue.code === 'invalid_type' || (issue.code === 'too_small' && isNonEmpty(issue))
  const plain = new Map(
    issues
      .filter(isPlain)
      .map((issue) => [pathOf(issue), issue] as const)
      .reverse()
  )
  return issues.filter((issue) => (plain.get(pathOf(issue)) ?? issue) === issue)
}

/** Divides an issue of several unknown properties, so that each counts as one. */
function splitKeys(issue: Issue): readonly Issue[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ ...issue, keys: [key] })) : [issue]
}

function pathOf({ path }: Issue): string {
  return path.map(String).join('.')
}

function describeIssue(issue: Issue, root: unknown, place: string): DescribedIssue[] {
  const name = pathOf(issue)
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      return { path: [...path, key], message: `property ${name ? `${name}.` : ''}${key} should not exist` }
    })
  }
  const value = issue.path.reduce<unknown>((part, step) => readMember(part, step), root)
  const shown = isSecret(issue) ? describeHidden(value) : formatValue(value)
  return [{ path, message: `${name || `the ${place}`} ${expectation(issue)}, got ${shown}` }]
}

/** Whether an issue is about a secret or a part of one. */
function isSecret({ path }: Issue): boolean {
  return path.some((step) => isSecretName(String(step)))
}

/** Whether a member with this name has a secret, which messages, logs and command lines must not contain. */
export function isSecretName(name: string): boolean {
  return /(password|secret|token|assertion|credential|apikey|recoverycodes|sdkkeys?)$/i.test(name)
}

/** Describes a value that messages must not contain. */
function describeHidden(value: unknown): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' ? 'a text that is not shown' : 'something that is not shown'
}

function readMember(value: unknown, member: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined
}

/** Formats the expectation of an issue. Messages of custom checks already begin with "should" or "is". */
function expectation(issue: Issue): string {
  if (/^(should|is) /.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `should be ${withArticle(issue.expected)}`
    case 'invalid_value':
      return `should be one of ${issue.values.map(String).join(', ')}`
    case 'too_big':
      return `should ${formatLimit(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`
    case 'too_small':
      return isNonEmpty(issue)
        ? 'should not be empty'
        : `should ${formatLimit(issue.origin, issue.inclusive === false ? 'greater than' : 'at least', issue.minimum)}`
    case 'invalid_union':
      return 'matches none of the allowed forms'
    default:
      return issue.message
  }
}

function isNonEmpty({ origin, minimum }: z.core.$ZodIssueTooSmall): boolean {
  return minimum === 1 && origin !== 'number' && origin !== 'int'
}

function formatLimit(origin: string, side: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${side} ${limit} characters`
  if (origin === 'array' || origin === 'set') return `have ${side} ${limit} items`
  return `be ${side} ${limit}`
}

/** The name of a type with its article. */
function withArticle(type: string): string {
  const name = type === 'record' ? 'object' : type === 'int' ? 'whole number' : type
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
}
