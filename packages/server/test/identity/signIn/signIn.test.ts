import {
  addAccounts,
  authorize,
  type Browser,
  exchangeCode,
  formOf,
  openBrowser,
  type Page,
  problemsOf,
  REDIRECT_URI,
  textOf
} from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { DAY, idOf, NOW } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSecretHasher } from '../../../src/identity/secrets/secretHash.ts'
import { randomIdGenerator } from '../../../src/lib/idGenerator.ts'

const PASSWORD = 'a quiet morning on the lake'
const OTHER = 'seven herons over the mill'
const EVIL = `<img src=x onerror=alert(1)>"'&`

let server: TestServer
let browser: Browser

beforeAll(async () => {
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: [
      { email: 'ada@example.com', name: 'Ada', password: PASSWORD },
      { email: 'bob@example.com', name: 'Bob', password: PASSWORD },
      { email: 'disabled@example.com', password: PASSWORD, isDisabled: true },
      { email: 'elsewhere@example.com' },
      { email: 'new@example.com', password: PASSWORD, mustChangePassword: true },
      { email: 'newer@example.com', password: PASSWORD, mustChangePassword: true },
      { email: 'evil@example.com', name: EVIL, password: PASSWORD }
    ],
    clients: [
      { clientId: 'evil', name: EVIL },
      { clientId: 'stranger', name: 'Stranger', isDynamic: true },
      { clientId: 'nameless', name: '\u200b\u2060\u3164' },
      { clientId: 'helper', name: 'Helper', isAssistant: true, permissions: ['feature:read', 'feature:write'] }
    ]
  })
  server = await serve(directory)
})

beforeEach(() => {
  browser = openBrowser(server)
})

function signIn(page: Page, email = 'ada@example.com', password = PASSWORD, at = browser): Promise<Page> {
  return at.submit(page, 'login', { email, password })
}

/** Expects everything that all pages have in common. */
function expectPage({ status, headers, body }: ApiResponse, expected: number, title: string): void {
  expect(textOf(/<h1>(.*?)<\/h1>/s.exec(body)?.[1] ?? '')).toBe(title)
  expect(status).toBe(expected)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  const policy = headers['content-security-policy']
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self'/)
  expect(policy).toMatch(/; frame-ancestors 'none'; base-uri 'none'$/)
  expect(headers).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin'
  })
  expect(headers['access-control-allow-origin']).toBeUndefined()
  expect(body).toMatch(/^<!doctype html>\n<html lang="en">/)
  expect(body).not.toMatch(/<script|<img|<link|javascript:|<[^>]* on\w+=|<(?!meta|a )[^>]*https?:/)
}

describe('signing in', () => {
  it('redirects from the application to the pages and back, with a code for a token of the user', async () => {
    const page = await authorize(browser)
    expectPage(page, 200, 'Sign in')
    expect(textOf(page.body)).toContain('to continue to The App')
    const asked = await signIn(page)
    expectPage(asked, 200, 'Allow access?')
    expect(textOf(asked.body)).toMatch(/The App wants to act in Burgee for you, Ada \(ada@example\.com\)/)
    expect(textOf(asked.body)).toContain('app.example.com')
    const { location, ...back } = await browser.submit(asked, 'consent')
    expect(`${location?.origin}${location?.pathname}`).toBe(REDIRECT_URI)
    expect(Object.fromEntries(location?.searchParams ?? [])).toEqual({
      code: expect.any(String),
      state: 'the-state',
      iss: `${server.url}/`
    })
    const { status, body } = await exchangeCode(server, { location, ...back } as Page)
    expect(status).toBe(200)
    const user = await call(server, 'listFeatures', { params: { project: 'shop' }, key: body.access_token })
    expect(user.status).toBe(200)
  })

  it('redirects at once for a user with a session and consent', async () => {
    await browser.submit(await signIn(await authorize(browser)), 'consent')
    const { location } = await authorize(browser, { prompt: '' })
    expect(location?.searchParams.get('code')).toEqual(expect.any(String))
  })

  it('ends a form submission at a page that redirects by itself', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }
    const fields = { email: 'ada@example.com', password: PASSWORD }
    const page = await browser.submit(await authorize(browser), 'login', fields, headers)
    expectPage(page, 200, 'One moment')
    const [, next = ''] = /<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(page.body) ?? []
    const { pathname } = new URL(textOf(next))
    expect(pathname).toMatch(/^\/oauth\/authorize\/[\w-]+$/)
    expectPage(await browser.get(pathname), 200, 'Allow access?')
  })

  it('accepts an email address in any case and with surrounding spaces', async () => {
    expectPage(await signIn(await authorize(browser), '  ADA@Example.COM '), 200, 'Allow access?')
  })

  it('stores the time of the last sign-in', async () => {
    await signIn(await authorize(browser), 'bob@example.com')
    const { body } = await call(server, 'listUsers')
    const find = (email: string) => body.find((user: { email: string }) => user.email === email)
    expect(find('bob@example.com').lastLoginAt).toBe(new Date(NOW).toISOString())
    expect(find('disabled@example.com').lastLoginAt).toBeUndefined()
  })

  it('prefills the login_hint', async () => {
    const page = await authorize(browser, { login_hint: EVIL })
    expect(formOf(page, 'login').hidden.email).toBe(EVIL)
    expect(page.body).not.toContain('<img')
  })

  it('redirects with access_denied when the user cancels', async () => {
    const { location } = await browser.submit(await authorize(browser), 'abort')
    expect(location?.searchParams.get('error')).toBe('access_denied')
    expect(location?.searchParams.get('state')).toBe('the-state')
    expect(location?.searchParams.get('iss')).toBe(`${server.url}/`)
  })

  it('replaces the session of another user', async () => {
    await browser.submit(await signIn(await authorize(browser)), 'consent')
    const asked = await signIn(await authorize(browser, { prompt: 'login consent' }), 'bob@example.com')
    expectPage(asked, 200, 'Allow access?')
    expect(textOf(asked.body)).toContain('Bob (bob@example.com)')
  })
})

