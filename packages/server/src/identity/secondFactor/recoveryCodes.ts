import type { IdGenerator } from '../../lib/idGenerator.ts'
import { createReadableSecret } from '../secrets/readableSecret.ts'
import { hashRandomSecret } from '../secrets/secretHash.ts'

/** The number of recovery codes of a person. */
const COUNT = 10

/** The characters of a code: 80 bits of entropy, so that a fast hash suffices. */
const LENGTH = 16

/** New recovery codes and their hashes. */
export interface GeneratedRecoveryCodes {
  readonly recoveryCodes: string[]
  readonly codeHashes: readonly string[]
}

/** Generates recovery codes. */
export function generateRecoveryCodes(ids: Pick<IdGenerator, 'bytes'>): GeneratedRecoveryCodes {
  const recoveryCodes = Array.from({ length: COUNT }, () => createReadableSecret(ids, LENGTH))
  return { recoveryCodes, codeHashes: recoveryCodes.map(hashRecoveryCode) }
}

/** Hashes a recovery code. Case, spaces and dashes do not matter. */
export function hashRecoveryCode(code: string): string {
  return hashRandomSecret(code.toLowerCase().replace(/[\s-]/g, ''))
}
