import type { Ids } from '../id.ts'
import { makeVerifier } from '../secrets/verifier.ts'

/** A new secret of a client, and what will be kept of it. */
export interface ClientSecret {
  readonly secret: string
  readonly secretVerifier: string
}

/** Makes a secret up. That takes a while: do it before the edit, so that no writer waits for it. */
export async function makeSecret(ids: Pick<Ids, 'secret'>): Promise<ClientSecret> {
  const secret = ids.secret()
  return { secret, secretVerifier: await makeVerifier(secret) }
}
