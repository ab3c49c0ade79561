import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { omitUndefined } from '@burgee/kit'
import { addCleanup } from '@burgee/testing/cleanup'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { pino } from 'pino'
import { vi } from 'vitest'
import type { Options } from '../../../src/cli/options.ts'
import { loadOidcProvider } from '../../../src/identity/provider/loadOidcProvider.ts'

/** A local address whose handler can be replaced. */
export interface Address {
  readonly url: string
  readonly port: number
  /** Replaces the handler. */
  readonly put: (listener: RequestListener) => void
}

/** Listens on a port. */
export async function openAddress(port = 0): Promise<Address> {
  let listener: RequestListener = (_, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  addCleanup(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    put: (next) => {
      listener = next
    }
  }
}

/** The settings of a server with sign-in through the provider at this address. */
export function upstreamOptions({ url }: Pick<Address, 'url'>): Partial<Options> {
  return { oidcIssuer: url, oidcClientId: 'burgee', oidcClientSecret: SECRET, oidcName: 'Example Login' }
}

const SECRET = 'what-burgee-says-to-the-provider'

/** Shared by the providers of a file, because creating it takes long. */
let keyPair: ReturnType<typeof generateKeyPair> | undefined

/** The optional capabilities of a provider. */
export interface ProviderOptions {
  readonly hasRefreshTokens?: boolean
  /** Where it sends logout tokens. */
  readonly backchannelLogoutUri?: string
}

/** A real OpenID provider that signs everyone in with the given claims, without interaction. */
export async function serveProvider(
  place: Address,
  redirectUri: string,
  { hasRefreshTokens = false, backchannelLogoutUri }: ProviderOptions = {}
) {
  const disabled = new Set<string>()
  const requests: string[] = []
  let sid: string | undefined
  let down: RegExp | undefined
  let held: Promise<void> | undefined
  let person: Readonly<Record<string, unknown>> & { readonly sub: string } = { sub: 'nobody' }
  const { Provider } = await loadOidcProvider(pino({ level: 'silent' }))
  keyPair ??= generateKeyPair('RS256', { extractable: true })
  const { privateKey } = await keyPair
  // It warns about its store in memory, which tests want.
  const warning = vi.spyOn(console, 'warn').mockReturnValue()
  const provider = new Provider(place.url, {
    clients: [
      {
        client_id: 'burgee',
        client_secret: SECRET,
        redirect_uris: [redirectUri],
        ...(hasRefreshTokens ? { grant_types: ['authorization_code', 'refresh_token'] } : {}),
        ...(backchannelLogoutUri
          ? { backchannel_logout_uri: backchannelLogoutUri, backchannel_logout_session_required: true }
          : {})
      }
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'upstream', use: 'sig' } as never] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub', 'oid'], profile: ['name', 'groups', 'amr'], email: ['email', 'email_verified'] },
    findAccount: (_, id) => (disabled.has(id) ? undefined : { accountId: id, claims: () => ({ ...person, sub: id }) }),
    issueRefreshToken: async () => hasRefreshTokens,
    rotateRefreshToken: true,
    // Without the default one, which refuses loopback addresses.
    fetch: (url, options) => fetch(url, omitUndefined({ ...options, dispatcher: undefined }) as RequestInit),
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: backchannelLogoutUri !== undefined }
    },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      Grant: 60,
      IdToken: 60,
      Interaction: 60,
      RefreshToken: 600,
      Session: 60
    },
    interactions: { url: (_, { uid }) => `/let-in/${uid}` }
  })
  warning.mockRestore()
  provider.on('grant.success', ({ oidc }) => {
    sid = oidc.entities.AuthorizationCode?.sid ?? sid
  })
  const answer = provider.callback()
  place.put(async (request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    if (down?.test(request.url ?? '')) return void response.writeHead(503).end()
    await held
    if (!request.url?.startsWith('/let-in/')) return answer(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: person.sub, clientId: 'burgee' })
    grant.addOIDCScope(String(params.scope))
    const result = { login: { accountId: person.sub }, consent: { grantId: await grant.save() } }
    await provider.interactionFinished(request, response, result)
  })
  return {
    letIn: (next: typeof person) => {
      person = next
    },
    /** Disables an account. */
    disable: (subject: string) => void disabled.add(subject),
    /** Answers 503 to requests for these paths, or works again. */
    setDown: (paths: RegExp | undefined) => {
      down = paths
    },
    /** Delays all responses until this resolves. */
    hold: (until: Promise<void>) => {
      held = until
    },
    /** The requests since the last call, for example `POST /token`. */
    takeRequests: () => requests.splice(0),
    /** The `sid` of the last sign-in. */
    sid: () => sid,
    /** Ends the session of the last sign-in, and notifies its clients. */
    signOut: async () => {
      const client = await provider.Client.find('burgee')
      if (!client || sid === undefined) throw new Error('nobody has signed in')
      await (client as unknown as LogoutClient).backchannelLogout(person.sub, sid)
    },
    /** Signs claims with the key of the provider. */
    sign: (claims: JWTPayload, header: Readonly<Record<string, unknown>> = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'upstream', ...header }).sign(privateKey)
  }
}

