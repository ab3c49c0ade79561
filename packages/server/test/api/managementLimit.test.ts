import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { addAccounts, authorize, exchangeCode, openBrowser } from '@burgee/testing/browser'
import { call, send, serve, storeWith, type TestServer, tokenOf } from '@burgee/testing/harness'
import { personToken } from '@burgee/testing/personToken'
import { idOf } from '@burgee/testing/plan'
import { beforeEach, describe, expect, it } from 'vitest'
import { toolClient } from '../support/toolClient.ts'

let server: TestServer

beforeEach(async () => {
  const directory = await storeWith({ features: [{ key: 'checkout' }] })
  await addClients(directory, { deploy: ['project:read'] })
  server = await serve(directory, { managementRateLimit: 5 })
})

const list = (key?: string) => call(server, 'listProjects', key === undefined ? {} : { key })

/** Requests another token of the administrator. */
async function anotherToken(): Promise<string> {
  const { body } = await send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: 'test-admin',
      client_secret: 'the-secret-of-the-tests'
    })
  })
  return body.access_token
}

describe('the rate limit of the management API', () => {
  it('returns 429 with both headers, and names the limit', async () => {
    for (let request = 0; request < 5; request++) expect((await list()).status).toBe(200)
    const { status, headers, body } = await list()
    expect([status, body.error]).toEqual([429, 'Too Many Requests'])
    expect(body.message).toMatch(/^too many requests of this caller \(limit: 5 per minute\); retry in \d+ s$/)
    const seconds = Number(headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    expect(Date.parse(String(headers['retry-later']))).toBe(server.clock.now() + seconds * 1000)
  })

  it('counts all tokens of a caller together', async () => {
    const other = await anotherToken()
    expect(other).not.toBe(await tokenOf(server))
    for (let request = 0; request < 5; request++) expect((await list(other)).status).toBe(200)
    expect((await list()).status).toBe(429)
  })

  it('counts callers separately, and neither invalid tokens nor evaluations', async () => {
    const forged = `${await tokenOf(server)}x`
    for (let request = 0; request < 10; request++) expect((await list(forged)).status).toBe(401)
    for (let request = 0; request < 5; request++) expect((await list()).status).toBe(200)
    expect((await list()).status).toBe(429)
    expect((await call(server, 'evaluateVariables', { body: { user_id: 'ada' } })).status).toBe(200)
    expect((await list(await tokenFor(server, 'deploy'))).status).toBe(200)
  })
})

it('calls of tools count for the person who makes them only', async () => {
  const password = 'a quiet morning on the lake'
  const directory = await storeWith({ features: [{ key: 'checkout' }] })
  const people = ['ada@example.com', 'bob@example.com'].map((email) => ({ email, password }))
  await addAccounts(directory, { people })
  const at = await serve(directory, { managementRateLimit: 8, mcp: true })
  const browser = openBrowser(at)
  const page = await authorize(browser, { resource: `${at.url}/mcp`, scope: 'openid everything' })
  const consent = await browser.submit(page, 'login', { email: 'ada@example.com', password })
  const { body } = await exchangeCode(at, await browser.submit(consent, 'consent'))
  const tools = await toolClient(at, body.access_token)
  const ask = async (email: string) => {
    return call(at, 'listProjects', { key: await personToken(at, `burgee|${idOf(email)}`) })
  }
  await tools.call('select_project', { projectKey: 'shop' })
  for (let count = 0; count < 4; count++) expect((await ask('ada@example.com')).status).toBe(200)
  for (let count = 0; count < 4; count++) await tools.call('list_features', {})
  const limit = 'too many requests of this caller (limit: 8 per minute)'
  const { status, body: refusal } = await ask('ada@example.com')
  expect([status, refusal.message]).toEqual([429, expect.stringContaining(limit)])
  expect(JSON.stringify(await tools.call('list_features', {}))).toContain(limit)
  expect((await ask('bob@example.com')).status).toBe(200)
})
