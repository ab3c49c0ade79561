import {
  addAccounts,
  authorize,
  type Browser,
  exchangeCode,
  openBrowser,
  type Page,
  type PersonPlan,
  problemsOf,
  textOf
} from '@burgee/testing/browser'
import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { personToken } from '@burgee/testing/personToken'
import { idOf, NOW } from '@burgee/testing/plan'
import { freePort } from '@burgee/testing/system/freePort'
import { decodeJwt } from 'jose'
import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { parseOptions } from '../../../src/cli/options.ts'
import { OptionError } from '../../../src/lib/errors.ts'
import {
  type Address,
  type Misbehavior,
  openAddress,
  serveMisbehavingProvider,
  serveProvider,
  signInUpstream,
  upstreamOptions
} from '../../support/processes/upstreamProvider.ts'

const PASSWORD = 'a quiet morning on the lake'

/** A server on a store with these accounts, with sign-in through the provider at this address. */
async function serveFor(
  place: Pick<Address, 'url'>,
  given: Parameters<typeof addAccounts>[1] = {},
  replaced: Parameters<typeof serve>[3] = {}
): Promise<TestServer> {
  const directory = await storeWith({})
  await addAccounts(directory, given)
  return serve(directory, upstreamOptions(place), NOW, replaced)
}

function linkOf({ body }: Page): string {
  return /<a class="button plain" href="([^"]*)">Sign in with <bdi>Example Login<\/bdi>/.exec(body)?.[1] ?? ''
}

/** Starts sign-in through the provider; returns the redirect URL. */
async function leave(browser: Browser): Promise<URL | undefined> {
  return (await browser.get(linkOf(await authorize(browser)))).location
}

/** A user in a response of the management API. */
interface Account {
  readonly _id: string
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly groups?: readonly string[]
  readonly hasPassword: boolean
}

async function accounts(server: TestServer): Promise<readonly Account[]> {
  return (await call(server, 'listUsers')).body
}

