import type { Options } from '../../../server/src/cli/options.ts'
import { addAccounts, openBrowser, type Page } from '../browser.ts'
import { serve, storeWith, type TestServer } from '../harness.ts'
import type { Plan } from '../plan.ts'

const PASSWORD = 'a quiet morning on the lake'

/** The public client for the sign-ins of these tests. */
export const CLIENT = 'burgee-tools'

/** Starts a server with the user Ada and a public client. */
export async function serveAda(plan: Plan = {}, options: Partial<Options> = {}): Promise<TestServer> {
  const directory = await storeWith(plan, Date.now())
  await addAccounts(directory, {
    people: [{ email: 'ada@example.com', name: 'Ada', password: PASSWORD }],
    clients: [{ clientId: CLIENT, name: 'Tools', redirectUris: ['http://127.0.0.1/callback'] }]
  })
  const server = await serve(directory, options, Date.now())
  server.clock.now = Date.now
  return server
}

/** Signs in as Ada in a browser, submits `decide` on the consent page, and follows the redirect to the program. */
export async function visit(
  server: TestServer,
  address: string,
  { decide = 'consent', change = (url: URL) => url }: { decide?: 'consent' | 'abort'; change?: (url: URL) => URL } = {}
): Promise<Response> {
  const browser = openBrowser(server)
  const { pathname, search } = new URL(address)
  const page = await browser.get(`${pathname}${search}`)
  const asked = await browser.submit(page, 'login', { email: 'ada@example.com', password: PASSWORD })
  const { location }: Page = await browser.submit(asked, decide)
  if (!location) throw new Error('the browser was not redirected')
  return fetch(change(new URL(location)))
}

/** Enters a user code, signs in as Ada in a browser, and submits `decide` on the consent page. */
export async function enterCode(
  server: TestServer,
  user_code: string,
  decide: 'consent' | 'abort' = 'consent'
): Promise<Page> {
  const browser = openBrowser(server)
  const confirmation = await browser.submit(await browser.get('/oauth/device'), 'device', { user_code })
  const page = await browser.submit(confirmation, 'device')
  return browser.submit(await browser.submit(page, 'login', { email: 'ada@example.com', password: PASSWORD }), decide)
}
