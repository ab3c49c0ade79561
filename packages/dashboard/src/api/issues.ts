import type { ErrorType } from '@burgee/contract'
import { ApiError } from '@burgee/contract/client'

/** Whether a write failed because the resource has changed since it was read. */
export function isConflict(error: Error | null): boolean {
  return error instanceof ApiError && error.errorType === 'ERR_REVISION'
}

/** A problem of a member of the body, by its path joined with dots. */
interface BodyIssue {
  readonly path: string
  readonly message: string
}

/** The members whose value another resource has, by the type of the error. */
const takenMembers: ReadonlyMap<ErrorType, string> = new Map([
  ['ERR_DUPE_AUDIENCE_KEY', 'key'],
  ['ERR_DUPE_CUSTOM_PROPERTY_KEY', 'key'],
  ['ERR_DUPE_CUSTOM_PROPERTY_PROPERTY_KEY', 'propertyKey'],
  ['ERR_DUPE_ENVIRONMENT_KEY', 'key'],
  ['ERR_DUPE_FEATURE_KEY', 'key'],
  ['ERR_DUPE_METRIC_KEY', 'key'],
  ['ERR_DUPE_PROJECT_KEY', 'key'],
  ['ERR_DUPE_USER_EMAIL', 'email']
])

/** The problems that an error response names in the body. Rules beyond the schema name the path in their sentence only. */
export function bodyIssues(error: Error | null): readonly BodyIssue[] {
  if (!(error instanceof ApiError)) return []
  const named = error.issues.filter((issue) => issue.in === 'body')
  if (named.length > 0) return named.map(({ path, message }) => ({ path: path.join('.'), message }))
  const taken = error.errorType && takenMembers.get(error.errorType)
  if (taken) return [{ path: taken, message: 'Already taken: choose another one' }]
  const { message } = Object(error.body) as { readonly message?: unknown }
  return [message].flat().flatMap((sentence) => {
    const path = /^([\w.]+) should /.exec(String(sentence))?.[1]
    return path === undefined ? [] : [{ path, message: String(sentence) }]
  })
}

/** The problem that an error response names at a member of the body, by its path joined with dots, in words for its field. */
export function issueAt(error: Error | null, path: string): string | undefined {
  return atField(bodyIssues(error).find((issue) => issue.path === path))
}

/** The first problem that an error names in a member of the body or in one of its entries. */
export function issueIn(error: Error | null, member: string): string | undefined {
  return atField(bodyIssues(error).find(({ path }) => path.split('.')[0] === member))
}

/** The message beside a field, which shows its name and the value already: "Must not be empty". */
function atField(issue: BodyIssue | undefined): string | undefined {
  if (issue === undefined) return undefined
  const [, rule] = /^should (.+?)(?:, got .*)?$/s.exec(issue.message.replace(`${issue.path} `, '')) ?? []
  return rule === undefined ? issue.message : `Must ${rule}`
}
