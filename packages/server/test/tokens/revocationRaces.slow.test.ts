import { addAccounts, authorize, type Browser, exchangeCode, openBrowser, type Page } from '@burgee/testing/browser'
import { githubClaims, startCiIssuer } from '@burgee/testing/ciIssuer'
import { type ApiResponse, call, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashRandomSecret } from '../../src/identity/secrets/secretHash.ts'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'

// The clock of the server stands still: a token has the moment of the revocation, however they are ordered.

const PASSWORD = 'a quiet morning on the lake'
const SECRET = 'a-secret-of-many-characters'
const TOOLS = 'https://tools.example.com/mcp'
const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'

type Fields = Readonly<Record<string, string>>

let server: TestServer

beforeAll(async () => {
  const directory = await storeWith({})
  const secretVerifier = hashRandomSecret(SECRET)
  await addAccounts(directory, {
    people: [{ email: 'ada@example.com', name: 'Ada', password: PASSWORD }],
    clients: [
      { clientId: 'robot', name: 'Robot', redirectUris: [], secretVerifier },
      { clientId: 'tools', name: 'Tools', redirectUris: [], secretVerifier }
    ]
  })
  server = await serve(directory, {
    toolServers: [{ clientId: 'tools', address: TOOLS }],
    allowedPrivateTargets: parseAllowedDestinations('127.0.0.1') ?? []
  })
})

let moment = NOW
beforeEach(() => {
  moment += 10
  server.clock.now = () => moment
})

async function signIn(browser: Browser = openBrowser(server), parameters: Fields = {}): Promise<Page> {
  let page = await authorize(browser, parameters)
  const email = 'ada@example.com'
  if (String(page.body).includes('/login"')) page = await browser.submit(page, 'login', { email, password: PASSWORD })
  return page.location ? page : browser.submit(page, 'consent')
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

async function tokensOf(browser?: Browser, parameters: Fields = {}): Promise<Tokens> {
  const { status, body } = await exchangeCode(server, await signIn(browser, parameters))
  expect([status, body.error_description]).toEqual([200, undefined])
  return body
}

function ask(fields: Fields): Promise<ApiResponse> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return send(server, { method: 'POST', path: '/oauth/token', headers, body: new URLSearchParams(fields).toString() })
}

function refresh(refresh_token: string): Promise<ApiResponse> {
  return ask({ grant_type: 'refresh_token', client_id: 'app', refresh_token })
}

function robotToken(client_secret = SECRET): Promise<ApiResponse> {
  return ask({ grant_type: 'client_credentials', client_id: 'robot', client_secret })
}

async function toolToken(subject_token: string, client_secret = SECRET): Promise<string> {
  const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token'
  const client = { client_id: 'tools', client_secret }
  const { status, body } = await ask({ grant_type: GRANT, ...client, subject_token, subject_token_type })
  expect([status, body.error_description]).toEqual([200, undefined])
  return body.access_token
}

/** The status and message of a request with a token. */
async function use(token: string): Promise<readonly [number, string | undefined]> {
  const { status, body } = await send(server, { path: '/v1/organizations', headers: { authorization: token } })
  return [status, body.message]
}

const valid = [200, undefined]
const refused = (reason: string) => [401, `the token is not valid: ${reason}`]
const signedOut = refused('its holder was signed out')

async function idOfAda(): Promise<string> {
  const { body } = await call(server, 'listUsers')
  return body.find(({ email }: { readonly email: string }) => email === 'ada@example.com')._id
}

describe('a sign-out', () => {
  it('ends the tokens and codes of the same millisecond, and no later ones', async () => {
    const browser = openBrowser(server)
    const { access_token, refresh_token } = await tokensOf(browser)
    const subject = await tokensOf(undefined, { resource: TOOLS })
    const exchanged = await toolToken(subject.access_token)
    const page = await signIn(browser, { prompt: '' })
    const answer = await call(server, 'signOutEverywhere', { key: access_token })
    expect(answer.status).toBe(200)
    for (const token of [access_token, exchanged]) expect(await use(token)).toEqual(signedOut)
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    expect((await exchangeCode(server, page)).body.error).toBe('invalid_grant')
    expect((await authorize(browser, { prompt: 'none' })).location?.searchParams.get('error')).toBe('login_required')
    const later = await tokensOf(browser)
    expect(await use(later.access_token)).toEqual(valid)
    expect(await use((await refresh(later.refresh_token)).body.access_token)).toEqual(valid)
  })

  it.each(['by the person', 'by an administrator'])('%s leaves no token of concurrent requests', async (by) => {
    const user = await idOfAda()
    for (let round = 0; round < 4; round++) {
      moment += 1
      const browser = openBrowser(server)
      const { access_token, refresh_token } = await tokensOf(browser)
      const page = await signIn(browser, { prompt: '' })
      const ends = by === 'by the person'
      const [, , ...issued] = await Promise.all([
        ends
          ? call(server, 'signOutEverywhere', { key: access_token })
          : call(server, 'signOutUser', { params: { user } }),
        authorize(browser, { prompt: 'none' }),
        exchangeCode(server, page),
        refresh(refresh_token)
      ])
      for (const { body } of issued) {
        if (body.access_token === undefined) continue
        expect(await use(body.access_token)).toEqual(signedOut)
        expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant')
      }
      expect((await authorize(browser, { prompt: 'none' })).location?.searchParams.get('error')).toBe('login_required')
    }
  })

  it('ends tokens whose issue time is later, because the clock of the server was set back', async () => {
    const { access_token } = await tokensOf()
    moment -= 1
    await call(server, 'signOutUser', { params: { user: await idOfAda() } })
    expect(await use(access_token)).toEqual(signedOut)
    moment += 1
  })
})

