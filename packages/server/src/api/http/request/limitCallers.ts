import { createHash } from 'node:crypto'
import type { AccessTokenVerifier } from '../../../identity/tokens/accessTokenVerifier.ts'
import type { RateLimit } from '../../../lib/limits/rateLimiter.ts'
import { setWithinLimit } from '../../../lib/object.ts'

/**
 * Counts the requests of the holder of an access token, whichever token it uses. A token that was valid before is
 * counted before it is verified again, so that refused requests cost neither a signature nor a read of the store. Other
 * texts are not counted: nobody can use up the limit of another caller.
 */
export function limitCallers({ verify }: Pick<AccessTokenVerifier, 'verify'>, limit: RateLimit): CallerVerifier {
  /** The holders of valid tokens, by the digest of the token, in the order of their first use. */
  const holders = new Map<string, string>()
  return {
    count: limit,
    verify: async (token, address) => {
      const digest = createHash('sha256').update(token).digest('base64url')
      const known = holders.get(digest)
      if (known !== undefined) {
        await limit(known)
        return verify(token, address)
      }
      const identity = await verify(token, address)
      setWithinLimit(holders, MAX_TOKENS, digest, identity.id)
      await limit(identity.id)
      return identity
    }
  }
}

/** Verifies access tokens, and counts the requests of their holders. */
export interface CallerVerifier extends Pick<AccessTokenVerifier, 'verify'> {
  /** Counts a request of a holder that was authenticated otherwise. @throws {HttpError} 429 */
  readonly count: (id: string) => Promise<void>
}

const MAX_TOKENS = 10_000
