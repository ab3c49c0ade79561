import type { Operation } from '@burgee/contract'
import { isPublicKeyType } from '@burgee/contract/access'
import { USER_HASH_HEADER } from '@burgee/contract/schemas'
import { toUser } from '@burgee/core'
import { isRecord } from '@burgee/kit'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { isSignedUser } from '../../../flags/signedUsers/isSignedUser.ts'
import { HttpError, unavailable } from '../../../lib/errors.ts'
import { yieldToEventLoop } from '../../../lib/time.ts'

/** The outcome of checking the signature of a user. */
export type SignatureResult = 'valid' | 'wrong' | 'missing' | 'anonymous'

/** The user of a request is not signed as the environment of the key requires. */
export class UnsignedUserError extends HttpError {}

/** The parsed parts of a request that can contain a user or a signature. */
interface RequestParts {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly body?: unknown
}

/**
 * Verifies the signatures of the users that a request with a client or mobile key names, if the environment has signed
 * users. Returns the caller, which ignores stored users if an anonymous user is unsigned.
 * @throws {HttpError} 503 without the secrets of the environment.
 * @throws {UnsignedUserError} 401 with the same text for a missing and a wrong signature, known users and unknown ones.
 */
export async function verifyUsers(
  record: Pick<Operation, 'user'>,
  parts: RequestParts,
  caller: KeyConfig,
  onResult: (result: SignatureResult) => void
): Promise<KeyConfig> {
  const { environment } = caller
  const { signedUsers } = environment.settings
  if (record.user === undefined || !mustBeSigned(record, caller)) return caller
  if (!environment.userSigningSecrets) throw unavailable(NO_SECRETS, SECRETS_RETRY_SECONDS)
  let result: SignatureResult | undefined
  let count = 0
  for (const user of usersIn(record.user, parts)) {
    // A request can have thousands of users, and must not delay evaluations.
    if (++count % USERS_PER_SLICE === 0) await yieldToEventLoop()
    result = verify(user, environment)
    onResult(result)
    if (result === 'wrong' || (result === 'missing' && signedUsers === 'required')) {
      throw new UnsignedUserError(401, UNSIGNED)
    }
  }
  return result === 'anonymous' ? { ...caller, ignoresStoredUsers: true } : caller
}

/** Whether the users of an operation are to be signed when this caller calls it. */
export function mustBeSigned({ user }: Pick<Operation, 'user'>, { environment, keyType }: KeyConfig): boolean {
  const { signedUsers = 'off' } = environment.settings
  return user !== undefined && isPublicKeyType(keyType) && signedUsers !== 'off'
}

/** Edge nodes have no secrets, and neither has a server that started without its database. */
const NO_SECRETS =
  'signatures of users cannot be checked here: the user signing secrets are in the database of the server'

const SECRETS_RETRY_SECONDS = 5

/** The same message for all cases, so that it reveals nothing about users. */
const UNSIGNED =
  'the signature of the user is missing or wrong: userHash should be the hexadecimal HMAC-SHA-256 of the user id with a user signing secret of the environment'

/** The number of users to verify before yielding to the event loop: less than a millisecond of work. */
const USERS_PER_SLICE = 100

/** A user as named by a request. */
interface ClaimedUser {
  readonly user_id: string
  readonly userHash: string | undefined
  readonly isAnonymous: boolean
}

function verify(
  { user_id, userHash, isAnonymous }: ClaimedUser,
  environment: KeyConfig['environment']
): SignatureResult {
  if (userHash !== undefined) return isSignedUser(environment, user_id, userHash) ? 'valid' : 'wrong'
  const { signedUsers, unsignedAnonymousUsers = false } = environment.settings
  const mayBeUnsigned = signedUsers === 'required' && unsignedAnonymousUsers
  return mayBeUnsigned && isAnonymous && RANDOM_UUID.test(user_id) ? 'anonymous' : 'missing'
}

/** A UUID of version 4, which SDKs generate. Other ids could be those of known users, such as email addresses. */
const RANDOM_UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i

/** Lists the users of a request. Entries without a valid user id are skipped; the handler refuses or ignores them. */
function* usersIn(
  place: NonNullable<Operation['user']>,
  { params, query, headers, body }: RequestParts
): Generator<ClaimedUser, void> {
  const header = isRecord(headers) ? headers[USER_HASH_HEADER] : undefined
  const claim = (user_id: unknown, members: unknown) => claimsOf(user_id, members, header)
  switch (place) {
    case 'path':
      // These operations read and write what is stored about the user, so all users must be signed.
      yield* claim(isRecord(params) ? params.user_id : undefined, body).map((user) => ({ ...user, isAnonymous: false }))
      return
    case 'query':
      yield* claim(isRecord(query) ? query.user_id : undefined, query)
      return
    case 'context': {
      const context = isRecord(body) ? body.context : undefined
      yield* claim(toUser(context).user.user_id, context)
      return
    }
    case 'events':
      for (const report of reportsIn(body)) {
        if (isRecord(report) && isRecord(report.user)) yield* claim(report.user.user_id, report.user)
      }
  }
}

/** Lists the reports of a body of events, which is one report or a batch. */
function reportsIn(body: unknown): readonly unknown[] {
  return isRecord(body) && Array.isArray(body.batch) ? [body, ...body.batch] : [body]
}

/** Returns the user with this id, or an empty list if it is not an id. `members` are the user's other members. */
function claimsOf(user_id: unknown, members: unknown, header: unknown): readonly ClaimedUser[] {
  if (typeof user_id !== 'string') return []
  const { userHash, privateCustomData, isAnonymous } = isRecord(members) ? members : {}
  const given = userHash || findHash(privateCustomData) || header
  return [
    {
      user_id,
      userHash: typeof given === 'string' && given !== '' ? given : undefined,
      isAnonymous: isAnonymous === true || isAnonymous === 'true'
    }
  ]
}

/** Published client SDKs send no members of their own, but private custom data, as an object or as its JSON text. */
function findHash(privateCustomData: unknown): unknown {
  if (isRecord(privateCustomData)) return privateCustomData.userHash
  if (typeof privateCustomData !== 'string' || !privateCustomData.includes('userHash')) return undefined
  try {
    return findHash(JSON.parse(privateCustomData))
  } catch {
    return undefined
  }
}
