import { createAuthenticator, type SoftwareAuthenticator } from '@burgee/testing/authenticator'
import {
  addAccounts,
  authorize,
  type Browser,
  exchangeCode,
  formOf,
  openBrowser,
  type Page,
  problemsOf,
  textOf
} from '@burgee/testing/browser'
import { call, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf } from '@burgee/testing/plan'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it, test } from 'vitest'

const PASSWORD = 'a quiet morning on the lake'

let server: TestServer
let ada: SoftwareAuthenticator
let eve: SoftwareAuthenticator
let adaKey: string

beforeAll(async () => {
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: ['ada', 'eve', 'bob', 'cyd'].map((name) => ({ email: `${name}@example.com`, password: PASSWORD }))
  })
  server = await serve(directory)
  ada = createAuthenticator(server.url)
  eve = createAuthenticator(server.url)
  adaKey = await signIn('ada')
  await register(adaKey, ada)
  await register(await signIn('eve'), eve)
})

async function enterPassword(name: string, browser: Browser): Promise<Page> {
  const fields = { email: `${name}@example.com`, password: PASSWORD }
  return browser.submit(await authorize(browser), 'login', fields)
}

async function finish(browser: Browser, page: Page): Promise<string> {
  const { body } = await exchangeCode(server, await browser.submit(page, 'consent'))
  return body.access_token
}

async function signIn(name: string): Promise<string> {
  const browser = openBrowser(server)
  return finish(browser, await enterPassword(name, browser))
}

/** The user handle of an account, as browsers send it. */
function handleOf(name: string): string {
  return Buffer.from(idOf(`${name}@example.com`)).toString('base64url')
}

async function register(key: string, authenticator: SoftwareAuthenticator, deviation = {}) {
  const { body: options } = await call(server, 'startPasskey', { key })
  const credential = authenticator.create(options.challenge, deviation) as never
  return call(server, 'addPasskey', { key, body: { name: 'Laptop', credential } })
}

/** Opens the passkey page of a new sign-in. */
async function openPasskeyPage(browser: Browser): Promise<Page> {
  const page = await authorize(browser)
  const [, address = ''] = /href="([^"]*\/passkey)"/.exec(page.body) ?? []
  return browser.get(address)
}

function challengeOf({ body }: Page): string {
  const [, options = ''] = /data-options="([^"]*)"/.exec(String(body)) ?? []
  return JSON.parse(textOf(options)).challenge
}

function titleOf({ body }: Page): string {
  return textOf(/<h1>(.*?)<\/h1>/s.exec(String(body))?.[1] ?? '')
}

function submit(browser: Browser, page: Page, credential: unknown): Promise<Page> {
  return browser.submit(page, 'assertion', { credential: JSON.stringify(credential) })
}

describe('a passkey', () => {
  it('signs in without a password, and counts as both factors', async () => {
    const browser = openBrowser(server)
    const page = await openPasskeyPage(browser)
    const token = await finish(browser, await submit(browser, page, ada.get(challengeOf(page))))
    expect(decodeJwt(token)).toMatchObject({ amr: ['swk', 'user', 'mfa'] })
    const { factors } = (await call(server, 'listSecondFactors', { key: token })).body
    expect(factors).toMatchObject([{ type: 'passkey', name: 'Laptop', lastUsedAt: expect.any(String) }])
    const { body } = await call(server, 'listAccessLog', { query: { kind: 'signIn' } })
    expect(body[0]).toMatchObject({ method: 'passkey', outcome: 'success', actor: 'person' })
  })

  it('signs in with the user handle of its holder', async () => {
    const browser = openBrowser(server)
    const page = await openPasskeyPage(browser)
    const response = ada.get(challengeOf(page), { userHandle: handleOf('ada') })
    expect(decodeJwt(await finish(browser, await submit(browser, page, response)))).toMatchObject({
      amr: ['swk', 'user', 'mfa']
    })
  })

  it('is offered as the second step after the password', async () => {
    const browser = openBrowser(server)
    const asked = await enterPassword('ada', browser)
    expect([titleOf(asked), formOf(asked, 'passkeyStep').hidden]).toMatchObject([
      'Second step',
      { ticket: expect.any(String) }
    ])
  })

  it('has a page with a script, which only this server can provide', async () => {
    const page = await openPasskeyPage(openBrowser(server))
    expect(page.headers['content-security-policy']).toMatch(/; script-src 'self'; form-action 'self'/)
    expect(page.body.match(/<script[^>]*>/g)).toEqual(['<script src="/oauth/passkey.js" defer>'])
    const script = await send(server, { path: '/oauth/passkey.js' })
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    const login = await authorize(openBrowser(server))
    expect([login.headers['content-security-policy'], login.body]).not.toContainEqual(expect.stringContaining('script'))
  })
})

