import { toUser } from '@burgee/core'
import { isObject } from '../../draft/structure.ts'

/** A user for an evaluation. */
export type FormUser = Readonly<Record<string, unknown>> & { readonly user_id: string }

/** A user that was read, or what is wrong with it. */
export type ParsedUser =
  | { readonly type: 'user'; readonly user: FormUser; readonly unused?: readonly string[] }
  | { readonly type: 'problem'; readonly message: string; readonly field?: string }

/**
 * Reads a user from JSON: in snake or camel case, or an evaluation context of OpenFeature, which has a `targetingKey` and
 * custom attributes beside it. `unused` are the members that evaluation does not read.
 */
export function parseUser(text: string): ParsedUser {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    return problem(text.trim() === '' ? 'Paste a user as JSON.' : `This is not JSON: ${(error as SyntaxError).message}`)
  }
  if (!isObject(data)) return problem('A user is an object, such as {"user_id": "ada"}.')
  // Requests of SDKs have the user as a member.
  const user = isObject(data.user) && !('user_id' in data) ? data.user : data
  if ('targetingKey' in user) return requireId(toUser(user).user as unknown as FormUser)
  const renamed = Object.entries(user).map(([key, value]) => [aliases[key] ?? key, value] as const)
  const unused = renamed.flatMap(([key]) => (members.has(key) ? [] : [key]))
  const parsed = requireId(Object.fromEntries(renamed))
  return parsed.type === 'user' && unused.length > 0 ? { ...parsed, unused } : parsed
}

/** The other names of members. */
const aliases: Readonly<Record<string, string>> = {
  userId: 'user_id',
  custom_data: 'customData',
  private_custom_data: 'privateCustomData',
  app_version: 'appVersion',
  app_build: 'appBuild',
  platform_version: 'platformVersion',
  device_model: 'deviceModel',
  created_date: 'createdDate',
  last_seen_date: 'lastSeenDate',
  is_anonymous: 'isAnonymous',
  sdk_type: 'sdkType',
  sdk_version: 'sdkVersion'
}

/** The members of a user that evaluation reads or SDKs send. */
const members = new Set([...Object.values(aliases), 'country', 'email', 'hostname', 'language', 'name', 'platform'])

/** Returns the user if it has an ID. */
export function requireId(user: Readonly<Record<string, unknown>>): ParsedUser {
  const { user_id: id } = user
  if (typeof id !== 'string' || id.trim() === '') return problem('Enter a user ID, a string that is not empty.')
  return { type: 'user', user: { ...user, user_id: id } }
}

function problem(message: string): ParsedUser {
  return { type: 'problem', message }
}