describe('sign-in through an identity provider', () => {
  let server: TestServer
  let provider: Awaited<ReturnType<typeof serveProvider>>

  const people: PersonPlan[] = [
    { email: 'local@example.com', name: 'Local', password: PASSWORD },
    { email: 'taken@example.com', name: 'Taken', identity: { issuer: 'https://elsewhere.example.com', subject: '1' } },
    { email: 'unverified@example.com', password: PASSWORD },
    { email: 'made@example.com', password: PASSWORD },
    { email: 'enrolled@example.com', password: PASSWORD },
    { email: 'disabled@example.com', password: PASSWORD, isDisabled: true }
  ]

  beforeAll(async () => {
    const place = await openAddress()
    server = await serveFor(place, { people })
    provider = await serveProvider(place, `${server.url}/oauth/callback`)
  })

  async function signIn(person: Parameters<typeof provider.letIn>[0], browser = openBrowser(server)): Promise<Page> {
    provider.letIn(person)
    const location = await leave(browser)
    if (!location) throw new Error('the browser was not sent to the provider')
    return browser.get(await signInUpstream(location))
  }

  it('uses PKCE, state and nonce, and requests the configured scopes', async () => {
    const browser = openBrowser(server)
    const { searchParams } = (await leave(browser)) ?? new URL('about:blank')
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'burgee',
      response_type: 'code',
      redirect_uri: `${server.url}/oauth/callback`,
      scope: 'openid profile email',
      state: expect.stringMatching(/^.{40,}$/),
      nonce: expect.stringMatching(/^.{40,}$/),
      code_challenge: expect.stringMatching(/^.{43}$/),
      code_challenge_method: 'S256'
    })
    expect(browser.cookies()).toContain('burgee-provider')
  })

  it('requires a second factor of Burgee if the provider reports a single factor and the organization requires one', async () => {
    const titleOf = async (amr?: readonly string[]) => {
      const person = { sub: 'mia', email: 'mia@example.com', email_verified: true, ...(amr ? { amr } : {}) }
      return /<h1>(.*?)<\/h1>/.exec((await signIn(person)).body)?.[1]
    }
    expect(await titleOf(['pwd'])).toBe('Allow access?')
    await call(server, 'updateOrganizationSettings', { body: { secondFactor: 'required' } })
    const titles = [await titleOf(), await titleOf(['pwd', 'mfa']), await titleOf(['pwd'])]
    await call(server, 'updateOrganizationSettings', { body: { secondFactor: 'optional' } })
    expect(titles).toEqual(['Allow access?', 'Allow access?', 'Add a second step'])
  })

  it('removes the second factors of an account that it links, since its creator may have them', async () => {
    const browser = openBrowser(server)
    const fields = { email: 'enrolled@example.com', password: PASSWORD }
    const consent = await browser.submit(await authorize(browser), 'login', fields)
    const { access_token: key } = (await exchangeCode(server, await browser.submit(consent, 'consent'))).body
    const { body: app } = await call(server, 'startAuthenticatorApp', { key })
    const code = new TOTP({ secret: app.secret }).generate({ timestamp: NOW })
    expect((await call(server, 'confirmAuthenticatorApp', { key, body: { code } })).status).toBe(201)
    const linked = openBrowser(server)
    const page = await signIn({ sub: 'enrolled', email: fields.email, email_verified: true }, linked)
    const { body } = await exchangeCode(server, await linked.submit(page, 'consent'))
    const left = await call(server, 'listSecondFactors', { key: body.access_token })
    expect(left.body).toMatchObject({ factors: [], unusedRecoveryCodes: 0 })
  })

  it('creates a user at the first sign-in, with the default roles', async () => {
    const claims = {
      sub: 'ada',
      email: 'Ada@Example.com',
      email_verified: true,
      name: 'Ada',
      groups: ['b', 'a', 'b', 3]
    }
    const browser = openBrowser(server)
    const asked = await signIn(claims, browser)
    expect(textOf(asked.body)).toContain('for you, Ada (ada@example.com)')
    const { body } = await exchangeCode(server, await browser.submit(asked, 'consent'))
    const answer = await call(server, 'listFeatures', { params: { project: 'shop' }, key: body.access_token })
    expect(answer.status).toBe(200)
    const ada = (await accounts(server)).find(({ email }) => email === 'ada@example.com')
    expect(ada).toMatchObject({
      name: 'Ada',
      groups: ['a', 'b'],
      roles: [],
      hasPassword: false,
      lastLoginAt: new Date(NOW).toISOString()
    })
    const { body: entries } = await call(server, 'listAuditEntries')
    const entry = entries.find(({ changes }: { changes: { newContents: { email?: string } }[] }) => {
      return changes[0]?.newContents.email === 'ada@example.com'
    })
    expect(entry).toMatchObject({ actor: 'server', changes: [{ type: 'createdUser' }] })
    // The cookie is valid for one return.
    expect(browser.cookies()).not.toContain('burgee-provider')
  })

  it('recognizes the user by subject, and updates name and groups', async () => {
    await signIn({ sub: 'grace', email: 'grace@example.com', name: 'Grace', groups: ['old'] })
    const before = await accounts(server)
    await signIn({ sub: 'grace', email: 'other@example.com', name: 'Grace H.', groups: ['new'] })
    const after = await accounts(server)
    expect(after).toHaveLength(before.length)
    expect(after.find(({ email }) => email === 'grace@example.com')).toMatchObject({
      name: 'Grace H.',
      groups: ['new']
    })
  })

  it.each([
    ['without a name', {}],
    ['with an address as name', { name: 'nameless@example.com' }],
    ['with an address as user name', { preferred_username: 'nameless@corp.example.com' }]
  ])('adds a person %s under a name that does not show the address', async (_, claims) => {
    const email = `nameless@${Object.keys(claims)[0] ?? 'none'}.example.com`.replace('_', '-')
    await signIn({ sub: email, email, ...claims })
    const added = (await accounts(server)).find((account) => account.email === email)
    expect(added?.name).toBe('nameless')
  })

  it('creates one user for two concurrent sign-ins', async () => {
    const browsers = [openBrowser(server), openBrowser(server), openBrowser(server)]
    provider.letIn({ sub: 'twice', email: 'twice@example.com', name: 'Twice' })
    const returns = await Promise.all(browsers.map(async (browser) => signInUpstream((await leave(browser)) as URL)))
    const pages = await Promise.all(browsers.map((browser, index) => browser.get(returns[index] ?? '')))
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await accounts(server)).filter(({ email }) => email === 'twice@example.com')).toHaveLength(1)
  })

  it('links an existing user by a verified address, once', async () => {
    await signIn({ sub: 'local', email: 'LOCAL@example.com', email_verified: true, name: 'Local', groups: ['team'] })
    const local = (await accounts(server)).filter(({ email }) => email === 'local@example.com')
    expect(local).toMatchObject([{ groups: ['team'] }])
    const other = await signIn({ sub: 'impostor', email: 'local@example.com', email_verified: true })
    expect(other.status).toBe(403)
    expect(textOf(other.body)).toContain('Another person already signs in as local@example.com')
  })

  describe('an address that the provider has not verified', () => {
    const roles = [{ role: 'organization_owner' }] as const
    const squat = async (name: string) => {
      const email = `${name}@example.com`
      await signIn({ sub: `squatter-of-${name}`, email, name: 'Squatter' })
      const account = (await accounts(server)).find((one) => one.email === email)
      expect(account).toMatchObject({ isEmailVerified: false })
      return { email, user: account?._id ?? '' }
    }
    const accountOf = async (user: string) => (await call(server, 'getUser', { params: { user } })).body

    it('passes to a person for whom it has', async () => {
      const { email, user } = await squat('ceo')
      const browser = openBrowser(server)
      const page = await signIn({ sub: 'ceo', email, email_verified: true, name: 'Ceo' }, browser)
      expect([page.status, textOf(page.body)]).toEqual([200, expect.stringContaining(`for you, Ceo (${email})`)])
      expect(await accountOf(email)).toMatchObject({ name: 'Ceo', isEmailVerified: true })
      const left = { name: 'Squatter', email: `${user}@unverified.invalid`, isEmailVerified: false }
      expect(await accountOf(user)).toMatchObject(left)
      const { body: members } = await call(server, 'listMembers', { query: { perPage: 100 } })
      const shown = members.filter((one: { readonly email: string }) => [email, left.email].includes(one.email))
      const marks = shown.map((one: { email: string; isEmailVerified?: false }) => [one.email, one.isEmailVerified])
      expect(Object.fromEntries(marks)).toEqual({ [email]: undefined, [left.email]: false })
      // The other account stays what it was, and does not get the address back.
      const again = await signIn({ sub: 'squatter-of-ceo', email, name: 'Squatter' })
      expect([again.status, textOf(again.body)]).toEqual([200, expect.stringContaining(left.email)])
      const third = await signIn({ sub: 'third', email, email_verified: true })
      expect([third.status, textOf(third.body)]).toEqual([403, expect.stringContaining('Another person')])
    })

    it('passes to a person whom an administrator adds', async () => {
      const { email, user } = await squat('cfo')
      const { status, body } = await call(server, 'createUser', { body: { email, name: 'Cfo' } })
      expect([status, body.email, body.isEmailVerified]).toEqual([201, email, true])
      expect((await accountOf(user)).email).toBe(`${user}@unverified.invalid`)
      const [entry] = (await call(server, 'listAuditEntries')).body
      expect(entry.changes.map(({ type }: { readonly type: string }) => type)).toEqual(['modifiedUser', 'createdUser'])
      const taken = await call(server, 'createUser', { body: { email, name: 'Other' } })
      expect(taken.status).toBe(409)
    })

    it('does not pass to a person whom a caller with fewer permissions adds', async () => {
      const { email, user } = await squat('admin')
      await call(server, 'updateOrganizationSettings', { body: { permissions: { mode: 'full' } } })
      await call(server, 'updateUser', { params: { user }, body: { roles: [{ role: 'organization_admin' }] } })
      const { body: owner } = await call(server, 'createUser', {
        body: { email: 'owner@example.com', name: 'O', roles }
      })
      const key = await personToken(server, owner.user_id)
      const { status, body } = await call(server, 'createUser', { key, body: { email, name: 'Mine', roles: [] } })
      expect([status, body.message]).toEqual([403, expect.stringContaining('taking over the address of this person')])
      expect((await accountOf(user)).email).toBe(email)
      await call(server, 'updateOrganizationSettings', { body: { permissions: { mode: 'flat' } } })
    })
  })

  it('ends the sessions and removes the password of an account when it is linked', async () => {
    const maker = openBrowser(server)
    const page = await maker.submit(await authorize(maker), 'login', { email: 'made@example.com', password: PASSWORD })
    const { body } = await exchangeCode(server, await maker.submit(page, 'consent'))
    server.clock.now = () => NOW + 1
    const found = openBrowser(server)
    const asked = await signIn({ sub: 'made', email: 'made@example.com', email_verified: true }, found)
    expect(textOf(asked.body)).toContain('for you, made (made@example.com)')
    const own = await exchangeCode(server, await found.submit(asked, 'consent'))
    expect((await call(server, 'listProjects', { key: own.body.access_token })).status).toBe(200)
    expect((await call(server, 'listProjects', { key: body.access_token })).status).toBe(401)
    const again = openBrowser(server)
    const fields = { email: 'made@example.com', password: PASSWORD }
    expect((await again.submit(await authorize(again), 'login', fields)).status).toBe(422)
    expect((await authorize(maker)).body).toContain('Sign in')
    const made = (await accounts(server)).filter(({ email }) => email === 'made@example.com')
    expect(made).toMatchObject([{ hasPassword: false }])
    const [entry] = (await call(server, 'listAuditEntries')).body
    expect(entry.changes).toMatchObject([{ type: 'modifiedUser', metadata: { password: 'removed' } }])
    server.clock.now = () => NOW
  })

  it('keeps other sessions at a second sign-in', async () => {
    await signIn({ sub: 'stays', email: 'stays@example.com' })
    const browser = openBrowser(server)
    const asked = await signIn({ sub: 'stays', email: 'stays@example.com' }, browser)
    const { body } = await exchangeCode(server, await browser.submit(asked, 'consent'))
    server.clock.now = () => NOW + 1
    await signIn({ sub: 'stays', email: 'stays@example.com', name: 'Renamed' })
    expect((await call(server, 'listProjects', { key: body.access_token })).status).toBe(200)
    server.clock.now = () => NOW
  })

  it.each([
    [
      'with an address that is not verified',
      { sub: 'u', email: 'unverified@example.com' },
      /has not verified your address/
    ],
    [
      'with an address that is only said to be verified',
      { sub: 'u', email: 'unverified@example.com', email_verified: 'true' },
      /has not verified your address/
    ],
    [
      'whose address is linked to another subject',
      { sub: 't', email: 'taken@example.com', email_verified: true },
      /Another person/
    ],
    ['who is disabled', { sub: 'd', email: 'disabled@example.com', email_verified: true }, /Your account is disabled/],
    ['without an address', { sub: 'n', name: 'No' }, /did not send your e-mail address/],
    ['with an invalid address', { sub: 'n', email: '<script>@' }, /did not send your e-mail address/]
  ])('refuses a user %s, and changes nothing', async (_, claims, message) => {
    const before = await accounts(server)
    const page = await signIn(claims)
    expect(page.status).toBe(403)
    expect(textOf(page.body)).toMatch(message)
    expect(await accounts(server)).toEqual(before)
  })

  it('escapes the claims that it shows', async () => {
    const name = '<script>alert("1")</script>'
    const page = await signIn({ sub: 'evil', email: "o'evil@example.com", name })
    expect(page.status).toBe(200)
    expect(page.body).not.toMatch(/<script|o'evil/)
    expect(textOf(page.body)).toContain(`for you, ${name} (o'evil@example.com)`)
  })

  it('leaves sign-in with a password unchanged', async () => {
    const browser = openBrowser(server)
    const page = await authorize(browser)
    const asked = await browser.submit(page, 'login', { email: 'unverified@example.com', password: PASSWORD })
    expect(textOf(asked.body)).toContain('unverified (unverified@example.com)')
  })

  it('is valid once, in the browser that started it', async () => {
    provider.letIn({ sub: 'bound', email: 'bound@example.com' })
    const browser = openBrowser(server)
    const back = await signInUpstream((await leave(browser)) as URL)
    const other = openBrowser(server)
    expect((await other.get(back)).status).toBe(400)
    await leave(other)
    expect((await other.get(back)).status).toBe(502)
    expect((await browser.get(back)).status).toBe(200)
    expect((await browser.get(back)).status).toBe(400)
  })

  it('cannot skip the consent', async () => {
    const browser = openBrowser(server)
    const page = await signIn({ sub: 'asked', email: 'asked@example.com' }, browser)
    expect(page.body).toContain('Allow access?')
    expect((await browser.get(`${page.path}/provider`)).status).toBe(400)
  })

  it('expires after ten minutes', async () => {
    const browser = openBrowser(server)
    provider.letIn({ sub: 'late', email: 'late@example.com' })
    const back = await signInUpstream((await leave(browser)) as URL)
    server.clock.now = () => NOW + 601_000
    const page = await browser.get(back)
    server.clock.now = () => NOW
    expect(page.status).toBe(400)
    expect((await accounts(server)).map(({ email }) => email)).not.toContain('late@example.com')
  })
})

