import { createHash } from 'node:crypto'
import { apiScopes, permissionsInScope } from '@burgee/contract'
import type { TokenSource } from '@burgee/contract/client'
import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { ClientSecretPost, type Configuration, genericGrantRequest } from 'openid-client'
import { z } from 'zod'
import type { ClientCredentials } from '../login/account.ts'
import { discover, toldBy } from '../login/discover.ts'
import type { Bearer } from './bearer.ts'
import { type Exchanged, exchangedTokens } from './exchangedTokens.ts'

interface Dependencies {
  /** Address of the Burgee server, without a slash at its end. */
  readonly apiUrl: string
  /** By which this tool server shows the Burgee server who it is. */
  readonly credentials: ClientCredentials
  /** Whom tokens have to be for: the address of the endpoint. */
  readonly resource: () => string
  readonly now: () => number
}

/** Finds out who holds a token of a Burgee server that runs elsewhere. */
export interface Bearers {
  /** Asks the Burgee server how it signs tokens, unless that was lately. @throws when it cannot be reached, or calls itself something else. */
  readonly prepare: () => Promise<void>
  /** @throws {OAuthError} when the token is good for nothing here. */
  readonly verify: (token: string) => Promise<Bearer>
}

/** Verifies access tokens (RFC 9068), and exchanges them for others (RFC 8693): the API is never shown one that is for us. */
export function createBearers({ apiUrl, credentials, resource, now }: Dependencies): Bearers {
  const { clientId, clientSecret } = credentials
  let known: Promise<Known> | undefined
  // Asked for when somebody first needs it, and again when that failed: the server can be down when this one starts.
  const prepared = () => {
    known ??= discover(apiUrl, clientId, ClientSecretPost(clientSecret)).then(toKnown)
    known.catch(() => {
      known = undefined
    })
    return known
  }
  const held = new Map<string, TokenSource>()

  /** The tokens that this one is exchanged for. */
  const tokensFor = (token: string): TokenSource => {
    const name = createHash('sha256').update(token).digest('base64url')
    const tokens =
      held.get(name) ?? exchangedTokens(async () => exchange(await prepared(), token, { apiUrl, now }), now)
    // The one that was not used for longest stands first.
    held.delete(name)
    held.set(name, tokens)
    const [oldest = name] = held.keys()
    if (held.size > MOST) held.delete(oldest)
    return tokens
  }

  return {
    prepare: async () => {
      const { findKey } = await prepared()
      if (!findKey.fresh) await findKey.reload()
    },
    verify: async (token) => {
      const { configuration, findKey } = await prepared()
      const { issuer } = configuration.serverMetadata()
      const { payload } = await jwtVerify(token, findKey, {
        algorithms: ['RS256'],
        typ: 'at+jwt',
        issuer,
        audience: resource(),
        requiredClaims: ['exp'],
        currentDate: new Date(now())
      }).catch((error) => {
        throw isAboutToken(error) ? invalid(error.message, error) : error
      })
      const { success, data } = Claims.safeParse(payload)
      if (!success) throw invalid('it does not say who may do what')
      return {
        id: data.sub,
        clientId: data.azp,
        scopes: [...(permissionsInScope(data.scope) ?? apiScopes)],
        expiresAt: data.exp,
        tokens: tokensFor(token)
      }
    }
  }
}

/** How many tokens are kept that others were exchanged for. */
const MOST = 1_000

interface Known {
  readonly configuration: Configuration
  readonly findKey: ReturnType<typeof createRemoteJWKSet>
}

function toKnown(configuration: Configuration): Known {
  const { jwks_uri: keys } = configuration.serverMetadata()
  if (keys === undefined) throw new Error('the Burgee server does not say where its keys are')
  return { configuration, findKey: createRemoteJWKSet(new URL(keys)) }
}

const Claims = z.object({ sub: z.string(), azp: z.string(), exp: z.number(), scope: z.string().optional() })

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

async function exchange(
  { configuration }: Known,
  token: string,
  { apiUrl, now }: Pick<Dependencies, 'apiUrl' | 'now'>
): Promise<Exchanged> {
  const asked = {
    subject_token: token,
    subject_token_type: ACCESS_TOKEN,
    requested_token_type: ACCESS_TOKEN,
    resource: configuration.serverMetadata().issuer
  }
  const granted = await genericGrantRequest(
    configuration,
    'urn:ietf:params:oauth:grant-type:token-exchange',
    asked
  ).catch((error) => {
    throw toldBy(error, apiUrl)
  })
  const { access_token, expires_in = 0 } = granted
  return { token: access_token, expiresAt: Math.floor(now() / 1000) + expires_in }
}

/** Whether it is the token that is wrong, and not how keys are come by. */
function isAboutToken(error: unknown): error is Error {
  const others: readonly string[] = [errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code]
  return error instanceof errors.JOSEError && !others.includes(error.code)
}

function invalid(why: string, cause?: unknown): OAuthError {
  return Object.assign(new OAuthError(OAuthErrorCode.InvalidToken, `the token is not valid: ${why}`), { cause })
}