describe('a failed sign-in', () => {
  const wrong = {
    'a wrong password': ['ada@example.com', OTHER],
    'an empty password': ['ada@example.com', ''],
    'an unknown address': ['nobody@example.com', PASSWORD],
    'no address at all': ['', PASSWORD],
    'a disabled user': ['disabled@example.com', PASSWORD],
    'a user of the identity provider': ['elsewhere@example.com', PASSWORD]
  } as const

  it.each(Object.entries(wrong))('with %s shows the same message', async (_, [email, password]) => {
    const page = await signIn(await authorize(browser), email, password)
    expectPage(page, 422, 'Sign in')
    expect(problemsOf(page)).toBe('The e-mail address or the password is wrong.')
    expect(page.body).toMatch(/<input id="password"[^>]* aria-invalid="true" aria-describedby="problem"/)
    expect(page.body).not.toContain(OTHER)
    // Except for CSRF tokens and the address, all users see the same page.
    const bare = (body: string) => body.replaceAll(/(value|action|href)="[^"]*"| autofocus/g, '')
    expect(bare(page.body)).toBe(bare((await signIn(await authorize(browser), 'no@example.com', OTHER)).body))
  })

  it('takes the same time for unknown and known addresses', async () => {
    // Real hashes, about ten times as slow as the rest of a request.
    const hashCost = { log2N: 14, r: 8, p: 1 }
    const passwordVerifier = await createSecretHasher(hashCost, randomIdGenerator).hash(PASSWORD)
    const directory = await storeWith({})
    await addAccounts(directory, { people: [{ email: 'known@example.com', passwordVerifier }] })
    const visitor = openBrowser(await serve(directory, {}, NOW, { hashCost }))
    const page = await authorize(visitor)
    const timeOf = async (email: string) => {
      const times: number[] = []
      for (let round = 0; round < 3; round++) {
        const begun = performance.now()
        await signIn(page, email, OTHER, visitor)
        times.push(performance.now() - begun)
      }
      return Math.min(...times)
    }
    const [known, unknown] = [await timeOf('known@example.com'), await timeOf('unknown@example.com')]
    // The hash takes most of the time: if one case skipped it, its time would be a tenth of the other.
    expect(unknown).toBeGreaterThan(known / 4)
    expect(known).toBeGreaterThan(unknown / 4)
  })

  it('is logged without the password and the email address', async () => {
    const before = server.logs.length
    await signIn(await authorize(browser), 'ada@example.com', OTHER)
    const lines = server.logs.slice(before).join('\n')
    expect(lines).toContain('password login failed')
    expect(lines).toContain('the password is wrong')
    expect(lines).not.toMatch(/herons|ada@example/)
  })

  it.each(['victim@example.com', 'ada@example.com'])('is limited to ten of %s in a minute', async (email) => {
    const fresh = await serve(await withAda())
    const visitor = openBrowser(fresh)
    const page = await authorize(visitor)
    for (let round = 0; round < 10; round++) {
      expect((await signIn(page, email, OTHER, visitor)).status).toBe(422)
    }
    const refused = await signIn(page, email, PASSWORD, visitor)
    expectPage(refused, 429, 'Sign in')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(problemsOf(refused)).toMatch(/^There were too many attempts to sign in\. Try again in \d+ seconds\.$/)
    // Other addresses are not limited.
    expect((await signIn(page, 'somebody@example.com', OTHER, visitor)).status).toBe(422)
  })

  it('is limited for concurrent attempts too', async () => {
    const fresh = await serve(await withAda())
    const visitor = openBrowser(fresh)
    const page = await authorize(visitor)
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(page, 'ada@example.com', OTHER, visitor)))
    expect(answers.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(10)
  })
})