describe('a request for a recent sign-in', () => {
  const AT = NOW / 1000
  let server: TestServer
  let provider: Awaited<ReturnType<typeof serveMisbehavingProvider>>

  beforeAll(async () => {
    const place = await openAddress()
    server = await serveFor(place)
    provider = await serveMisbehavingProvider(place)
  })

  /** Asks for a sign-in; returns what the provider was asked for, and the page after a sign-in at this time. */
  async function signInAt(parameters: Readonly<Record<string, string>>, authTime: unknown) {
    const browser = openBrowser(server)
    const { location } = await browser.get(linkOf(await authorize(browser, parameters)))
    const claims = authTime === undefined ? {} : { auth_time: authTime }
    const page = await browser.get(provider.redirectTo(location, { claims }))
    const asked = ['prompt', 'max_age'].map((name) => location?.searchParams.get(name))
    return { browser, page, asked }
  }

  it.each([
    ['prompt=login', { prompt: 'login consent' }, ['login', '600'], AT - 61],
    ['max_age', { prompt: 'consent', max_age: '300' }, [null, '300'], AT - 361]
  ])('by %s is passed on, and an earlier sign-in is refused', async (_, parameters, expected, tooOld) => {
    for (const authTime of [tooOld, undefined]) {
      const { page, asked } = await signInAt(parameters, authTime)
      expect([page.status, asked]).toEqual([403, expected])
      expect(textOf(page.body)).toContain('Example Login did not confirm that you signed in just now')
    }
    expect((await signInAt(parameters, tooOld + 1)).page.status).toBe(200)
  })

  it('is not made otherwise, and the token has the time of the provider', async () => {
    for (const [authTime, expected] of [
      [AT - 5000, AT - 5000],
      [AT + 60, AT],
      // The clock of the provider is wrong, so the time of the sign-in is unknown.
      [AT + 61, AT - 601],
      [undefined, AT - 601]
    ]) {
      const { browser, page, asked } = await signInAt({}, authTime)
      expect(asked).toEqual([null, null])
      const { body } = await exchangeCode(server, await browser.submit(page, 'consent'))
      expect(decodeJwt(body.access_token)).toMatchObject({ auth_time: expected })
    }
  })
})

