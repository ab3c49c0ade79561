import { createHash } from 'node:crypto'
import type { IdGenerator } from '../../lib/idGenerator.ts'

/** Generates a secret that is easy to read and type, in groups of four, with 5 bits of entropy in each character. */
export function createReadableSecret({ secret }: Pick<IdGenerator, 'secret'>, length: number): string {
  const bytes = createHash('sha256').update(secret()).digest().subarray(0, length)
  const characters = [...bytes].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
  return characters.replace(/.{4}(?=.)/g, '$&-')
}

/** 32 characters that are not easily confused. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
