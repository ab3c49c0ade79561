import { addAccounts, authorize, type Browser, exchangeCode, openBrowser, type Page } from '@burgee/testing/browser'
import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, expect, it } from 'vitest'

const EMAIL = 'ada@example.com'
const NEW = 'new@example.com'
const PASSWORD = 'a quiet morning on the lake'
const login = { email: EMAIL, password: PASSWORD }

let server: TestServer
let seconds = 0
beforeAll(async () => {
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: [
      { email: EMAIL, password: PASSWORD },
      { email: NEW, password: PASSWORD, mustChangePassword: true }
    ]
  })
  server = await serve(directory)
})

/** Signs Ada out as an administrator, a second later. */
async function signOut(): Promise<void> {
  later()
  expect((await call(server, 'signOutUser', { params: { user: EMAIL } })).status).toBe(200)
  later()
}

/** Ends the sessions of Ada one by one, as from another device. */
async function endSessions(): Promise<void> {
  later()
  const { body: tokens } = await exchangeCode(server, await signIn(openBrowser(server)))
  const key = tokens.access_token
  const { body } = await call(server, 'listOwnSessions', { key })
  expect(body.length).toBeGreaterThan(0)
  for (const { _id: session } of body) await call(server, 'endOwnSession', { key, params: { session } })
  later()
}

function later(): void {
  const moment = NOW + 1000 * ++seconds
  server.clock.now = () => moment
}

async function signIn(browser: Browser): Promise<Page> {
  const consent = await browser.submit(await authorize(browser), 'login', login)
  return browser.submit(consent, 'consent')
}

const codeOf = ({ location }: Page) => location?.searchParams.get('code') ?? undefined

/** Whether a page asks for the password. */
const asksToSignIn = ({ body }: Page) => String(body).includes('/login"')

it('before the password was entered does not prevent the sign-in', async () => {
  const browser = openBrowser(server)
  const page = await authorize(browser)
  await signOut()
  const consent = await browser.submit(page, 'login', login)
  const { status } = await exchangeCode(server, await browser.submit(consent, 'consent'))
  expect(status).toBe(200)
})

it('after the password was entered ends the sign-in, and the next one succeeds', async () => {
  const browser = openBrowser(server)
  const consent = await browser.submit(await authorize(browser), 'login', login)
  await signOut()
  const page = await browser.submit(consent, 'consent')
  expect(codeOf(page)).toBeUndefined()
  expect((await exchangeCode(server, await signIn(browser))).status).toBe(200)
})

it('after a temporary password was entered ends the sign-in', async () => {
  const browser = openBrowser(server)
  const page = await browser.submit(await authorize(browser), 'login', { email: NEW, password: PASSWORD })
  later()
  expect((await call(server, 'signOutUser', { params: { user: NEW } })).status).toBe(200)
  later()
  const fields = { 'new-password': 'another quiet morning', 'repeated-password': 'another quiet morning' }
  const ended = await browser.submit(page, 'password', fields)
  expect([ended.status, codeOf(ended)]).toEqual([400, undefined])
})

it('after the code was issued ends the code', async () => {
  const page = await signIn(openBrowser(server))
  expect(codeOf(page)).toBeDefined()
  await signOut()
  expect((await exchangeCode(server, page)).body.error).toBe('invalid_grant')
})

it.each([
  ['a sign-out by an administrator', signOut],
  ['the end of the session', endSessions]
])('%s ends a pending consent in a signed-in browser', async (_, end) => {
  const browser = openBrowser(server)
  await signIn(browser)
  const consent = await authorize(browser)
  expect(asksToSignIn(consent)).toBe(false)
  await end()
  const page = await browser.submit(consent, 'consent')
  expect(codeOf(page)).toBeUndefined()
  const next = await authorize(browser, { prompt: '' })
  expect([asksToSignIn(next), codeOf(next)]).toEqual([true, undefined])
  const signedIn = await browser.submit(next, 'login', login)
  const again = codeOf(signedIn) ? signedIn : await browser.submit(signedIn, 'consent')
  expect((await exchangeCode(server, again)).status).toBe(200)
  expect(codeOf(await authorize(browser, { prompt: '' }))).toBeDefined()
})

it('the end of a session ends a repeated sign-in that started in it', async () => {
  const browser = openBrowser(server)
  await signIn(browser)
  const page = await authorize(browser, { prompt: 'login' })
  expect(asksToSignIn(page)).toBe(true)
  await endSessions()
  const expired = await browser.submit(page, 'login', login)
  expect([codeOf(expired), String(expired.body)]).toEqual([undefined, expect.stringContaining('This page has expired')])
  expect((await exchangeCode(server, await signIn(browser))).status).toBe(200)
})
