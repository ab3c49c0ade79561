import { createHash } from 'node:crypto'
import { invalid } from '../errors.ts'
import type { Ids } from '../id.ts'
import { mistakesOfPassword, type PasswordOwner } from './passwordPolicy.ts'
import { type PreparedPassword, preparePassword } from './setPassword.ts'

/** A password that somebody else chose: ready to be set and, when it was made up, to be told once. */
export interface ChosenPassword {
  readonly prepared: PreparedPassword
  readonly madeUp?: string
}

/** The password that was given for a person, or one that is made up. @throws {ApiError} 400 when the given one cannot be used. */
export async function choosePassword(
  given: string | undefined,
  owner: PasswordOwner,
  ids: Pick<Ids, 'secret'>
): Promise<ChosenPassword> {
  if (given !== undefined) {
    demandUsable('password', given, owner)
    return { prepared: await preparePassword(given) }
  }
  const madeUp = makePassword(ids)
  return { prepared: await preparePassword(madeUp), madeUp }
}

/** Demands that the policy has nothing against a password. @throws {ApiError} 400 that says what, and not the password. */
export function demandUsable(member: string, password: string, owner: PasswordOwner): void {
  const mistakes = mistakesOfPassword(password, owner)
  if (mistakes.length > 0) throw invalid(mistakes.map((mistake) => `${member} ${mistake}`))
}

/** A password to be read and typed: 24 characters, of 120 bits that nobody can guess. */
function makePassword({ secret }: Pick<Ids, 'secret'>): string {
  const bytes = createHash('sha256').update(secret()).digest().subarray(0, 24)
  const characters = [...bytes].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
  return characters.replace(/.{4}(?=.)/g, '$&-')
}

/** 32 characters, none of which looks like another. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
