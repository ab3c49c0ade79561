import { createHash, createSecretKey, type KeyObject } from 'node:crypto'

/** A key encryption key, which is not in the store. It wraps the data keys, which encrypt the secrets (ADR 59). */
export interface EncryptionKey {
  /** A truncated hash of the key, which identifies it in the store, in messages and in logs. */
  readonly id: string
  readonly key: KeyObject
}

/**
 * Parses keys that are separated by commas or white space: 32 bytes each, in base64 or hexadecimal.
 * @throws {Error} that names the position of an invalid key, and does not contain it.
 */
export function parseEncryptionKeys(text: string): readonly EncryptionKey[] {
  const texts = text.split(/[\s,]+/).filter((part) => part !== '')
  return texts.map((part, at) => {
    const bytes = decodeKey(part)
    if (bytes?.length === KEY_BYTES) return toEncryptionKey(bytes)
    const name = texts.length === 1 ? 'it' : `key ${at + 1} of ${texts.length}`
    const size = bytes ? `has ${bytes.length} bytes` : 'is neither base64 nor hexadecimal'
    throw new Error(`${name} ${size}, and should have ${KEY_BYTES}, as from "openssl rand -base64 ${KEY_BYTES}"`)
  })
}

function toEncryptionKey(bytes: Buffer): EncryptionKey {
  const id = createHash('sha256').update('burgee encryption key').update(bytes).digest('hex').slice(0, ID_LENGTH)
  return { id, key: createSecretKey(bytes) }
}

function decodeKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

/** AES-256. */
export const KEY_BYTES = 32
const ID_LENGTH = 16
