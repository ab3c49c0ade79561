import { permissions } from '@burgee/contract'
import { addAccounts, authorize, exchangeCode, openBrowser, type Page } from '@burgee/testing/browser'
import { type ApiResponse, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseOptions } from '../../src/cli/options.ts'
import { hashRandomSecret } from '../../src/identity/secrets/secretHash.ts'
import { OptionError } from '../../src/lib/errors.ts'

const PASSWORD = 'a quiet morning on the lake'
const SECRET = 'a-secret-of-many-characters'
const APART = 'https://tools.example.com/mcp'

let server: TestServer
let tools: string
let api: string

beforeAll(async () => {
  server = await serve(await accounts(), { mcp: true, toolServers: [{ clientId: 'tools', address: APART }] })
  tools = `${server.url}/mcp`
  api = `${server.url}/`
})

async function accounts(): Promise<string> {
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: [{ email: 'ada@example.com', name: 'Ada', password: PASSWORD }],
    clients: [{ clientId: 'robot', name: 'Robot', redirectUris: [], secretVerifier: hashRandomSecret(SECRET) }]
  })
  return directory
}

type Fields = Readonly<Record<string, string>>

/** Signs Ada in to the application with these parameters; returns the redirect URL. */
async function signIn(fields: Fields, at = server): Promise<Page> {
  const browser = openBrowser(at)
  const page = await authorize(browser, fields)
  if (page.location) return page
  const next = await browser.submit(page, 'login', { email: 'ada@example.com', password: PASSWORD })
  return next.location ? next : browser.submit(next, 'consent')
}

async function grantFor(fields: Fields) {
  const { status, body } = await exchangeCode(server, await signIn(fields))
  expect([status, body.error_description]).toEqual([200, undefined])
  return body
}

function ask(fields: Fields | URLSearchParams, at = server): Promise<ApiResponse> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(fields).toString()
  return send(at, { method: 'POST', path: '/oauth/token', headers, body })
}

const robot = { grant_type: 'client_credentials', client_id: 'robot', client_secret: SECRET }

function refresh(refresh_token: string, fields: Fields = {}): Promise<ApiResponse> {
  return ask({ grant_type: 'refresh_token', client_id: 'app', refresh_token, ...fields })
}

function askApi(token: string, path = '/v1/organizations'): Promise<ApiResponse> {
  return send(server, { path, headers: { authorization: `Bearer ${token}` } })
}

/** Initializes a session with the tools of this server. */
function askTools(token: string): Promise<ApiResponse> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  return send(server, {
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream'
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  })
}

