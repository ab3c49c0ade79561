import { createLimitedVerification } from './limitedVerification.ts'
import { DUMMY_HASH, isFastHash, verifySecret } from './secretHash.ts'

/** An attempt to authenticate with a secret. */
interface Attempt {
  readonly clientId: string
  /** The network address of the caller. Failed attempts from other addresses do not lock a client out. */
  readonly address: string
  readonly secret: string
  /** The stored hash. If absent, verification fails and takes as long as for an existing client. */
  readonly verifier?: string | undefined
}

/** Returns whether a secret is correct. @throws {HttpError} 429 after too many failed attempts, or if too many wait. */
export type VerifyClientSecret = (attempt: Attempt) => Promise<boolean>

/**
 * Creates the verification of client secrets. A correct generated secret is accepted at once: it cannot be guessed, so
 * failed attempts of others do not block it. Every other attempt takes the time of a slow hash and is counted, so that
 * neither time nor limits reveal which clients exist.
 */
export function createClientSecretVerifier(): VerifyClientSecret {
  const verifyLimited = createLimitedVerification()
  return async ({ clientId, address, secret, verifier }) => {
    const isGenerated = verifier !== undefined && isFastHash(verifier)
    if (isGenerated && (await verifySecret(secret, verifier))) return true
    const slowHash = isGenerated ? undefined : verifier
    return verifyLimited({
      name: `client ${clientId.slice(0, 100)} from ${address}`,
      group: { name: address, resetsOnSuccess: false },
      verify: async () => (await verifySecret(secret, slowHash ?? DUMMY_HASH)) && slowHash !== undefined
    })
  }
}
