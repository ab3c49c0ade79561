import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { call, options, type TestServer, tokenOf } from '@burgee/testing/harness'
import { claimsOf, signingKeyOf } from '@burgee/testing/personToken'
import { idOf } from '@burgee/testing/plan'
import type { Running } from '@burgee/testing/vitest/executable'
import { serveAda } from '@burgee/testing/vitest/signInAsAda'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { makeHome, run, start } from '../executable/program.ts'
import { addCleanup } from '../support/context.ts'
import { unreachable } from '../support/unreachable.ts'
import { headersOf, metaOf, requestOf } from './wire.ts'

const PUBLIC_URL = 'https://tools.example.com'
const ADA = `burgee|${idOf('ada@example.com')}`

let server: TestServer
let environment: Readonly<Record<string, string>>
let running: Running
let address: string

beforeAll(async () => {
  const toolServers = [{ clientId: options.adminClientId, address: `${PUBLIC_URL}/mcp` }]
  server = await serveAda({ features: [{ key: 'checkout' }] }, { toolServers })
  environment = {
    ...(await makeHome()).environment,
    SERVICE_API_URL: server.url,
    SERVICE_CLIENT_ID: options.adminClientId,
    SERVICE_CLIENT_SECRET: options.adminClientSecret,
    SERVICE_PROJECT_KEY: 'shop'
  }
  running = start(['--http', '--port', '0', '--public-url', PUBLIC_URL], environment)
  address = await addressOf(running)
})

/** Waits for the address of a tool server. */
async function addressOf({ stderr }: Running): Promise<string> {
  await vi.waitFor(() => expect(stderr()).toContain('burgee-mcp listening'), { timeout: 60_000 })
  const line = stderr()
    .split('\n')
    .find((text) => text.includes('burgee-mcp listening'))
  return JSON.parse(line ?? '').address
}

/** Issues a token of Ada for the tool server, optionally with other claims. */
async function token(claims: Readonly<Record<string, unknown>> = {}, typ = 'at+jwt'): Promise<string> {
  const key = await signingKeyOf(server)
  const now = Date.now()
  const iat = Math.floor(now / 1000)
  const ada = { ...claimsOf(server, ADA), iat, iat_ms: now, exp: iat + 600 }
  return new SignJWT({ ...ada, aud: `${PUBLIC_URL}/mcp`, scope: 'everything', ...claims })
    .setProtectedHeader({ alg: 'RS256', typ, kid: key.kid })
    .sign(key)
}