describe('a token for tools', () => {
  const named: [string, () => Fields, () => string][] = [
    ['those of this server', () => ({ resource: tools }), () => tools],
    ['those of this server, with a slash', () => ({ resource: `${tools}/` }), () => tools],
    ['those of this server, as audience', () => ({ audience: tools }), () => tools],
    ['those that run apart', () => ({ resource: APART }), () => APART],
    ['those that run apart, with a slash', () => ({ resource: `${APART}/` }), () => APART],
    ['the API', () => ({ resource: api }), () => api],
    ['nothing', () => ({}), () => api]
  ]
  it.each(named)('has its audience when it is requested with %s', async (_, fields, aud) => {
    const { access_token, refresh_token } = await grantFor(fields())
    expect(decodeJwt(access_token)).toMatchObject({ aud: aud(), azp: 'app', permissions })
    const { body } = await refresh(refresh_token)
    expect(decodeJwt(body.access_token)).toMatchObject({ aud: aud(), azp: 'app', permissions })
    const granted = await ask({ ...robot, ...fields() })
    expect(decodeJwt(granted.body.access_token)).toMatchObject({ aud: aud(), sub: 'robot@clients', permissions })
  })

  it('is accepted by its audience only', async () => {
    const granted = async (resource: string) => {
      const forAda = await grantFor({ resource })
      const forRobot = await ask({ ...robot, resource })
      return [forAda.access_token, forRobot.body.access_token]
    }
    const opened = async (resource: string) => {
      const answers = []
      for (const token of await granted(resource)) {
        answers.push([(await askApi(token)).status, (await askTools(token)).status])
      }
      return answers
    }
    expect(await opened(tools)).toEqual([
      [401, 200],
      [401, 200]
    ])
    expect(await opened(APART)).toEqual([
      [401, 401],
      [401, 401]
    ])
    // The tools of this server are in the same process.
    expect(await opened(api)).toEqual([
      [200, 200],
      [200, 200]
    ])
  })

  it('is refused by the API with the expected audience', async () => {
    const { access_token } = await grantFor({ resource: tools })
    const { body } = await askApi(access_token)
    const reason = `unexpected "aud" claim value; it should be ${api}`
    expect(body.message).toBe(`the token is not valid: ${reason}`)
    expect((await askApi(access_token, '/oauth/userinfo')).status).toBe(401)
  })

  it('is limited by scopes like one for the API', async () => {
    const { access_token, refresh_token } = await grantFor({
      resource: tools,
      scope: 'openid project:read feature:read'
    })
    expect(decodeJwt(access_token).permissions).toEqual(['project:read', 'feature:read'])
    const { body } = await refresh(refresh_token, { scope: 'feature:read', resource: tools })
    expect(decodeJwt(body.access_token)).toMatchObject({ aud: tools, permissions: ['feature:read'] })
    const unknown = await ask({ ...robot, resource: tools, scope: 'feature:raed' })
    expect(unknown.body).toMatchObject({ error: 'invalid_scope', scope: 'feature:raed' })
  })

  it('is not granted by a refresh token for another audience', async () => {
    const { refresh_token } = await grantFor({ resource: tools })
    const { status, body } = await refresh(refresh_token, { resource: api })
    expect([status, body.error]).toEqual([400, 'invalid_target'])
    expect(body.error_description).toBe(`resource should be ${tools}, got "${api}"`)
    // A refused request does not consume the token.
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  it('has a single audience, which the request selects from several granted ones', async () => {
    // Both parameters count, so these are two audiences.
    const both = { resource: tools, audience: APART }
    const unsaid = await exchangeCode(server, await signIn(both))
    expect([unsaid.status, unsaid.body.error]).toEqual([400, 'invalid_target'])
    const said = await exchangeCode(server, await signIn(both), 'app', { resource: APART })
    expect(decodeJwt(said.body.access_token).aud).toBe(APART)
    const unsaidAgain = await refresh(said.body.refresh_token)
    expect([unsaidAgain.status, unsaidAgain.body.error_description]).toEqual([
      400,
      `resource should be ${APART} or ${tools}, got nothing`
    ])
    const other = await refresh(said.body.refresh_token, { resource: tools })
    expect(decodeJwt(other.body.access_token).aud).toBe(tools)
    // The API is the default audience.
    const withApi = await exchangeCode(server, await signIn({ resource: tools, audience: api }))
    expect(decodeJwt(withApi.body.access_token).aud).toBe(api)
  })

  it('is granted only if the settings allow it', async () => {
    const plain = await serve(await accounts())
    for (const resource of [`${plain.url}/mcp`, APART]) {
      const { status, body } = await ask({ ...robot, resource }, plain)
      expect([status, body.error]).toEqual([403, 'access_denied'])
      const { location } = await signIn({ resource }, plain)
      expect(location?.searchParams.get('error')).toBe('access_denied')
    }
    const elsewhere = await ask({ ...robot, resource: 'https://tools.example.com/' })
    expect(elsewhere.body.error_description).toBe(
      `audience should be ${api} or ${tools} or ${APART}, got https://tools.example.com/`
    )
  })
})

describe('the setting of tool servers', () => {
  it.each([
    ['', []],
    [`tools=${APART}`, [{ clientId: 'tools', address: APART }]],
    [
      ' a.b@c-d = https://Tools.example.com , other=http://127.0.0.1:9000/mcp=a,',
      [
        { clientId: 'a.b@c-d', address: 'https://tools.example.com/' },
        { clientId: 'other', address: 'http://127.0.0.1:9000/mcp=a' }
      ]
    ]
  ])('parses %j', (BURGEE_TOOL_SERVERS, toolServers) => {
    expect(parseOptions([], { BURGEE_TOOL_SERVERS }).toolServers).toEqual(toolServers)
    expect(parseOptions([`--tool-servers=${BURGEE_TOOL_SERVERS}`], {}).toolServers).toEqual(toolServers)
  })

  const [noClient, noAddress] = ['names no client', 'has no usable address']
  it.each([
    ['nonsense', noClient],
    [APART, noClient],
    [`=${APART}`, noClient],
    [`${APART}=tools`, noClient],
    ['tools=', noAddress],
    ['tools=http://tools.example.com/mcp', noAddress],
    ['tools=ftp://127.0.0.1/mcp', noAddress],
    ['tools=https://tools.example.com/mcp?a=b', noAddress],
    ['tools=https://tools.example.com/mcp#a', noAddress],
    ['tools=https://ada@tools.example.com/mcp', noAddress]
  ])('refuses %j', (wrong, reason) => {
    const read = () => parseOptions([], { BURGEE_TOOL_SERVERS: `tools=${APART}, ${wrong}` })
    expect(read).toThrow(OptionError)
    expect(read).toThrow(`: ${wrong} ${reason}. Separate tool servers (burgee-mcp --http)`)
  })
})
