import { addAccounts, openBrowser } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it } from 'vitest'

const PASSWORD = 'a quiet morning on the lake'
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const CLIENT = 'burgee-cli'

let directory: string
let server: TestServer

beforeAll(async () => {
  directory = await storeWith({})
  await addAccounts(directory, { people: [{ email: 'ada@example.com', name: 'Ada', password: PASSWORD }], clients: [] })
  server = await serve(directory)
})

function post(path: string, parameters: Readonly<Record<string, string>>): Promise<ApiResponse> {
  return send(server, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: CLIENT, ...parameters }).toString()
  })
}

const started = () => post('/oauth/device_authorization', { scope: 'openid profile email offline_access' })

/** Signs in by a code in this browser, and returns the tokens. */
async function signIn(browser = openBrowser(server)) {
  const { body } = await started()
  const confirmation = await browser.submit(await browser.get('/oauth/device'), 'device', { user_code: body.user_code })
  const page = await browser.submit(confirmation, 'device')
  const isKnown = !String(page.body).includes('name="password"')
  const consent = isKnown ? page : await browser.submit(page, 'login', { email: 'ada@example.com', password: PASSWORD })
  await browser.submit(consent, 'consent')
  const { status, body: tokens } = await post('/oauth/token', { grant_type: GRANT, device_code: body.device_code })
  expect(status, JSON.stringify(tokens)).toBe(200)
  return tokens as { access_token: string; refresh_token: string }
}

describe('the client of the command line', () => {
  it('is announced in the metadata, and created by its first sign-ins', async () => {
    const { body } = await send(server, { path: '/.well-known/openid-configuration' })
    expect(body.burgee_cli_client_id).toBe(CLIENT)
    expect(await known()).toEqual([])
    const all = await Promise.all([started(), started(), started()])
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await known()).toMatchObject([{ clientId: CLIENT, roles: [], isAssistant: false, isDynamic: false }])
  })

  it('acts for the person who signs in, and only on the redirect address of this computer', async () => {
    const { access_token } = await signIn()
    expect((await call(server, 'listProjects', { key: access_token })).status).toBe(200)
    const parameters = { response_type: 'code', code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' }
    const redirected = async (redirect_uri: string) => {
      const query = new URLSearchParams({ client_id: CLIENT, scope: 'openid', ...parameters, redirect_uri })
      return (await openBrowser(server).get(`/oauth/authorize?${query}`)).status
    }
    expect(await redirected('https://evil.example/callback')).toBe(400)
    expect(await redirected('http://127.0.0.1:5000/callback')).not.toBe(400)
  })

  it('has a sign-in for each computer: to end one does not end another of the same browser', async () => {
    const browser = openBrowser(server)
    const [laptop, desktop] = [await signIn(browser), await signIn(browser)]
    await post('/oauth/revoke', { token: laptop.refresh_token })
    expect((await call(server, 'listProjects', { key: laptop.access_token })).status).toBe(401)
    expect((await call(server, 'listProjects', { key: desktop.access_token })).status).toBe(200)
    const refreshed = await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: desktop.refresh_token })
    expect(refreshed.status).toBe(200)
  })

  it('can be limited by administrators, and neither deleted nor created', async () => {
    const params = { client: CLIENT }
    const mine = await call(server, 'createApiClient', { body: { clientId: CLIENT, name: 'Mine' } })
    expect([mine.status, mine.body.message]).toEqual([400, [expect.stringContaining('is reserved')]])
    const deleted = await call(server, 'deleteApiClient', { params })
    expect([deleted.status, deleted.body.message]).toEqual([405, expect.stringContaining('limit it with permissions')])
    await call(server, 'updateApiClient', { params, body: { permissions: ['project:read'] } })
    const { access_token: key } = await signIn()
    expect((await call(server, 'listProjects', { key })).status).toBe(200)
    expect((await call(server, 'createProject', { key, body: { key: 'mine', name: 'Mine' } })).status).toBe(403)
    await call(server, 'updateApiClient', { params, body: { allowedNetworks: ['192.0.2.0/24'] } })
    expect([(await started()).status, await known()]).toEqual([
      403,
      [expect.objectContaining({ permissions: ['project:read'], allowedNetworks: ['192.0.2.0/24'] })]
    ])
  })
})

async function known() {
  const { body } = await call(server, 'listApiClients')
  return body.filter(({ clientId }: { clientId: string }) => clientId === CLIENT)
}
