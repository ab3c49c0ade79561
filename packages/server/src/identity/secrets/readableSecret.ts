import type { IdGenerator } from '../../lib/idGenerator.ts'

/** Generates a secret that is easy to read and type, in groups of four, with 5 bits of entropy in each character. */
export function createReadableSecret({ bytes }: Pick<IdGenerator, 'bytes'>, length: number): string {
  const characters = [...bytes(length)].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
  return characters.replace(/.{4}(?=.)/g, '$&-')
}

/** 32 characters that are not easily confused. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