/** A client of the provider; the types of `oidc-provider` lack the method. */
interface LogoutClient {
  readonly backchannelLogout: (sub: string, sid: string) => Promise<void>
}

/** Signs in at a provider with a new browser; returns the redirect URL, relative to the server. */
export async function signInUpstream(start: URL): Promise<string> {
  const cookies = new Map<string, string>()
  let address = start
  while (address.origin === start.origin) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie, accept: 'text/html' } })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    address = new URL(location, address)
  }
  return `${address.pathname}${address.search}`
}

/** The possible falsifications of a provider. */
export interface Misbehavior {
  /** Replace the true claims. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Signs the ID token instead of the provider's key; `missing` omits the token. */
  /** Members of the header of the ID token. */
  readonly header?: Readonly<Record<string, unknown>>
  readonly signedWith?: 'another key' | 'the secret' | 'nothing' | 'missing'
}

/** A provider with falsified responses; it has a user info endpoint if there is `more`. */
export async function serveMisbehavingProvider(place: Address, more?: Readonly<Record<string, unknown>>) {
  const keys = await Promise.all([generateKeyPair('RS256', { extractable: true }), generateKeyPair('RS256')])
  const [known, unknown] = keys
  const jwk: JWK = { ...(await exportJWK(known.publicKey)), kid: 'known', alg: 'RS256', use: 'sig' }
  let lie: Misbehavior = {}
  let nonce = ''
  const idToken = () => {
    const seconds = Math.floor(Date.now() / 1000)
    const honest = { iss: place.url, aud: 'burgee', sub: 'ada', iat: seconds, exp: seconds + 60, nonce }
    const claims = { ...honest, email: 'ada@example.com', ...lie.claims }
    if (lie.signedWith === 'nothing') return new UnsecuredJWT(claims).encode()
    const signed = new SignJWT(claims)
    if (lie.signedWith === 'the secret') {
      return signed.setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET))
    }
    const { privateKey } = lie.signedWith === 'another key' ? unknown : known
    return signed.setProtectedHeader({ alg: 'RS256', kid: 'known', ...lie.header }).sign(privateKey)
  }
  place.put(async (request, response) => {
    const answers: Readonly<Record<string, () => unknown>> = {
      '/.well-known/openid-configuration': () => ({
        issuer: place.url,
        authorization_endpoint: `${place.url}/authorize`,
        token_endpoint: `${place.url}/token`,
        jwks_uri: `${place.url}/jwks`,
        ...(more ? { userinfo_endpoint: `${place.url}/userinfo` } : {}),
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256']
      }),
      '/jwks': () => ({ keys: [jwk] }),
      '/userinfo': () => more && { sub: 'ada', ...more },
      '/token': async () => ({
        access_token: 'opaque',
        token_type: 'Bearer',
        ...(lie.signedWith === 'missing' ? {} : { id_token: await idToken() })
      })
    }
    const body = await answers[request.url ?? '']?.()
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
  })
  return {
    /** Redirects the browser that was sent to this URL, with a falsification. */
    redirectTo: (sentTo: URL | undefined, next: Misbehavior = {}): string => {
      lie = next
      nonce = sentTo?.searchParams.get('nonce') ?? ''
      return `/oauth/callback?code=a-code&state=${sentTo?.searchParams.get('state')}`
    }
  }
}
