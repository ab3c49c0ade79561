import type { IdGenerator } from '../../lib/idGenerator.ts'
import { networkOf } from '../../lib/network.ts'
import type { Store } from '../../storage/store.ts'
import { createLimitedVerification } from './limitedVerification.ts'
import { createRecognizedSecrets } from './recognizedSecrets.ts'
import { isFastHash, type SecretHasher } from './secretHash.ts'

/** An attempt to authenticate with a secret. */
interface Attempt {
  readonly clientId: string
  /** The network address of the caller. Failed attempts from other networks do not lock a client out. */
  readonly address: string
  readonly secret: string
  /** The stored hash. If absent, verification fails and takes as long as for an existing client. */
  readonly verifier?: string | undefined
}

/** Returns whether a secret is correct. @throws {HttpError} 429 after too many failed attempts, or if too many wait. */
export type VerifyClientSecret = (attempt: Attempt) => Promise<boolean>

interface Dependencies {
  readonly store: Store
  readonly hasher: SecretHasher
  readonly ids: Pick<IdGenerator, 'bytes'>
}

/**
 * Creates the verification of client secrets. A correct generated secret is accepted at once: it cannot be guessed, so
 * failed attempts of others do not block it. Every other attempt takes the time of a slow hash and is counted, so that
 * neither time nor limits reveal which clients exist. A client that has authenticated from a network before is not
 * locked out by wrong secrets for other clients from that network. A hash with an outdated cost is replaced.
 */
export function createClientSecretVerifier({ store, hasher, ids }: Dependencies): VerifyClientSecret {
  const verifyLimited = createLimitedVerification(PER_NETWORK)
  const recognized = createRecognizedSecrets(ids)

  const replaceOutdated = async (clientId: string, secret: string, verifier: string): Promise<string> => {
    const secretVerifier = await hasher.hash(secret)
    return store.transaction(async (transaction) => {
      const client = await transaction.collection('clients').get({ clientId })
      if (client?.secretVerifier !== verifier) return verifier
      await transaction.collection('clients').update(client._id, { secretVerifier })
      return secretVerifier
    })
  }

  return async ({ clientId, address, secret, verifier }) => {
    const isGenerated = verifier !== undefined && isFastHash(verifier)
    if (isGenerated && (await hasher.verify(secret, verifier))) return true
    const slowHash = isGenerated ? undefined : verifier
    const network = networkOf(address)
    const attempt = { clientId, network, secret, verifier: slowHash ?? hasher.dummyHash }
    return verifyLimited({
      name: `client ${clientId.slice(0, 100)} from ${network}`,
      caller: network,
      group: { name: network, resetsOnSuccess: false },
      recognize: recognized.find(attempt),
      verify: async () => {
        const isCorrect = (await hasher.verify(secret, attempt.verifier)) && slowHash !== undefined
        if (!isCorrect) return false
        const isOutdated = hasher.isOutdated(slowHash)
        recognized.remember(
          isOutdated ? { ...attempt, verifier: await replaceOutdated(clientId, secret, slowHash) } : attempt
        )
        return true
      }
    })
  }
}

/** The number of wrong secrets per network and minute, across all clients: about ten seconds of derivations. */
const PER_NETWORK = 40
