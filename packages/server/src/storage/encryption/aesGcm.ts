import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

/**
 * Encrypts bytes with AES-256-GCM and a random nonce. Returns nonce, ciphertext and tag in base64url.
 * @param context The additional authenticated data: where the result is stored. Decryption requires the same.
 */
export function encrypt(key: KeyObject, bytes: Uint8Array, context: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Decrypts a text of `encrypt`. @throws {Error} when key, context or text differ from those of the encryption. */
export function decrypt(key: KeyObject, text: string, context: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('the ciphertext is too short')
  const tag = bytes.subarray(-TAG_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
}

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
