import type { Ids } from '../id.ts'
import { makeQuickVerifier } from '../secrets/verifier.ts'

/** A new secret of a client, and what will be kept of it. */
export interface ClientSecret {
  readonly secret: string
  readonly secretVerifier: string
}

/** Makes a secret up. */
export function makeSecret(ids: Pick<Ids, 'secret'>): ClientSecret {
  const secret = ids.secret()
  return { secret, secretVerifier: makeQuickVerifier(secret) }
}
