import { clientParameters, type User as UserBody } from '@burgee/contract/schemas'
import type { CustomData, EvaluateOptions, User } from '@burgee/core'
import { whenReady } from '@burgee/kit'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import type { ApplicationUsers } from '../../../flags/applicationUsers/applicationUsers.ts'
import type { SampleUsers } from '../../../insights/previews/sampleUsers.ts'
import type { EdgeProperties } from '../../../storage/resources/applicationUser.ts'

/** What evaluations read about users besides the request, and where they are sampled. */
export interface EvaluationDependencies {
  readonly applicationUsers: Pick<ApplicationUsers, 'findProperties' | 'findChoices'>
  readonly sampleUsers: Pick<SampleUsers, 'record'>
}

/**
 * Returns the user of a request with opt-in choices, and with stored edge data if the request and the project enable
 * it.
 */
export function resolveUser(
  body: UserBody,
  caller: KeyConfig,
  dependencies: EvaluationDependencies,
  enableEdgeDB = false
): User | Promise<User> {
  const user = parseUser(body)
  const includesEdgeData = enableEdgeDB && caller.project.settings.edgeDB.enabled
  const stored = includesEdgeData ? dependencies.applicationUsers.findProperties(caller, user.user_id) : undefined
  return whenReady(stored, (properties) => completeUser(joinEdgeUser(user, properties), caller, dependencies))
}

/**
 * Converts the body of a request, or the query of a client SDK, to a user: parses JSON text, and drops `null`, the
 * signature of the user and members that are not attributes.
 */
export function parseUser(body: UserBody): User {
  const { appBuild, customData, privateCustomData } = body
  const user: Record<string, unknown> = {}
  for (const name of Object.keys(body)) {
    const value = body[name]
    if (value !== null && !nonAttributes.has(name)) user[name] = value
  }
  user.appBuild = appBuild === null || appBuild === undefined ? undefined : Number(appBuild)
  user.customData = parseCustomData(customData)
  user.privateCustomData = parseCustomData(privateCustomData)
  // The contract's schema has validated all members; three of them are converted above.
  return user as unknown as User
}

/** Opt-in choices, which only the store may set, and the options of client SDKs. */
const nonAttributes: ReadonlySet<string> = new Set(['optIns', ...clientParameters])

/** Removes a signature, which is no attribute, from custom data. */
export function withoutUserHash(data: CustomData | undefined): CustomData | undefined {
  if (!data || !Object.hasOwn(data, 'userHash')) return data
  const { userHash: _signature, ...attributes } = data
  return attributes
}

/** Parses custom data, which clients send as an object or as its JSON text. A signature in it is no attribute. */
export function parseCustomData(data: UserBody['customData']): CustomData | undefined {
  return withoutUserHash(typeof data === 'string' ? JSON.parse(data) : (data ?? undefined))
}

/** Merges stored edge data into a user. Members of the request take precedence. */
function joinEdgeUser(user: User, stored: EdgeProperties | undefined): User {
  if (!stored) return user
  return {
    ...user,
    email: user.email ?? stored.email,
    name: user.name ?? stored.name,
    language: user.language ?? stored.language,
    country: user.country ?? stored.country,
    customData: { ...stored.customData, ...user.customData }
  }
}

/** Returns the time and the overrides of a user for an evaluation. */
export function toEvaluateOptions(
  { user_id }: User,
  { overrides, ignoresStoredUsers }: KeyConfig,
  now: number
): EvaluateOptions & { readonly now: number } {
  const chosen = ignoresStoredUsers ? undefined : overrides.get(user_id)
  return chosen ? { now, overrides: chosen } : { now }
}

/**
 * Offers a user to the sample of recent users, and adds the opt-in choices of the user if the environment has features
 * with opt-in.
 */
export function completeUser(
  user: User,
  caller: KeyConfig,
  {
    applicationUsers,
    sampleUsers
  }: Pick<EvaluationDependencies, 'sampleUsers'> & {
    readonly applicationUsers: Pick<ApplicationUsers, 'findChoices'>
  }
): User | Promise<User> {
  if (user.user_id) sampleUsers.record(caller.environment._id, user)
  if (!caller.hasOptIn || !user.user_id) return user
  return whenReady(applicationUsers.findChoices(caller, user.user_id), (optIns) =>
    optIns ? { ...user, optIns } : user
  )
}