async function withAda(): Promise<string> {
  const directory = await storeWith({})
  await addAccounts(directory, { people: [{ email: 'ada@example.com', password: PASSWORD }] })
  return directory
}

describe('a password set by an administrator', () => {
  const fill = (page: Page, password: string, repeated = password) => {
    return browser.submit(page, 'password', { 'new-password': password, 'repeated-password': repeated })
  }

  it('must be replaced to continue, and then is invalid', async () => {
    const page = await signIn(await authorize(browser), 'new@example.com')
    expectPage(page, 200, 'Choose a new password')
    const mistakes = [
      ['short', 'short', /^The new password should have at least 12 characters/],
      ['password1234', 'password1234', /^The new password should not consist mostly of common words/],
      [OTHER, `${OTHER}!`, /^The two passwords must match\.$/],
      [PASSWORD, PASSWORD, /^The new password must differ from the current one\.$/]
    ] as const
    let last = page
    for (const [password, repeated, problem] of mistakes) {
      last = await fill(last, password, repeated)
      expectPage(last, 422, 'Choose a new password')
      expect(problemsOf(last)).toMatch(problem)
      expect(last.body).not.toContain(password)
    }
    expectPage(await fill(last, OTHER), 200, 'Allow access?')

    // The ticket of the page is used up, and the old password is invalid.
    browser = openBrowser(server)
    expectPage(await signIn(await authorize(browser), 'new@example.com', PASSWORD), 422, 'Sign in')
    expectPage(await signIn(await authorize(browser), 'new@example.com', OTHER), 200, 'Allow access?')
  })

  it('is recorded in the audit log as replaced by the user', async () => {
    await fill(await signIn(await authorize(browser), 'newer@example.com'), OTHER)
    const { body } = await call(server, 'listAuditEntries')
    const userId = `burgee|${idOf('newer@example.com')}`
    const entry = body.find(({ idp_user }: { idp_user: string }) => idp_user === userId)
    expect(entry.actor).toBe('person')
    expect(entry.changes[0]).toMatchObject({ type: 'modifiedUser', metadata: { password: 'replaced' } })
    expect(JSON.stringify(body)).not.toMatch(/scrypt|herons/)
  })

  it('cannot be replaced with the ticket of another session, twice, or by a disabled user', async () => {
    const directory = await storeWith({})
    const email = 'new@example.com'
    await addAccounts(directory, {
      people: [{ email, password: PASSWORD, mustChangePassword: true }, { email: 'keeper@example.com' }]
    })
    const at = await serve(directory)
    const [one, other] = [openBrowser(at), openBrowser(at)]
    const first = await signIn(await authorize(one), email, PASSWORD, one)
    const second = await signIn(await authorize(other), email, PASSWORD, other)
    const chosen = { 'new-password': OTHER, 'repeated-password': OTHER }
    const { ticket = '' } = formOf(first, 'password').hidden
    const over = 'This page has expired'
    expectPage(await other.submit(second, 'password', { ...chosen, ticket }), 400, over)
    const update = (isDisabled: boolean) => call(at, 'updateUser', { params: { user: email }, body: { isDisabled } })
    await update(true)
    expectPage(await other.submit(second, 'password', chosen), 400, over)
    await update(false)
    // Disabling ended these sign-ins.
    expectPage(await one.submit(first, 'password', chosen), 400, over)
    const third = await signIn(await authorize(one), email, PASSWORD, one)
    expectPage(await one.submit(third, 'password', chosen), 200, 'Allow access?')
    expectPage(await other.submit(second, 'password', chosen), 400, over)
  })

  it('cannot be replaced without entering it', async () => {
    const page = await signIn(await authorize(browser), 'ada@example.com', OTHER)
    const { action, hidden } = formOf(page, 'login')
    const elsewhere = openBrowser(server)
    const others = formOf(await signIn(await authorize(elsewhere), 'evil@example.com', PASSWORD, elsewhere), 'consent')
    for (const ticket of ['', 'nonsense', others.hidden.csrf ?? '']) {
      const body = new URLSearchParams({ ...hidden, ticket, 'new-password': OTHER, 'repeated-password': OTHER })
      const answer = await browser.submit(
        { ...page, body: `<form method="post" action="${action.replace('login', 'password')}"></form>` },
        'password',
        Object.fromEntries(body)
      )
      expect(answer.status).toBe(403)
    }
  })
})

