import { createHash } from 'node:crypto'
import { jwtVerify } from 'jose'
import { unauthorized } from '../../lib/errors.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'
import { toIssuer } from '../oauth/toIssuer.ts'
import { createKeyResolver, describeTokenError, RETIRED_KEY, signToken } from './jwt.ts'

/** A stream token, and its digest for comparison. */
export interface StreamToken {
  readonly token: string
  readonly fingerprint: string
}

/** Short-lived tokens for stream URLs, which may appear in logs. Each represents an SDK key and opens streams only. */
export interface StreamTokens {
  /** Returns the token of a key: the same string for a whole period, on every server with the same signing keys. */
  readonly issue: (keyDigest: string) => StreamToken | Promise<StreamToken>
  /**
   * Returns the digest of the SDK key that a token represents. `isReconnect` accepts an expired token for a while, so
   * that a client can reconnect.
   * @throws {HttpError} 401 if the token is not valid.
   */
  readonly verify: (token: string, isReconnect: boolean) => Promise<string>
}

interface Dependencies {
  readonly keys: SigningKeys
  readonly now: () => number
  /** The public URL of the server, known once it listens. */
  readonly publicUrl: () => string
}

/** Issues and verifies stream tokens. */
export function createStreamTokens({ keys, now, publicUrl }: Dependencies): StreamTokens {
  const findKey = createKeyResolver(keys)
  const issued = new Map<string, StreamToken | Promise<StreamToken>>()
  let issuedFor = ''

  const sign = async (keyDigest: string, period: number): Promise<StreamToken> => {
    const issuer = toIssuer(publicUrl())
    const [iat, exp] = [period * PERIOD, (period + 2) * PERIOD]
    const token = await signToken(keys, { key: keyDigest, iss: issuer, aud: audienceOf(issuer), iat, exp }, TYPE)
    return { token, fingerprint: createHash('sha256').update(token).digest('base64url').slice(0, 8) }
  }

  return {
    issue: (keyDigest) => {
      const period = Math.floor(now() / 1000 / PERIOD)
      const cacheKey = `${period} ${keys.privateJwks[0]?.kid}`
      if (issuedFor !== cacheKey) issued.clear()
      issuedFor = cacheKey
      // Signing takes a millisecond, so tokens are cached per period.
      const known = issued.get(keyDigest)
      if (known !== undefined) return known
      const signing = sign(keyDigest, period)
      issued.set(keyDigest, signing)
      void signing.then(
        (token) => {
          if (issued.get(keyDigest) === signing) issued.set(keyDigest, token)
        },
        () => issued.delete(keyDigest)
      )
      return signing
    },
    verify: async (token, isReconnect) => {
      const issuer = toIssuer(publicUrl())
      const expected = {
        algorithms: ['RS256'],
        typ: TYPE,
        issuer,
        audience: audienceOf(issuer),
        requiredClaims: ['exp'],
        currentDate: new Date(now()),
        clockTolerance: isReconnect ? RESUME_TOLERANCE : 0
      }
      const { payload, protectedHeader } = await jwtVerify<{ key?: unknown }>(token, findKey, expected).catch(
        (error) => {
          throw unauthorized(describeTokenError(error, token, { iss: issuer, aud: audienceOf(issuer) }))
        }
      )
      const { iat = 0, exp = Number.POSITIVE_INFINITY } = payload
      if (keys.isRetiredBefore(protectedHeader.kid, iat)) throw unauthorized(`the token is not valid: ${RETIRED_KEY}`)
      if (exp - iat > 2 * PERIOD) throw unauthorized('the token is not valid: its lifetime is too long')
      if (typeof payload.key !== 'string') throw unauthorized('the token is not valid: it names no key')
      return payload.key
    }
  }
}

/** Differs from the audience of access tokens, so that neither kind is accepted in place of the other. */
const TYPE = 'burgee-stream+jwt'

function audienceOf(issuer: string): string {
  return `${issuer}event-stream`
}

/** The period of a token in seconds. It is valid until the end of the next period. */
const PERIOD = 3600

/** How long an expired token can be used to reconnect, in seconds. */
const RESUME_TOLERANCE = 24 * 3600