describe('a sign-in by passkey is refused', () => {
  const attacks: Readonly<Record<string, (challenge: string) => unknown>> = {
    'from a page of another origin': (challenge) => ada.get(challenge, { origin: 'https://evil.example.com' }),
    'for another relying party': (challenge) => ada.get(challenge, { rpId: 'evil.example.com' }),
    'without verification of the user': (challenge) => ada.get(challenge, { isUserVerified: false }),
    'with another challenge': (challenge) => ada.get(challenge, { challenge: 'YW5vdGhlcg' }),
    'with a counter that was used': (challenge) => ada.get(challenge, { counter: 1 }),
    'with the key of another person': (challenge) => eve.get(challenge, { id: ada.id }),
    'with the user handle of another person': (challenge) => ada.get(challenge, { userHandle: handleOf('eve') }),
    'with an unknown passkey': (challenge) => createAuthenticator(server.url).get(challenge),
    'without a credential': () => 'nothing',
    'with members of other types': (challenge) => ({ ...ada.get(challenge), response: { clientDataJSON: 1 } })
  }
  test.each(Object.entries(attacks))('%s', async (_, attack) => {
    const browser = openBrowser(server)
    const page = await openPasskeyPage(browser)
    const refused = await submit(browser, page, attack(challengeOf(page)))
    expect([refused.status, problemsOf(refused)]).toEqual([422, 'This passkey was not accepted. Try again.'])
    expect((await authorize(browser, { prompt: 'none' })).location?.searchParams.get('error')).toBe('login_required')
  })

  it('with a response that was used, or that belongs to another sign-in', async () => {
    const browser = openBrowser(server)
    const page = await openPasskeyPage(browser)
    const response = ada.get(challengeOf(page))
    const other = openBrowser(server)
    expect((await submit(other, await openPasskeyPage(other), response)).status).toBe(422)
    expect((await submit(browser, page, response)).status).toBe(200)
    expect((await submit(browser, page, response)).status).not.toBe(200)
  })

  it('after 60 were started in a minute from a network', async () => {
    const browser = openBrowser(server)
    const { path } = await openPasskeyPage(browser)
    const values = browser.values()
    const cookies = browser.cookies().map((name, index) => `${name}=${values[index]}`)
    const headers = { accept: 'text/html', cookie: cookies.join('; ') }
    const again = () => send(server, { path, headers, localAddress: '127.0.3.1' })
    const statuses: number[] = []
    for (let count = 0; count < 60; count++) statuses.push((await again()).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const refused = await again()
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect(textOf(String(refused.body))).toContain('Too many sign-ins by passkey (limit: 60 per minute)')
  })

  it('after ten minutes', async () => {
    const browser = openBrowser(server)
    const page = await openPasskeyPage(browser)
    const before = server.clock.now()
    server.clock.now = () => before + 601_000
    const late = await submit(browser, page, ada.get(challengeOf(page)))
    server.clock.now = () => before
    expect(late.status).toBe(422)
  })
})

describe('adding a passkey is refused', () => {
  it.each([
    ['from a page of another origin', { origin: 'https://evil.example.com' }, 400],
    ['for another relying party', { rpId: 'evil.example.com' }, 400],
    ['without verification of the user', { isUserVerified: false }, 400],
    ['with another challenge', { challenge: 'YW5vdGhlcg' }, 400]
  ])('%s', async (_, deviation, expected) => {
    const { status, body } = await register(await signIn('bob'), createAuthenticator(server.url), deviation)
    expect([status, String(body.message)]).toEqual([expected, expect.stringContaining('credential is not valid')])
  })

  it('with contents that cannot be read, without internals in the message', async () => {
    const key = await signIn('bob')
    const { body: options } = await call(server, 'startPasskey', { key })
    const credential = createAuthenticator(server.url).create(options.challenge) as never as Record<string, object>
    const damaged = { ...credential, response: { ...credential.response, attestationObject: 'AA' } }
    const { status, body } = await call(server, 'addPasskey', { key, body: { name: 'Laptop', credential: damaged } })
    expect([status, body.message]).toEqual([
      400,
      [
        `credential is not valid: it should be the response to the options of this server, created on a page of ${server.url} with verification of the user`
      ]
    ])
  })

  it('twice, and without a new challenge', async () => {
    const key = await signIn('bob')
    const taken = await register(key, eve)
    expect([taken.status, taken.body.message]).toEqual([412, expect.stringContaining('already registered')])
    const authenticator = createAuthenticator(server.url)
    const { body: options } = await call(server, 'startPasskey', { key })
    const body = { credential: authenticator.create(options.challenge) as never }
    expect((await call(server, 'addPasskey', { key, body })).status).toBe(201)
    const again = await call(server, 'addPasskey', { key: await signIn('cyd'), body })
    expect([again.status, again.body.message]).toEqual([412, expect.stringContaining('there is no challenge')])
  })
})

describe('the account page', () => {
  it('signs people in, and adds and removes second factors', async () => {
    const browser = openBrowser(server)
    const login = await browser.get('/oauth/account')
    expect(textOf(login.body)).toContain('to continue to Your account')
    const page = await browser.submit(login, 'login', { email: 'cyd@example.com', password: PASSWORD })
    expect([page.status, page.path, titleOf(page)]).toEqual([200, '/oauth/account', 'Your account'])
    const adding = await browser.get('/oauth/account/passkey')
    expect(adding.headers['content-security-policy']).toContain("script-src 'self'")
    const cyd = createAuthenticator(server.url)
    const credential = JSON.stringify(cyd.create(challengeOf(adding)))
    const added = await browser.submit(adding, 'addPasskey', { credential })
    expect([added.status, titleOf(added), added.body.match(/<li>/g)]).toMatchObject([
      200,
      'Your recovery codes',
      { length: 10 }
    ])
    // The sign-in before had no second factor, so the page asks for another.
    const again = await browser.get('/oauth/account')
    expect(titleOf(again)).toBe('Sign in')
    const [, address = ''] = /href="([^"]*\/passkey)"/.exec(again.body) ?? []
    const passkeyPage = await browser.get(address)
    const listed = await submit(browser, passkeyPage, cyd.get(challengeOf(passkeyPage)))
    expect(textOf(listed.body)).toContain('Remove Passkey')
    const app = await browser.submit(listed, 'app')
    const wrong = await browser.submit(app, 'confirm', { code: '000000' })
    const keyOf = ({ body }: Page) => /<dd class="key">(.*?)<\/dd>/.exec(body)?.[1]
    expect([wrong.status, keyOf(wrong)]).toEqual([422, keyOf(app)])
    expect(
      (await browser.submit({ ...listed, body: listed.body.replace(/name="csrf" value="./g, '$&x') }, 'remove')).status
    ).toBe(403)
    const left = await browser.submit(listed, 'remove')
    expect(textOf(left.body)).not.toContain('Remove Passkey')
  })
})