describe('a session', () => {
  it('ends when its user is disabled', async () => {
    const at = await serve(await withAda())
    await call(at, 'createUser', { body: { email: 'keeper@example.com', name: 'Keeper' } })
    const visitor = openBrowser(at)
    await visitor.submit(await signIn(await authorize(visitor), 'ada@example.com', PASSWORD, visitor), 'consent')
    await call(at, 'updateUser', { params: { user: 'ada@example.com' }, body: { isDisabled: true } })
    const page = await authorize(visitor, { prompt: '' })
    expectPage(page, 200, 'Sign in')
    expectPage(await signIn(page, 'ada@example.com', PASSWORD, visitor), 422, 'Sign in')
    // The next user is not affected.
    await call(at, 'updateUser', { params: { user: 'ada@example.com' }, body: { isDisabled: false } })
    const consent = await signIn(page, 'ada@example.com', PASSWORD, visitor)
    // The consent ended with the sessions, also in the same millisecond.
    const { location } = await visitor.submit(consent, 'consent')
    expect(location?.searchParams.get('code')).toEqual(expect.any(String))
  })

  it('ends with its consents when the password is replaced', async () => {
    const at = await serve(await withAda())
    const visitor = openBrowser(at)
    await visitor.submit(await signIn(await authorize(visitor), 'ada@example.com', PASSWORD, visitor), 'consent')
    at.clock.now = () => NOW + 1000
    const body = { password: OTHER }
    expect((await call(at, 'resetPassword', { params: { user: 'ada@example.com' }, body })).status).toBe(200)
    const page = await authorize(visitor, { prompt: '' })
    expectPage(page, 200, 'Sign in')
    const choosing = await signIn(page, 'ada@example.com', OTHER, visitor)
    const chosen = { 'new-password': `${OTHER} again`, 'repeated-password': `${OTHER} again` }
    at.clock.now = () => NOW + 2000
    expectPage(await visitor.submit(choosing, 'password', chosen), 200, 'Allow access?')
  })
})

