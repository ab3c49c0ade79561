import { addAccounts, authorize, type Browser, exchangeCode, openBrowser } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, type TestServer } from '@burgee/testing/harness'
import { idOf } from '@burgee/testing/plan'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeAll, describe, expect, it, test } from 'vitest'

const publicUrl = 'https://flags.example.com'
const PASSWORD = 'a quiet morning on the lake'
const LIMIT = 40

let one: TestServer
let other: TestServer

beforeAll(async () => {
  const url = await temporaryDatabase()
  const people = ['ada', 'eve'].map((name) => ({ email: `${name}@example.com`, password: PASSWORD }))
  await addAccounts(url, { people })
  const node = async () => {
    const server = await serve(url, { publicUrl, managementRateLimit: LIMIT }, Date.now())
    server.clock.now = Date.now
    return server
  }
  one = await node()
  other = await node()
})

/** A browser behind a load balancer, which sends each of its requests to the next server. */
function openBalancedBrowser(): Browser {
  let requests = 0
  return openBrowser({
    ...one,
    url: publicUrl,
    get port() {
      return requests++ % 2 === 0 ? one.port : other.port
    }
  })
}

/** Signs in, and returns the tokens. */
async function signIn(name: string, browser = openBalancedBrowser()) {
  const page = await authorize(browser, { scope: 'openid email offline_access' })
  const consent = await browser.submit(page, 'login', { email: `${name}@example.com`, password: PASSWORD })
  const { status, body } = await exchangeCode(other, await browser.submit(consent, 'consent'))
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { readonly access_token: string; readonly refresh_token: string }
}

async function statusAt(server: TestServer, key: string): Promise<number> {
  return (await call(server, 'getSession', { key })).status
}

function refresh(server: TestServer, refresh_token: string): Promise<ApiResponse> {
  return send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'app', refresh_token }).toString()
  })
}

describe('a sign-in whose requests reach different servers', () => {
  it('gives tokens that each server accepts', async () => {
    const { access_token } = await signIn('ada')
    expect([await statusAt(one, access_token), await statusAt(other, access_token)]).toEqual([200, 200])
  })

  it('begins a session that each server knows', async () => {
    const browser = openBalancedBrowser()
    await signIn('ada', browser)
    for (let request = 0; request < 3; request++) {
      const page = await authorize(browser)
      expect([page.status, String(page.body)]).toEqual([200, expect.stringContaining('/consent"')])
    }
  })
})

test('a refresh token that one server replaced is refused by the other, which accepts the new one', async () => {
  const { refresh_token } = await signIn('ada')
  const replaced = await refresh(one, refresh_token)
  expect(replaced.status).toBe(200)
  expect((await refresh(other, replaced.body.refresh_token)).status).toBe(200)
  expect((await refresh(other, refresh_token)).status).toBe(400)
})

test('a person who is disabled at one server is refused by the other at once', async () => {
  const { access_token } = await signIn('eve')
  expect(await statusAt(other, access_token)).toBe(200)
  const params = { user: `burgee|${idOf('eve@example.com')}` }
  expect((await call(one, 'updateUser', { params, body: { isDisabled: true } })).status).toBe(200)
  expect([await statusAt(other, access_token), await statusAt(one, access_token)]).toEqual([401, 401])
})

test('each server has a rate limit of its own', async () => {
  const { access_token } = await signIn('ada')
  const statuses = await Promise.all(Array.from({ length: LIMIT + 1 }, () => statusAt(one, access_token)))
  expect(statuses).toContain(429)
  expect(await statusAt(other, access_token)).toBe(200)
})
