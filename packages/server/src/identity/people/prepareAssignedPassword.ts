import { badRequest } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { createReadableSecret } from '../secrets/readableSecret.ts'
import type { SecretHasher } from '../secrets/secretHash.ts'
import { type HashedPassword, hashPassword } from './setPassword.ts'
import { type PasswordOwner, validatePassword } from './validatePassword.ts'

/** A password that an administrator assigns: its hash, and the password itself if it was generated. */
export interface AssignedPassword {
  readonly hashed: HashedPassword
  readonly generated?: string
}

interface Dependencies {
  readonly ids: Pick<IdGenerator, 'bytes'>
  readonly hasher: SecretHasher
}

/**
 * Prepares the given password, or a generated one. `caller` is the id of the person or client that assigns it.
 * @throws {HttpError} 400 if the given password violates the policy, 429 when too many wait.
 */
export async function prepareAssignedPassword(
  given: string | undefined,
  owner: PasswordOwner,
  { ids, hasher, caller }: Dependencies & { readonly caller: string }
): Promise<AssignedPassword> {
  if (given !== undefined) {
    assertPasswordAllowed('password', given, owner)
    return { hashed: await hashPassword(given, { hasher, caller }) }
  }
  const generated = createReadableSecret(ids, GENERATED_LENGTH)
  return { hashed: await hashPassword(generated, { hasher, caller }), generated }
}

/** Asserts that a password complies with the policy. @throws {HttpError} 400 that does not repeat the password. */
export function assertPasswordAllowed(member: string, password: string, owner: PasswordOwner): void {
  const issues = validatePassword(password, owner)
  if (issues.length > 0) throw badRequest(issues.map((issue) => `${member} ${issue}`))
}

/** The length of generated passwords: 120 bits of entropy. */
const GENERATED_LENGTH = 24
