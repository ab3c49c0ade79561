import { createHmac, timingSafeEqual } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { deriveSecrets } from '../keys/deriveSecrets.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'

/**
 * Signs and encrypts values that the server sends out and receives back. Servers that share signing keys accept each
 * other's values.
 */
export interface LoginSecrets {
  /** Creates a form token for one use. */
  readonly createCsrfToken: (use: string) => string
  readonly isCsrfToken: (text: string, use: string) => boolean
  /** Encrypts a value for this many seconds, so that only this server can read it. */
  readonly seal: (purpose: string, contents: Readonly<Record<string, unknown>>, seconds: number) => Promise<string>
  /** Decrypts a value. Returns undefined if it was not sealed by this server for this purpose, or has expired. */
  readonly open: (purpose: string, sealed: string) => Promise<Readonly<Record<string, unknown>> | undefined>
}

interface Dependencies {
  readonly keys: Pick<SigningKeys, 'privateJwks'>
  readonly now: () => number
}

/** Derives the secrets from the signing keys. Values remain valid as long as the key they were created with is kept. */
export function createLoginSecrets({ keys, now }: Dependencies): LoginSecrets {
  const keysFor = (purpose: string) => deriveSecrets(keys, `sign-in ${purpose}`)
  return {
    createCsrfToken: (use) => {
      const [key] = keysFor(CSRF_PURPOSE)
      return hmac(key, use).toString('base64url')
    },
    isCsrfToken: (text, use) => {
      const given = Buffer.from(text, 'base64url')
      return keysFor(CSRF_PURPOSE).some((key) => {
        const expected = hmac(key, use)
        return given.length === expected.length && timingSafeEqual(given, expected)
      })
    },
    seal: (purpose, contents, seconds) => {
      const [key] = keysFor(purpose)
      const expiresAt = Math.floor(now() / 1000) + seconds
      return new EncryptJWT({ ...contents }).setProtectedHeader(HEADER).setExpirationTime(expiresAt).encrypt(key)
    },
    open: async (purpose, sealed) => {
      const expected = {
        keyManagementAlgorithms: [HEADER.alg],
        contentEncryptionAlgorithms: [HEADER.enc],
        requiredClaims: ['exp'],
        currentDate: new Date(now())
      }
      for (const key of keysFor(purpose)) {
        const opened = await jwtDecrypt(sealed, key, expected).catch(() => undefined)
        if (opened) return opened.payload
      }
      return undefined
    }
  }
}

const CSRF_PURPOSE = 'form'
const HEADER = { alg: 'dir', enc: 'A256GCM' } as const

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