describe('consent', () => {
  it('of one user does not apply to another', async () => {
    await browser.submit(await signIn(await authorize(browser)), 'consent')
    browser = openBrowser(server)
    expectPage(await signIn(await authorize(browser, { prompt: '' }), 'evil@example.com'), 200, 'Allow access?')
  })

  it('to one application does not apply to another', async () => {
    await browser.submit(await signIn(await authorize(browser)), 'consent')
    expectPage(await authorize(browser, { client_id: 'helper', prompt: '' }), 200, 'Allow access?')
  })

  it('expires after ninety days', async () => {
    const at = await serve(await withAda())
    const consented = openBrowser(at)
    await consented.submit(await signIn(await authorize(consented), 'ada@example.com', PASSWORD, consented), 'consent')
    const codeAfter = async (days: number) => {
      at.clock.now = () => NOW + days * DAY
      const visitor = openBrowser(at)
      const { location } = await signIn(await authorize(visitor, { prompt: '' }), 'ada@example.com', PASSWORD, visitor)
      return location?.searchParams.get('code')
    }
    expect(await codeAfter(91)).toBeUndefined()
    expect(await codeAfter(89)).toEqual(expect.any(String))
  })

  const consentFor = async (clientId: string, parameters: Readonly<Record<string, string>> = {}) => {
    return signIn(await authorize(browser, { client_id: clientId, ...parameters }))
  }

  it('redirects with access_denied when it is refused', async () => {
    const { location } = await browser.submit(await consentFor('app'), 'abort')
    expect(location?.searchParams.get('error')).toBe('access_denied')
    expect(location?.searchParams.get('code')).toBeNull()
  })

  it('lists the maximal permissions of an application', async () => {
    const text = textOf((await consentFor('helper')).body)
    expect(text).toContain('see features, within your own permissions')
    expect(text).toContain('create and change features, within your own permissions')
    expect(text).not.toContain('everything')
    expect(text).not.toContain('delete')
  })

  it('lists the requested permissions of an application', async () => {
    const page = await consentFor('app', { scope: 'openid variable:read' })
    const text = textOf(page.body)
    expect(text).toContain('see variables, within your own permissions')
    expect(text).toContain('keep its access while you are away')
    expect(text).not.toMatch(/everything|e-mail/)
  })

  it('marks assistants, and applications that registered themselves', async () => {
    expect((await consentFor('helper')).body).toContain('<b>This is an assistant.</b>')
    browser = openBrowser(server)
    const stranger = await consentFor('stranger')
    expect(stranger.body).toContain('<b>This application registered itself.</b>')
    browser = openBrowser(server)
    expect((await consentFor('app')).body).not.toMatch(/registered itself|assistant/)
  })

  it('shows a readable host for an application whose name is not readable', async () => {
    const page = await authorize(browser, { client_id: 'nameless' })
    expect(textOf(page.body)).toContain('to continue to nameless')
    expect(textOf((await signIn(page)).body)).toContain('nameless wants to act in Burgee for you')
  })

  it('is requested each time by an application that registered itself', async () => {
    await browser.submit(await consentFor('stranger'), 'consent')
    expectPage(await authorize(browser, { client_id: 'stranger', prompt: '' }), 200, 'Allow access?')
  })

  it('applies to another browser of the same user', async () => {
    await browser.submit(await consentFor('app'), 'consent')
    browser = openBrowser(server)
    const again = await consentFor('app', { prompt: '' })
    expect(again.location?.searchParams.get('code')).toEqual(expect.any(String))
  })

  it('can be given by another user who signs in instead', async () => {
    const page = await browser.submit(await consentFor('helper'), 'another')
    expectPage(page, 200, 'Sign in')
    const asked = await signIn(page, 'bob@example.com')
    expect(textOf(asked.body)).toContain('Bob (bob@example.com)')
    const { location } = await browser.submit(asked, 'consent')
    expect(location?.searchParams.get('state')).toBe('the-state')
  })

  it('escapes names', async () => {
    const page = await signIn(await authorize(browser, { client_id: 'evil' }), 'evil@example.com')
    expectPage(page, 200, 'Allow access?')
    expect(textOf(page.body)).toContain(`${EVIL} wants to act in Burgee for you, ${EVIL}`)
  })

  it('restricts its form to the application by CSP', async () => {
    const { headers } = await consentFor('stranger')
    expect(headers['content-security-policy']).toContain("form-action 'self' https://app.example.com;")
  })
})

