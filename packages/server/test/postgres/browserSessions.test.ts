import { addAccounts, authorize, type Browser, openBrowser, type Page } from '@burgee/testing/browser'
import { serve, type TestServer } from '@burgee/testing/harness'
import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeAll, expect, test } from 'vitest'

const login = { email: 'ada@example.com', password: 'a quiet morning on the lake' }

let url: string
let server: TestServer

beforeAll(async () => {
  url = await temporaryDatabase()
  await addAccounts(url, { people: [login] })
  server = await serve(url)
  await runOnServer(
    `create function break_connection() returns trigger language plpgsql as
     $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`,
    url
  )
})

/** Breaks each connection that changes sessions of browsers while `work` runs. */
async function whileBroken<T>(moment: Moment, work: () => Promise<T>): Promise<T> {
  const [time, options] = moments[moment]
  const row = moment === 'removes a session' ? 'old' : 'new'
  const condition = `for each row when (${row}.data->>'model' = 'Session') execute function break_connection()`
  await runOnServer(`create ${time} on burgee_authorizations ${options} ${condition}`, url)
  try {
    return await work()
  } finally {
    await runOnServer('drop trigger broken on burgee_authorizations', url)
  }
}

const moments = {
  'writes a session': ['trigger broken before insert or update', ''],
  'commits a session': ['constraint trigger broken after insert or update', 'deferrable initially deferred'],
  'removes a session': ['trigger broken before delete', '']
} as const
type Moment = keyof typeof moments

async function signIn(): Promise<Browser> {
  const browser = openBrowser(server)
  const consent = await browser.submit(await authorize(browser), 'login', login)
  expect((await browser.submit(consent, 'consent')).location?.searchParams.get('code')).toBeTruthy()
  return browser
}

/** Returns the page of a browser that signs in again, a second later. */
function signInAgain(browser: Browser): Promise<Page> {
  const moment = server.clock.now() + 1_000
  server.clock.now = () => moment
  return authorize(browser, { prompt: 'login' })
}

/** Opens a browser with the cookies that another one has now. */
function copyOf(browser: Browser): Browser {
  const copy = openBrowser(server)
  const values = browser.values()
  for (const [index, name] of browser.cookies().entries()) copy.setCookie(`${name}=${values[index]}; path=/`)
  return copy
}

/** Expects that a browser is asked for its consent, and not to sign in. */
async function expectSignedIn(browser: Browser): Promise<Page> {
  const page = await authorize(browser)
  expect(String(page.body)).toContain('/consent"')
  return page
}

test.each(Object.keys(moments) as Moment[])(
  'a browser remains signed in if the connection breaks while the server %s after a consent',
  async (moment) => {
    const browser = await signIn()
    const page = await authorize(browser)
    await whileBroken(moment, () => browser.submit(page, 'consent'))
    await expectSignedIn(browser)
  }
)

test.each(Object.keys(moments) as Moment[])(
  'a browser remains signed in if the connection breaks while the server %s after another sign-in',
  async (moment) => {
    const browser = await signIn()
    const page = await signInAgain(browser)
    const { status } = await whileBroken(moment, () => browser.submit(page, 'login', login))
    expect(status).toBe(503)
    await expectSignedIn(browser)
  }
)

test('a browser remains signed in if the response to its consent is lost', async () => {
  const browser = await signIn()
  const page = await authorize(browser)
  const asBefore = copyOf(browser)
  await browser.submit(page, 'consent')
  await expectSignedIn(asBefore)
})

test('another sign-in replaces the cookie of the session, and ends the earlier one', async () => {
  const browser = await signIn()
  const earlier = copyOf(browser)
  await browser.submit(await signInAgain(browser), 'login', login)
  await expectSignedIn(browser)
  expect(String((await authorize(earlier)).body)).toContain('/login"')
})