describe('an identity provider that controls roles', () => {
  it('grants roles by groups, and hides a new project until a group is mapped to it', async () => {
    const place = await openAddress()
    const mapping = { group: 'shop-team', role: 'publisher', _project: idOf('shop') } as const
    const server = await serveFor(place, {
      permissions: { mode: 'full', controlledBy: 'identityProvider', groups: [mapping] }
    })
    const provider = await serveProvider(place, `${server.url}/oauth/callback`)
    const tokenOf = async (person: Parameters<typeof provider.letIn>[0]): Promise<string> => {
      const browser = openBrowser(server)
      provider.letIn(person)
      const asked = await browser.get(await signInUpstream((await leave(browser)) as URL))
      return (await exchangeCode(server, await browser.submit(asked, 'consent'))).body.access_token
    }
    const ada = { sub: 'ada', email: 'ada@example.com', name: 'Ada' }
    const inTeam = await tokenOf({ ...ada, groups: ['shop-team'] })
    const outside = await tokenOf({ sub: 'bob', email: 'bob@example.com', name: 'Bob' })
    const seen = async (key: string): Promise<readonly string[]> => {
      const { status, body } = await call(server, 'listProjects', { key })
      return status === 200 ? body.map((project: { key: string }) => project.key) : []
    }
    expect(await seen(inTeam)).toEqual(['shop'])
    expect(await seen(outside)).toEqual([])

    const made = await call(server, 'createProject', { body: { key: 'new', name: 'New' } })
    expect(made.status).toBe(201)
    expect(await seen(inTeam)).toEqual(['shop'])
    expect((await call(server, 'getProject', { params: { key: 'new' }, key: inTeam })).status).toBe(404)

    const groups = [
      { group: 'shop-team', role: 'publisher', project: 'shop' },
      { group: 'shop-team', role: 'viewer', project: 'new' }
    ]
    const mapped = await call(server, 'updateOrganizationSettings', { body: { permissions: { groups } } })
    expect(mapped.status).toBe(200)
    expect([...(await seen(inTeam))].sort()).toEqual(['new', 'shop'])
    expect(await seen(outside)).toEqual([])

    // A user who leaves a group loses its roles, in existing tokens too.
    await tokenOf({ ...ada, groups: [] })
    expect(await seen(inTeam)).toEqual([])
  })
})

