import type { IdGenerator } from '../../lib/idGenerator.ts'
import { hashRandomSecret } from '../secrets/secretHash.ts'

/** A new secret of a client, and what will be kept of it. */
export interface ClientSecret {
  readonly secret: string
  readonly secretVerifier: string
}

/** Makes a secret up. */
export function generateClientSecret(ids: Pick<IdGenerator, 'secret'>): ClientSecret {
  const secret = ids.secret()
  return { secret, secretVerifier: hashRandomSecret(secret) }
}
