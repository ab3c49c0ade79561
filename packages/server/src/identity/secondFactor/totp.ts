import { Secret, TOTP } from 'otpauth'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { SECOND } from '../../lib/time.ts'

/** Generates the key of an authenticator app: 20 bytes in Base32, as RFC 4226 §4 recommends. */
export function createTotpSecret({ bytes }: Pick<IdGenerator, 'bytes'>): string {
  // A copy, because small buffers share their memory.
  return new Secret({ buffer: Uint8Array.from(bytes(KEY_BYTES)).buffer }).base32
}

/** Formats a key as the URI that authenticator apps read. */
export function formatTotpUri(secret: string, { email }: { readonly email: string }): string {
  return new TOTP({ ...PARAMETERS, issuer: 'Burgee', label: email, secret }).toString()
}

/** Returns the time step that a code belongs to: the current, the previous or the next one. */
export function findTimeStep(secret: string, code: string, now: number): number | undefined {
  const delta = new TOTP({ ...PARAMETERS, secret }).validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? undefined : Math.floor(now / (PARAMETERS.period * SECOND)) + delta
}

const KEY_BYTES = 20

/** The parameters that all authenticator apps support. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
