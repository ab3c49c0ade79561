import { formatValue, suggestion } from '@burgee/kit/text'
import type { z } from 'zod'
import { explainForms, explainIssue } from './explainIssue.ts'
import { formsWith, knownMembers, knownValues } from './knownMembers.ts'

/** An issue at a path of a file. */
export interface ValidationIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  /** The name of the member is wrong, and not its value. */
  readonly isName?: true
}

type Issue = z.core.$ZodIssue

/** Converts issues of the schema of files. `file` is the whole value. */
export function toValidationIssues(issues: readonly Issue[], file: unknown): readonly ValidationIssue[] {
  return issues.flatMap((issue) => explain(issue, [], file))
}

/** Returns the issues of the form that was meant, where a value can have several forms. */
function explain(issue: Issue, base: readonly PropertyKey[], file: unknown): readonly ValidationIssue[] {
  const path = [...base, ...issue.path]
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, message, isName: true }))
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownMember(path, key))
  if (issue.code === 'invalid_union') {
    const isInside = (error: Issue) => error.path.length > 0 || error.code === 'unrecognized_keys'
    const meant = issue.errors.find((errors) => errors.length > 0 && errors.every(isInside))
    if (meant) return meant.flatMap((error) => explain(error, path, file))
    return issue.errors.some(({ length }) => length > 0)
      ? [{ path, message: explainForms(issue.errors, valueAt(file, path)) }]
      : explainTag(path, file)
  }
  return [{ path, message: explainIssue(issue, valueAt(file, path)) }]
}

function valueAt(file: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, name) => Object(value)[name], file)
}

/** Explains a member that decides which others there are, and is missing or unknown. */
function explainTag(path: readonly PropertyKey[], file: unknown): readonly ValidationIssue[] {
  const parent = path.slice(0, -1)
  const object = valueAt(file, parent)
  const names = knownMembers(parent)
  const unknown = Object.keys(Object(object)).filter((name) => !names.includes(name))
  if (unknown.length > 0) return unknown.map((name) => unknownMember(parent, name))
  const values = knownValues(path)
  const value: unknown = Object(object)[path.at(-1) ?? '']
  if (value === undefined) return [{ path, message: `is missing: one of ${values.join(', ')}` }]
  const nearest = typeof value === 'string' ? suggestion(value, values) : ''
  return [{ path, message: `should be one of ${values.join(', ')}, got ${formatValue(value)}${nearest}` }]
}

function unknownMember(parent: readonly PropertyKey[], name: string): ValidationIssue {
  const names = knownMembers(parent)
  const forms = names.includes(name) ? formsWith(parent, name) : []
  if (forms.length > 0) return { path: [...parent, name], message: `belongs to ${forms.join(' or ')}`, isName: true }
  const nearest = suggestion(name, names)
  const hint = nearest !== '' || names.length === 0 ? nearest : `: it should be one of ${names.join(', ')}`
  return { path: [...parent, name], message: `is not known${hint}`, isName: true }
}