describe('an identity provider of an organization with flat permissions', () => {
  const WARNING = 'everyone who can sign in through the identity provider has full access: permissions.mode is flat'

  it.each([
    ['flat', 1],
    ['full', 0]
  ] as const)('logs a warning at the start: %s', async (mode, times) => {
    const server = await serveFor(await freePlace(), { permissions: { mode } })
    expect(server.logs.filter((line) => line.includes(WARNING))).toHaveLength(times)
  })
})

describe('an identity provider that is down', () => {
  it('is reported, leaves password sign-in available, and is used again once it is up', async () => {
    const { url, port } = await freePlace()
    const directory = await storeWith({})
    await addAccounts(directory, { people: [{ email: 'ada@example.com', password: PASSWORD }] })
    const server = await serve(directory, upstreamOptions({ url }))
    const browser = openBrowser(server)
    const page = await authorize(browser)
    const failed = await browser.get(linkOf(page))
    expect(failed.status).toBe(503)
    expect(textOf(failed.body)).toContain('Example Login cannot be reached at the moment')
    expect(failed.body).toContain(`href="${page.path}"`)
    expect(server.logs.join('\n')).toContain('the identity provider cannot be reached')

    const again = await browser.get(page.path)
    const wrong = await browser.submit(again, 'login', { email: 'ada@example.com', password: 'wrong' })
    expect(problemsOf(wrong)).toContain('wrong')

    const provider = await serveProvider(await openAddress(port), `${server.url}/oauth/callback`)
    provider.letIn({ sub: 'x', email: 'x@example.com' })
    const { location } = await browser.get(linkOf(again))
    expect((await browser.get(await signInUpstream(location as URL))).status).toBe(200)
  })

  it('makes sign-in fail with 503 if it does not respond in time', async () => {
    const place = await openAddress()
    place.put(() => {})
    const browser = openBrowser(await serveFor(place, {}, { providerTimeoutMs: 200 }))
    const { status } = await browser.get(linkOf(await authorize(browser)))
    expect(status).toBe(503)
  })
})

