import { createHash } from 'node:crypto'
import { importJWK, jwtVerify, SignJWT } from 'jose'
import { unauthorized } from '../../lib/errors.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'
import { createKeyResolver, describeTokenError } from './accessTokenVerifier.ts'
import { toIssuer } from './toIssuer.ts'

/** A token, and what tells it from others without giving it away. */
export interface StreamToken {
  readonly token: string
  readonly fingerprint: string
}

/** Tokens for the URLs of streams, which can end up in logs: each stands for an SDK key, is good for streams only, and not for long. */
export interface StreamTokens {
  /** The token of a key: the same text for a whole period, on every server that has the same signing keys. */
  readonly issue: (keyDigest: string) => Promise<StreamToken>
  /**
   * The digest of the SDK key that a token stands for. One that has expired still holds for a while for somebody who
   * comes back to a stream that was cut.
   * @throws {ApiError} 401 when the token does not hold.
   */
  readonly verify: (token: string, isComingBack: boolean) => Promise<string>
}

interface Dependencies {
  readonly keys: SigningKeys
  readonly now: () => number
  /** The address under which callers reach the server; known once it listens. */
  readonly publicUrl: () => string
}

/** Makes and verifies the tokens of streams. */
export function createStreamTokens({ keys, now, publicUrl }: Dependencies): StreamTokens {
  const findKey = createKeyResolver(keys)
  const issued = new Map<string, Promise<StreamToken>>()
  let issuedIn = ''

  const sign = async (keyDigest: string, period: number): Promise<StreamToken> => {
    const [jwk] = keys.privateJwks
    if (!jwk) throw new Error('there is no signing key')
    const issuer = toIssuer(publicUrl())
    const token = await new SignJWT({ key: keyDigest })
      .setProtectedHeader({ alg: 'RS256', typ: TYPE, kid: jwk.kid })
      .setIssuer(issuer)
      .setAudience(audienceOf(issuer))
      .setIssuedAt(period * PERIOD)
      .setExpirationTime((period + 2) * PERIOD)
      .sign(await importJWK(jwk, 'RS256'))
    return { token, fingerprint: createHash('sha256').update(token).digest('base64url').slice(0, 8) }
  }

  return {
    issue: (keyDigest) => {
      const period = Math.floor(now() / 1000 / PERIOD)
      const stamp = `${period} ${keys.privateJwks[0]?.kid}`
      if (issuedIn !== stamp) issued.clear()
      issuedIn = stamp
      // Signing takes a millisecond, so it must not be part of every answer.
      const token = issued.get(keyDigest) ?? sign(keyDigest, period)
      issued.set(keyDigest, token)
      return token
    },
    verify: async (token, isComingBack) => {
      const issuer = toIssuer(publicUrl())
      const expected = {
        algorithms: ['RS256'],
        typ: TYPE,
        issuer,
        audience: audienceOf(issuer),
        requiredClaims: ['exp'],
        currentDate: new Date(now()),
        clockTolerance: isComingBack ? RESUME_TOLERANCE : 0
      }
      const { payload } = await jwtVerify<{ key?: unknown }>(token, findKey, expected).catch((error) => {
        throw unauthorized(describeTokenError(error, { iss: issuer, aud: audienceOf(issuer) }))
      })
      if (typeof payload.key !== 'string') throw unauthorized('the token is not valid: it names no key')
      return payload.key
    }
  }
}

/** Not that of access tokens: neither of the two kinds is ever taken for the other. */
const TYPE = 'burgee-stream+jwt'

function audienceOf(issuer: string): string {
  return `${issuer}event-stream`
}

/** For how long the same token is handed out, in seconds. It holds until the end of the next period. */
const PERIOD = 3600

/** How long after it has expired a token still brings back a reader whose stream was cut, in seconds. */
const RESUME_TOLERANCE = 24 * 3600