/** Calls a tool with this bearer token. */
function callTool(bearer: string, name: string, args: object = {}, at = address): Promise<Response> {
  return fetch(`${at}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headersOf('tools/call', name)
    },
    body: JSON.stringify(requestOf(1, 'tools/call', { name, arguments: args, _meta: metaOf() }))
  })
}

async function resultOf(response: Response) {
  const text = await response.text()
  const [, data = text] = /^data: (.*)$/m.exec(text) ?? []
  return JSON.parse(data).result
}

describe('burgee-mcp --http', () => {
  it('calls the API with a token that was exchanged for the caller', async () => {
    const response = await callTool(await token(), 'create_variable', { key: 'banner', type: 'Boolean' })
    expect(response.status).toBe(200)
    const { structuredContent } = await resultOf(response)
    expect(structuredContent.result).toMatchObject({ confirmationRequired: true })
    const features = await resultOf(await callTool(await token(), 'list_features'))
    expect(features.structuredContent.result[0].key).toBe('checkout')
  })

  it('records the person in the audit log', async () => {
    const bearer = await token()
    const given = { key: 'by-ada', type: 'Boolean' }
    const { structuredContent } = await resultOf(await callTool(bearer, 'create_variable', given))
    const { confirmationToken } = structuredContent.result
    const done = await resultOf(await callTool(bearer, 'create_variable', { ...given, confirmationToken }))
    expect(done.structuredContent.result.key).toBe('by-ada')
    const { body } = await call(server, 'listAuditEntries')
    const entry = body.find((one: object) => JSON.stringify(one).includes('by-ada'))
    expect(entry).toMatchObject({ actor: 'assistant', idp_user: ADA, assistant: 'test-host 1.0.0', source: 'mcp' })
  })

  it('exchanges a token once for several calls', async () => {
    const bearer = await token()
    const count = () => server.logs.filter((line) => JSON.parse(line).operation === 'token').length
    await callTool(bearer, 'list_features')
    const before = count()
    expect(before).toBeGreaterThan(0)
    for (const _ of [1, 2]) expect((await resultOf(await callTool(bearer, 'list_features'))).isError).toBeUndefined()
    expect(count()).toBe(before)
  })

  it('serves protected resource metadata', async () => {
    const { headers } = await fetch(`${address}/mcp`, { method: 'POST' })
    const metadata = `${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`
    expect(headers.get('www-authenticate')).toContain(`resource_metadata="${metadata}"`)
    const response = await fetch(`${address}/.well-known/oauth-protected-resource/mcp`)
    expect(await response.json()).toMatchObject({
      resource: `${PUBLIC_URL}/mcp`,
      authorization_servers: [`${server.url}/`]
    })
    expect((await fetch(`${address}/elsewhere`)).status).toBe(404)
    for (const path of ['livez', 'readyz']) expect((await fetch(`${address}/${path}`)).status).toBe(200)
  })

  const refused = {
    'one that is for the API': async () => token({ aud: `${server.url}/` }),
    'one for another tool server': async () => token({ aud: 'https://tools.example.org/mcp' }),
    'one of another issuer': async () => token({ iss: 'https://elsewhere.example.com/' }),
    'one that has ended': async () => token({ exp: Math.floor(Date.now() / 1000) - 10 }),
    'one without an end': async () => token({ exp: undefined }),
    'one that is not an access token': async () => token({}, 'JWT'),
    'one of nobody': async () => token({ sub: undefined }),
    'one that was tampered with': async () => (await token()).replace(/\.[^.]{8}/, '.AAAAAAAA'),
    'one that is none': async () => 'not.a.token',
    "a client's own, for the API": async () => tokenOf(server),
    'one signed with a secret that everyone knows': async () => {
      return new SignJWT({ sub: 'ada', azp: 'app', aud: `${PUBLIC_URL}/mcp`, iss: `${server.url}/`, exp: 9e9 })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .sign(new TextEncoder().encode('a secret that everyone knows, and long enough'))
    }
  }
  it.each(Object.entries(refused))('refuses a token: %s', async (_, make) => {
    const response = await callTool(await make(), 'list_features')
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  it.each([
    ['not.a.token', 'its parts are not those of a JWT'],
    [`${btoa('{"alg":"HS256"}')}.e30.AAAA`, 'its algorithm (alg) should be RS256']
  ])('says why it refuses the token %s', async (sent, reason) => {
    const response = await callTool(sent, 'list_features')
    expect(response.headers.get('www-authenticate')).toContain(`the token is not valid: ${reason}`)
  })

  it('names the scope that a token lacks', async () => {
    const response = await callTool(await token({ scope: 'project:read' }), 'list_features')
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toMatch(
      /insufficient_scope.*feature:read|feature:read.*insufficient_scope/
    )
  })

  it('writes nothing to standard output, and no token anywhere', async () => {
    const bearer = await token()
    await callTool(bearer, 'list_features')
    expect(running.stdout()).toBe('')
    expect(running.stderr()).not.toContain(bearer.split('.')[2])
    expect(running.stderr()).not.toContain(options.adminClientSecret)
  })

  it('limits the calls of a caller, and stops on a signal despite open connections', async () => {
    const flags = ['--http', '--port', '0', '--public-url', PUBLIC_URL, '--rate-limit', '1']
    const other = start(flags, environment)
    const at = await addressOf(other)
    expect((await callTool(await token(), 'list_features', {}, at)).status).toBe(200)
    const { structuredContent } = await resultOf(await callTool(await token(), 'list_features', {}, at))
    expect(structuredContent.errorType).toBe('RATE_LIMIT_ERROR')
    other.kill('SIGTERM')
    expect((await other.ended).code).toBe(0)
  })

  it('starts while the Burgee server is down, and returns 503', async () => {
    const other = start(['--http', '--port', '0'], { ...environment, SERVICE_API_URL: await unreachable() })
    const at = await addressOf(other)
    const response = await callTool(await token(), 'list_features', {}, at)
    expect(response.status).toBe(503)
    expect([(await fetch(`${at}/livez`)).status, (await fetch(`${at}/readyz`)).status]).toEqual([200, 503])
    await expect.poll(other.stderr).toContain('is not reachable yet')
  })

  const elsewhere = () => ({ SERVICE_API_URL: server.url.replace('127.0.0.1', 'localhost') })
  const needed = /with --http, SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET are required/
  const unfit = {
    'without a secret': [[], () => ({ SERVICE_CLIENT_SECRET: '' }), 2, needed],
    'for everyone, without a public URL': [['--host', '0.0.0.0'], () => ({}), 2, /--public-url/],
    'with a server that has another issuer': [[], elsewhere, 1, /has the issuer "http:/]
  } as const
  it.each(Object.entries(unfit))('does not start %s', async (_, [flags, changes, expected, says]) => {
    const { code, stderr } = await run(['--http', '--port', '0', ...flags], { ...environment, ...changes() })
    expect(code).toBe(expected)
    expect(stderr).toMatch(says)
  })

  it('does not start on an address that is in use', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => void taken.listen(0, '127.0.0.1', resolve))
    addCleanup(() => void taken.close())
    const { port } = taken.address() as AddressInfo
    const { code, stderr } = await run(['--http', '--port', String(port)], environment)
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^burgee-mcp: cannot listen on [^\n]+EADDRINUSE[^\n]+--port\n$/)
    ])
  })
})