/** An address without a server. */
async function freePlace(): Promise<{ readonly url: string; readonly port: number }> {
  const port = await freePort()
  return { url: `http://127.0.0.1:${port}`, port }
}

describe('an invalid response of the provider', () => {
  let server: TestServer
  let misbehaving: Awaited<ReturnType<typeof serveMisbehavingProvider>>
  let place: Address

  beforeAll(async () => {
    place = await openAddress()
    misbehaving = await serveMisbehavingProvider(place)
    server = await serveFor(place)
  })

  it('differs from a valid one, which is accepted', async () => {
    const browser = openBrowser(server)
    expect((await browser.get(misbehaving.redirectTo(await leave(browser)))).status).toBe(200)
  })

  const past = Math.floor(Date.now() / 1000) - 3600
  const future = Math.floor(Date.now() / 1000) + 3_600
  const misbehaviors: Readonly<Record<string, Misbehavior>> = {
    'another nonce': { claims: { nonce: 'another' } },
    'no nonce': { claims: { nonce: undefined } },
    'another audience': { claims: { aud: 'another' } },
    'another issuer': { claims: { iss: 'https://evil.example.com' } },
    'a time that is over': { claims: { iat: past - 60, exp: past } },
    'no subject': { claims: { sub: undefined } },
    'a signature with another key': { signedWith: 'another key' },
    'no signature': { signedWith: 'nothing' },
    'the secret of the client as the key': { signedWith: 'the secret' },
    'no ID token': { signedWith: 'missing' },
    'another authorized party': { claims: { azp: 'another-client' } },
    'an issue time in the future': { claims: { iat: future, exp: future + 60 } },
    'the type of an access token': { header: { typ: 'at+jwt' } },
    'the type of a logout token': { header: { typ: 'application/logout+jwt' } }
  }

  it.each(Object.entries(misbehaviors))('is refused: %s', async (_, misbehavior) => {
    const browser = openBrowser(server)
    const before = await accounts(server)
    const page = await browser.get(misbehaving.redirectTo(await leave(browser), misbehavior))
    expect(page.status).toBe(502)
    expect(textOf(page.body)).toContain('Example Login sent an invalid response')
    expect(await accounts(server)).toEqual(before)
  })

  it.each([
    ['one that the ID token lacks', { email: undefined }, 200],
    ['one that differs from the ID token', { email: 'victim@example.com' }, 403]
  ])('verifies only the right address: %s', async (_, claims, status) => {
    const place = await openAddress()
    const more = { email: 'ada@example.com', email_verified: true }
    const inconsistent = await serveMisbehavingProvider(place, more)
    const people = [{ email: 'victim@example.com' }, { email: 'ada@example.com' }]
    const server = await serveFor(place, { people })
    const browser = openBrowser(server)
    expect((await browser.get(inconsistent.redirectTo(await leave(browser), { claims }))).status).toBe(status)
  })

  it('takes address and verification from the same source, the ID token or the user info', async () => {
    const place = await openAddress()
    const inconsistent = await serveMisbehavingProvider(place, { email: 'ada@example.com' })
    const server = await serveFor(place, { people: [{ email: 'ada@example.com' }] })
    const browser = openBrowser(server)
    const claims = { email: undefined, email_verified: true }
    expect((await browser.get(inconsistent.redirectTo(await leave(browser), { claims }))).status).toBe(403)
  })

  it('is refused with a wrong state, or without one', async () => {
    for (const query of ['code=a-code&state=another', 'code=a-code', '']) {
      const browser = openBrowser(server)
      misbehaving.redirectTo(await leave(browser))
      expect((await browser.get(`/oauth/callback?${query}`)).status).toBe(502)
    }
  })

  it('shows the error that the provider returned', async () => {
    const browser = openBrowser(server)
    const sentTo = await leave(browser)
    const state = sentTo?.searchParams.get('state')
    const error = { error: 'temporarily_unavailable', error_description: `<b>Closed</b>\u202e${'x'.repeat(1000)}` }
    const page = await browser.get(`/oauth/callback?${new URLSearchParams({ ...error, state: state ?? '' })}`)
    expect(page.status).toBe(403)
    const text = textOf(page.body)
    expect(text).toMatch(/Example Login did not sign you in\. It said: “.*Closed.*x” \(temporarily_unavailable\)\./)
    expect(page.body).not.toContain('<b>Closed')
    expect(text).not.toMatch(/\u202e|x{200}/)
  })
})