describe('a revoked application', () => {
  it('keeps no token of the same millisecond, and can be allowed again', async () => {
    const browser = openBrowser(server)
    const { access_token, refresh_token } = await tokensOf(browser)
    const other = (await tokensOf()).access_token
    const answer = await call(server, 'revokeOwnApplication', { params: { client: 'app' }, key: access_token })
    expect(answer.status).toBe(200)
    for (const token of [access_token, other]) expect(await use(token)).toEqual(refused('it was revoked'))
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    expect((await authorize(browser, { prompt: 'none' })).location?.searchParams.get('error')).toBe('consent_required')
    expect(await use((await tokensOf(browser)).access_token)).toEqual(valid)
  })
})

describe('a client', () => {
  it('whose secret is replaced keeps no token of the same millisecond or of concurrent requests', async () => {
    let secret = SECRET
    for (let round = 0; round < 4; round++) {
      moment += 1
      const before = (await robotToken(secret)).body.access_token
      const [replaced, ...issued] = await Promise.all([
        call(server, 'rotateApiClientSecret', { params: { client: 'robot' } }),
        robotToken(secret),
        robotToken(secret),
        robotToken(secret)
      ])
      const tokens = [before, ...issued.flatMap(({ body }) => body.access_token ?? [])]
      for (const token of tokens) expect(await use(token)).toEqual(refused('the secret of its client was replaced'))
      secret = replaced.body.clientSecret
      expect(await use((await robotToken(secret)).body.access_token)).toEqual(valid)
    }
  })

  it('that exchanges tool tokens loses those of the same millisecond with its secret', async () => {
    const { access_token } = await tokensOf(undefined, { resource: TOOLS })
    const exchanged = await toolToken(access_token)
    const { body } = await call(server, 'rotateApiClientSecret', { params: { client: 'tools' } })
    expect(await use(exchanged)).toEqual(refused('the secret of its client was replaced'))
    expect(await use(await toolToken(access_token, body.clientSecret))).toEqual(valid)
  })

  it('whose consents no longer describe it keeps no token of the same millisecond', async () => {
    const { access_token, refresh_token } = await tokensOf()
    const redirectUris = ['https://app.example.com/callback', `https://app.example.com/${moment}`]
    const { status } = await call(server, 'updateApiClient', { params: { client: 'app' }, body: { redirectUris } })
    expect(status).toBe(200)
    expect(await use(access_token)).toEqual(refused('its client was changed'))
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    expect(await use((await tokensOf()).access_token)).toEqual(valid)
  })
})

describe('a trust that changes while a CI job exchanges its token', () => {
  it('ends the access token of the job', async () => {
    const issuer = await startCiIssuer()
    const audience = 'https://flags.example.com'
    const body = {
      key: 'deploy',
      name: 'Deploy',
      issuer: issuer.url,
      audience,
      conditions: [{ claim: 'repository_id', op: 'equals', value: '70107786' }],
      grants: { projects: ['shop'], role: 'publisher' }
    }
    expect((await call(server, 'createWorkloadTrust', { body })).status).toBe(201)
    const subject_token_type = 'urn:ietf:params:oauth:token-type:jwt'
    let keysAsked = () => {}
    const asked = new Promise<void>((resolve) => {
      keysAsked = resolve
    })
    let release = () => {}
    issuer.answer = (request, response) => {
      if (request.url !== '/keys') {
        response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }))
        return
      }
      release = () => response.end(JSON.stringify({ keys: issuer.keys }))
      keysAsked()
    }
    const subject_token = await issuer.sign(githubClaims(issuer, audience))
    const exchanging = ask({ grant_type: GRANT, subject_token, subject_token_type })
    await asked
    const changed = await call(server, 'updateWorkloadTrust', {
      params: { trust: 'deploy' },
      body: { enabled: true, audience: `${audience}/flags` }
    })
    expect(changed.status).toBe(200)
    release()
    const { status, body: issued } = await exchanging
    expect(status).toBe(200)
    const used = await send(server, { path: '/v1/projects/shop', headers: { authorization: issued.access_token } })
    expect([used.status, used.body.message]).toEqual(refused('its trust was changed'))
  })
})
