import { createHash } from 'node:crypto'
import { badRequest } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { SecretHasher } from '../secrets/secretHash.ts'
import { type HashedPassword, hashPassword } from './setPassword.ts'
import { type PasswordOwner, validatePassword } from './validatePassword.ts'

/** A password that an administrator assigns: its hash, and the password itself if it was generated. */
export interface AssignedPassword {
  readonly hashed: HashedPassword
  readonly generated?: string
}

interface Dependencies {
  readonly ids: Pick<IdGenerator, 'secret'>
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
  const generated = generatePassword(ids)
  return { hashed: await hashPassword(generated, { hasher, caller }), generated }
}

/** Asserts that a password complies with the policy. @throws {HttpError} 400 that does not repeat the password. */
export function assertPasswordAllowed(member: string, password: string, owner: PasswordOwner): void {
  const issues = validatePassword(password, owner)
  if (issues.length > 0) throw badRequest(issues.map((issue) => `${member} ${issue}`))
}

/** Generates a password that is easy to read and type: 24 characters with 120 bits of entropy. */
function generatePassword({ secret }: Pick<IdGenerator, 'secret'>): string {
  const bytes = createHash('sha256').update(secret()).digest().subarray(0, 24)
  const characters = [...bytes].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
  return characters.replace(/.{4}(?=.)/g, '$&-')
}

/** 32 characters without lookalikes. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
