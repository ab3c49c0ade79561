import { addAccounts, openBrowser, textOf } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, type TestServer } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeAll, describe, expect, it } from 'vitest'

const login = { email: 'ada@example.com', password: 'a quiet morning on the lake' }
const publicUrl = 'http://127.0.0.1:8080'

let url: string

beforeAll(async () => {
  url = await temporaryDatabase()
  await addAccounts(url, {
    people: [login],
    clients: [{ clientId: 'tools', name: 'Tools', redirectUris: ['http://127.0.0.1/callback'] }]
  })
})

/** Starts a server on the database, behind the common address. */
function node(time = NOW): Promise<TestServer> {
  return serve(url, { publicUrl }, time)
}

function post(server: TestServer, path: string, parameters: Readonly<Record<string, string>>): Promise<ApiResponse> {
  return send(server, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: 'tools', ...parameters }).toString()
  })
}

function redeem(server: TestServer, device_code: string): Promise<ApiResponse> {
  return post(server, '/oauth/token', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code })
}

/** Opens a browser whose next requests go to another server after `moveTo`, as behind a load balancer. */
function openMovingBrowser(first: TestServer) {
  const target = { ...first, url: publicUrl }
  return { ...openBrowser(target), moveTo: ({ port }: TestServer) => Object.assign(target, { port }) }
}

describe('a device code', () => {
  it('is entered, approved and redeemed at different servers, once', async () => {
    const [one, other] = [await node(), await node()]
    const { body: started } = await post(one, '/oauth/device_authorization', {})
    const browser = openMovingBrowser(other)
    const asked = await browser.submit(await browser.get('/oauth/device'), 'device', { user_code: started.user_code })
    browser.moveTo(one)
    const signIn = await browser.submit(asked, 'device')
    browser.moveTo(other)
    const consent = await browser.submit(signIn, 'login', login)
    browser.moveTo(one)
    expect(textOf((await browser.submit(consent, 'consent')).body)).toContain('continues by itself')
    const answers = await Promise.all([one, other].map((server) => redeem(server, started.device_code)))
    const tokens = answers.filter(({ status }) => status === 200)
    expect(tokens.length).toBeLessThanOrEqual(1)
    // The second use is one of a stolen code, and ends what the first one got.
    for (const { body } of tokens) {
      expect((await call(other, 'listProjects', { key: body.access_token })).status).toBe(401)
    }
    expect((await redeem(await node(NOW + 20_000), started.device_code)).body.error).toBe('invalid_grant')
  })

  it('survives a restart between its steps', async () => {
    const first = await node()
    const { body: started } = await post(first, '/oauth/device_authorization', {})
    const browser = openMovingBrowser(first)
    const asked = await browser.submit(await browser.get('/oauth/device'), 'device', { user_code: started.user_code })
    const signIn = await browser.submit(asked, 'device')
    await first.close()
    const second = await node()
    browser.moveTo(second)
    const consent = await browser.submit(signIn, 'login', login)
    await second.close()
    const third = await node()
    browser.moveTo(third)
    expect(textOf((await browser.submit(consent, 'consent')).body)).toContain('continues by itself')
    await third.close()
    const fourth = await node()
    const { status, body } = await redeem(fourth, started.device_code)
    expect(status, JSON.stringify(body)).toBe(200)
    expect((await call(fourth, 'listProjects', { key: body.access_token })).status).toBe(200)
  })
})
