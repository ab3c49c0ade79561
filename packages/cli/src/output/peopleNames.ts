import { isRecord } from '@burgee/kit'

/** Names of people by id. */
export type Names = ReadonlyMap<string, string>

/** Returns an object, or a list of objects, with the names of people in place of their ids. */
export function withNames(value: unknown, names: Names): unknown {
  if (names.size === 0) return value
  if (Array.isArray(value)) return value.map((item) => withNames(item, names))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [member, (PEOPLE.test(member) && names.get(String(one))) || one])
  )
}

/** Whether an object, or the first of a list, refers to people. */
export function refersToPeople(value: unknown): boolean {
  const [first]: readonly unknown[] = Array.isArray(value) ? value : [value]
  return isRecord(first) && Object.keys(first).some((member) => PEOPLE.test(member))
}

/** The members that refer to a person by id. */
const PEOPLE = /^(_?(created|updated|given)By|idp_user|actor)$/
