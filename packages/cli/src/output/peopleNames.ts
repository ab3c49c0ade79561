import { isRecord } from '@burgee/kit'

/** Names of people and keys of environments, by id. */
export type Names = ReadonlyMap<string, string>

/** Returns an object, or a list of objects, with names in place of ids. */
export function withNames(value: unknown, names: Names): unknown {
  if (names.size === 0) return value
  if (Array.isArray(value)) return value.map((item) => withNames(item, names))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [member, (NAMED.test(member) && names.get(String(one))) || one])
  )
}

/** Whether an object, or the first of a list, refers to people. */
export function refersToPeople(value: unknown): boolean {
  return refersTo(PEOPLE, value)
}

/** Whether an object, or the first of a list, refers to an environment by id. */
export function refersToEnvironment(value: unknown): boolean {
  return refersTo(ENVIRONMENT, value)
}

function refersTo(members: RegExp, value: unknown): boolean {
  const [first]: readonly unknown[] = Array.isArray(value) ? value : [value]
  return isRecord(first) && Object.keys(first).some((member) => members.test(member))
}

/** The members that refer to a person by id. */
const PEOPLE = /^(_?(created|updated|given)By|idp_user|actor)$/
const ENVIRONMENT = /^_environment$/
const NAMED = new RegExp(`${PEOPLE.source}|${ENVIRONMENT.source}`)
