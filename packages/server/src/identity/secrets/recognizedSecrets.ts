import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { setWithinLimit } from '../../lib/object.ts'

/** An attempt of a client from a network, and the stored hash of the secret. */
interface Attempt {
  readonly clientId: string
  readonly network: string
  readonly secret: string
  readonly verifier: string
}

/**
 * Recognizes secrets that were correct before, by client and network, without a slow hash. It is kept in the memory of
 * one process: after a restart, each secret must be verified again first.
 */
export interface RecognizedSecrets {
  readonly remember: (attempt: Attempt) => void
  /** Returns a comparison for a client that has authenticated from this network with its current secret. */
  readonly find: (attempt: Attempt) => (() => boolean) | undefined
}

/** Creates the in-memory set of HMACs of secrets, with a random key. */
export function createRecognizedSecrets({ bytes }: Pick<IdGenerator, 'bytes'>): RecognizedSecrets {
  const key = bytes(32)
  const known = new Map<string, { readonly verifier: string; readonly digest: Buffer }>()
  const digestOf = (secret: string) => createHmac('sha256', key).update(secret).digest()
  const nameOf = ({ clientId, network }: Attempt) => JSON.stringify([clientId, network])
  return {
    remember: (attempt) => {
      const name = nameOf(attempt)
      known.delete(name)
      setWithinLimit(known, MAX_KNOWN, name, { verifier: attempt.verifier, digest: digestOf(attempt.secret) })
    },
    find: (attempt) => {
      const { verifier, digest } = known.get(nameOf(attempt)) ?? {}
      if (digest === undefined || verifier !== attempt.verifier) return undefined
      return () => timingSafeEqual(digest, digestOf(attempt.secret))
    }
  }
}

/** The number of pairs of client and network to remember. Only correct secrets add one. */
const MAX_KNOWN = 1000
