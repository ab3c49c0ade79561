import { isObject } from '../../draft/structure.ts'

/** A user for an evaluation. */
export type FormUser = Readonly<Record<string, unknown>> & { readonly user_id: string }

/** A user that was read, or what is wrong with it. */
export type ParsedUser =
  | { readonly type: 'user'; readonly user: FormUser }
  | { readonly type: 'problem'; readonly message: string }

/** Reads a user from JSON: snake case, camel case, or the evaluation context of OpenFeature. */
export function parseUser(text: string): ParsedUser {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    return problem(text.trim() === '' ? 'paste a user as JSON' : `this is not JSON: ${(error as SyntaxError).message}`)
  }
  if (!isObject(data)) return problem('a user is an object, as in {"user_id": "ada"}')
  // Requests of SDKs have the user as a member.
  const user = isObject(data.user) && !('user_id' in data) ? data.user : data
  return requireId(Object.fromEntries(Object.entries(user).map(([key, value]) => [aliases[key] ?? key, value])))
}

/** The other names of members. */
const aliases: Readonly<Record<string, string>> = {
  userId: 'user_id',
  targetingKey: 'user_id',
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

/** Returns the user if it has an ID. */
export function requireId(user: Readonly<Record<string, unknown>>): ParsedUser {
  const { user_id: id } = user
  if (typeof id !== 'string' || id.trim() === '') return problem('a user has a user ID, which decides its share')
  return { type: 'user', user: { ...user, user_id: id } }
}

function problem(message: string): ParsedUser {
  return { type: 'problem', message }
}