describe('the settings of the identity provider', () => {
  const sound = {
    BURGEE_OIDC_ISSUER: 'https://login.example.com',
    BURGEE_OIDC_CLIENT_ID: 'b',
    BURGEE_OIDC_CLIENT_SECRET: 's'
  }

  it('can be omitted, and have defaults', () => {
    expect(parseOptions([], {})).toMatchObject({
      oidcIssuer: '',
      oidcGroupsClaim: 'groups',
      oidcExternalIdClaim: '',
      oidcScopes: 'openid profile email'
    })
    expect(parseOptions([], sound).oidcIssuer).toBe('https://login.example.com')
    expect(parseOptions([], { ...sound, BURGEE_OIDC_ISSUER: 'http://127.0.0.1:8080' }).oidcIssuer).toContain('http:')
  })

  test.each([
    ['a part of them', { BURGEE_OIDC_ISSUER: sound.BURGEE_OIDC_ISSUER }, /must be set together/],
    ['a secret alone', { BURGEE_OIDC_CLIENT_SECRET: 'hush-hush' }, /must be set together/],
    ['an issuer that is not a URL', { ...sound, BURGEE_OIDC_ISSUER: 'nonsense' }, /BURGEE_OIDC_ISSUER cannot be/],
    [
      'an issuer without TLS',
      { ...sound, BURGEE_OIDC_ISSUER: 'http://login.example.com' },
      /BURGEE_OIDC_ISSUER cannot be/
    ],
    ['scopes without openid', { ...sound, BURGEE_OIDC_SCOPES: 'profile' }, /BURGEE_OIDC_SCOPES cannot be/]
  ])('are refused: %s', (_, environment: Record<string, string>, message) => {
    expect(() => parseOptions([], environment)).toThrow(OptionError)
    expect(() => parseOptions([], environment)).toThrow(message)
    expect(() => parseOptions([], environment)).not.toThrow('hush-hush')
  })
})
