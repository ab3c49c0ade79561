import type { IdGenerator } from '../../lib/idGenerator.ts'
import { hashRandomSecret } from '../secrets/secretHash.ts'

/** A new client secret and its stored hash. */
export interface ClientSecret {
  readonly secret: string
  readonly secretVerifier: string
}

/** Generates a client secret. */
export function generateClientSecret(ids: Pick<IdGenerator, 'secret'>): ClientSecret {
  const secret = ids.secret()
  return { secret, secretVerifier: hashRandomSecret(secret) }
}