describe('a cross-site form', () => {
  const forged = 'This form was rejected'

  it.each([
    ['from another origin', { origin: 'https://evil.example.com' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another place of the same site', { 'sec-fetch-site': 'same-site' }],
    ['of no origin, from another site', { origin: 'null', 'sec-fetch-site': 'cross-site' }]
  ])('is refused: %s', async (_, headers: Record<string, string>) => {
    const page = await authorize(browser)
    const answer = await browser.submit(page, 'login', { email: 'ada@example.com', password: PASSWORD }, headers)
    expectPage(answer, 403, forged)
  })

  it.each([
    { origin: 'own', 'sec-fetch-site': 'same-origin' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    { origin: 'null' }
  ])('is not a request with %o', async (headers: Record<string, string>) => {
    const page = await authorize(browser)
    const origin = headers.origin === 'own' ? server.url : 'null'
    const fields = { email: 'ada@example.com', password: PASSWORD }
    expectPage(await browser.submit(page, 'login', fields, { ...headers, origin }), 200, 'Allow access?')
  })

  it('is refused without a CSRF token, and with the token of another form or session', async () => {
    const page = await authorize(browser)
    const another = openBrowser(server)
    const proofs = {
      none: '',
      'a wrong one': 'A'.repeat(43),
      'that of another button': formOf(page, 'abort').hidden.csrf,
      'that of another visit': formOf(await authorize(another), 'login').hidden.csrf
    }
    for (const [name, csrf = ''] of Object.entries(proofs)) {
      const answer = await browser.submit(page, 'login', { email: 'ada@example.com', password: PASSWORD, csrf })
      expectPage(answer, 403, forged)
      expect(answer.location, name).toBeUndefined()
    }
  })

  it('cannot be submitted by another browser that has the whole page', async () => {
    const page = await authorize(browser)
    const another = openBrowser(server)
    const fields = { email: 'ada@example.com', password: PASSWORD }
    expectPage(await another.submit(page, 'login', fields), 400, 'This page has expired')
    expectPage(await another.get(page.path), 400, 'This page has expired')
    // Nor with another session of its own, wherever it sends the cookie of that.
    await authorize(another)
    another.sendEverywhere()
    expectPage(await another.submit(page, 'login', fields), 400, 'This page has expired')
    expectPage(await another.get(page.path), 400, 'This page has expired')
  })

  it('is refused with another content type, and when it is large', async () => {
    const page = await authorize(browser)
    const { action, hidden } = formOf(page, 'login')
    const json = await send(server, {
      method: 'POST',
      path: action,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...hidden, email: 'ada@example.com', password: PASSWORD })
    })
    expectPage(json, 415, 'Something went wrong')
    const large = await browser.submit(page, 'login', { email: 'ada@example.com', password: 'p'.repeat(20_000) })
    expectPage(large, 413, 'Something went wrong')
  })
})

describe('a sign-in page', () => {
  it('expires when its interaction has continued', async () => {
    const page = await authorize(browser)
    await signIn(page)
    expectPage(await signIn(page), 400, 'This page has expired')
    expectPage(await browser.get(page.path), 400, 'This page has expired')
  })

  it('stays valid while the signing key is replaced', async () => {
    const at = await serve(await withAda())
    const visitor = openBrowser(at)
    const page = await authorize(visitor)
    expect((await call(at, 'rotateSigningKey')).status).toBe(201)
    const asked = await signIn(page, 'ada@example.com', PASSWORD, visitor)
    expectPage(asked, 200, 'Allow access?')
    expect((await call(at, 'rotateSigningKey')).status).toBe(201)
    const { location } = await visitor.submit(asked, 'consent')
    expect(location?.searchParams.get('code')).toEqual(expect.any(String))
  })

  it('expires after an hour', async () => {
    const at = await serve(await withAda())
    const visitor = openBrowser(at)
    const page = await authorize(visitor)
    at.clock.now = () => NOW + 3_600_001
    expectPage(await signIn(page, 'ada@example.com', PASSWORD, visitor), 400, 'This page has expired')
  })

  it('is shown again when its response is reloaded', async () => {
    const page = await authorize(browser)
    const answer = await signIn(page, 'ada@example.com', OTHER)
    expectPage(await browser.get(answer.path), 200, 'Sign in')
  })

  it('of an unknown interaction is refused', async () => {
    for (const path of ['/oauth/interactions/unknown', '/oauth/interactions/unknown/nothing', '/oauth/callback']) {
      expectPage(await browser.get(path), 400, 'This page has expired')
    }
    expect((await send(server, { path: '/oauth/interactions/a/b/c' })).status).toBe(404)
  })

  it.each(['DELETE', 'PUT', 'POST'])('refuses %s', async (method) => {
    const { path } = await authorize(browser)
    expectPage(await send(server, { method, path }), 405, 'Something went wrong')
  })

  it('cannot consent before a user has signed in', async () => {
    const page = await authorize(browser)
    const { action } = formOf(page, 'login')
    const skipped = { ...page, body: String(page.body).replaceAll(action, action.replace('login', 'consent')) }
    expect((await browser.submit(skipped, 'consent')).status).toBe(403)
  })

  it('cannot be read by another site', async () => {
    const { path } = await authorize(browser)
    expectPage(await browser.get(path, { origin: 'https://evil.example.com' }), 200, 'Sign in')
    const { headers } = await send(server, {
      method: 'OPTIONS',
      path,
      headers: { origin: 'https://evil.example.com', 'access-control-request-method': 'POST' }
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  it('explains an invalid authorization request', async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ client_id: 'unknown' }, /The application that sent you here is not registered/],
      [{ redirect_uri: 'https://evil.example.com/' }, /an address that is not registered/],
      [{ client_id: EVIL }, /The application that sent you here is not registered/]
    ]
    for (const [parameters, message] of cases) {
      const page = await authorize(browser, parameters)
      expectPage(page, 400, 'Something went wrong')
      expect(textOf(page.body)).toMatch(message)
    }
  })
})
