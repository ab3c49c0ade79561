import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The start of client secrets, so that secret scanners recognize them. A client secret is the prefix, 32 random bytes
 * as 43 URL-safe characters, and a checksum of six characters.
 */
export const CLIENT_SECRET_PREFIX = 'burgee_secret_'

/** The prefix of SCIM tokens, which otherwise have the format of client secrets. */
export const SCIM_TOKEN_PREFIX = 'burgee_scim_'

/** The prefix of user signing secrets, which otherwise have the format of client secrets. */
export const USER_SIGNING_SECRET_PREFIX = 'burgee_user_secret_'

/** The part of SDK keys after their type: `server-burgee_`. Keys of earlier versions lack it, and the checksum. */
export const SDK_KEY_MARK = 'burgee_'

/** Appends the checksum of a text: its CRC-32 in base 62, six characters. */
export function appendChecksum(text: string): string {
  return `${text}${checksumOf(text)}`
}

/** Whether a text ends with the checksum of what precedes it. */
function hasValidChecksum(text: string): boolean {
  return text === appendChecksum(text.slice(0, -CHECKSUM_LENGTH))
}

/** Whether a secret has the prefix of client secrets, but was mistyped or truncated. */
export function isDamagedClientSecret(secret: string): boolean {
  return secret.startsWith(CLIENT_SECRET_PREFIX) && !hasValidChecksum(secret)
}

/** Whether a secret has the format of generated secrets, which cannot be guessed. */
export function isGeneratedClientSecret(secret: string): boolean {
  return GENERATED_CLIENT_SECRET.test(secret) && hasValidChecksum(secret)
}

const GENERATED_CLIENT_SECRET = new RegExp(`^${CLIENT_SECRET_PREFIX}[\\w-]{49}$`)

/** Whether a token has the prefix of SCIM tokens, but was mistyped or truncated. */
export function isDamagedScimToken(token: string): boolean {
  return token.startsWith(SCIM_TOKEN_PREFIX) && !hasValidChecksum(token)
}

/** Digests an SDK key, for look-ups whose timing reveals nothing about existing keys, and for records of its use. */
export function digestSdkKey(key: string): string {
  return hash('sha256', key, 'base64')
}

/** Whether an SDK key has the form of the generated ones, but was mistyped or truncated. */
export function isDamagedSdkKey(key: string): boolean {
  return MARKED_SDK_KEY.test(key) && !hasValidChecksum(key)
}

const MARKED_SDK_KEY = new RegExp(`^(server|client|mobile)-${SDK_KEY_MARK}`)

const CHECKSUM_LENGTH = 6

function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = `${DIGITS.charAt(rest % DIGITS.length)}${digits}`
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
