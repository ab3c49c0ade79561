import { createHash } from 'node:crypto'
import { badRequest } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { type HashedPassword, hashPassword } from './setPassword.ts'
import { type PasswordOwner, validatePassword } from './validatePassword.ts'

/** A password that somebody else chose: ready to be set and, when it was made up, to be told once. */
export interface AssignedPassword {
  readonly hashed: HashedPassword
  readonly generated?: string
}

/** The password that was given for a person, or one that is made up. @throws {ApiError} 400 when the given one cannot be used. */
export async function prepareAssignedPassword(
  given: string | undefined,
  owner: PasswordOwner,
  ids: Pick<IdGenerator, 'secret'>
): Promise<AssignedPassword> {
  if (given !== undefined) {
    assertPasswordAllowed('password', given, owner)
    return { hashed: await hashPassword(given) }
  }
  const madeUp = generatePassword(ids)
  return { hashed: await hashPassword(madeUp), generated: madeUp }
}

/** Demands that the policy has nothing against a password. @throws {ApiError} 400 that says what, and not the password. */
export function assertPasswordAllowed(member: string, password: string, owner: PasswordOwner): void {
  const mistakes = validatePassword(password, owner)
  if (mistakes.length > 0) throw badRequest(mistakes.map((mistake) => `${member} ${mistake}`))
}

/** A password to be read and typed: 24 characters, of 120 bits that nobody can guess. */
function generatePassword({ secret }: Pick<IdGenerator, 'secret'>): string {
  const bytes = createHash('sha256').update(secret()).digest().subarray(0, 24)
  const characters = [...bytes].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
  return characters.replace(/.{4}(?=.)/g, '$&-')
}

/** 32 characters, none of which looks like another. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
