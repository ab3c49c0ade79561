import { addAccounts, authorize, exchangeCode, openBrowser } from '@burgee/testing/browser'
import { tokenOf as adminToken, call, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import type { Options } from '../src/cli/options.ts'
import { type Reply, type ToolClient, toolClient } from './support/toolClient.ts'

const PASSWORD = 'a quiet morning on the lake'

let server: TestServer
let ada: ToolClient

beforeAll(async () => {
  server = await serveTools()
  ada = await toolClient(server, await tokenOf('ada'))
})

/** A server with tools, a feature, an owner and a viewer. */
async function serveTools(settings: Partial<Options> = {}): Promise<TestServer> {
  const directory = await storeWith({ environments: { production: {} }, features: [{ key: 'checkout' }] })
  await addAccounts(directory, {
    people: [
      {
        email: 'ada@example.com',
        name: 'Ada',
        password: PASSWORD,
        roles: [{ role: 'organization_owner' }, { role: 'project_admin' }]
      },
      { email: 'vera@example.com', name: 'Vera', password: PASSWORD, roles: [{ role: 'viewer' }] }
    ],
    permissions: { mode: 'full' }
  })
  return serve(directory, { mcp: true, ...settings })
}

/** A tool token of a signed-in user. */
async function tokenOf(name: string, at = server, scope = 'openid everything'): Promise<string> {
  const browser = openBrowser(at)
  const page = await authorize(browser, { resource: `${at.url}/mcp`, scope })
  const consent = await browser.submit(page, 'login', { email: `${name}@example.com`, password: PASSWORD })
  const { body } = await exchangeCode(at, await browser.submit(consent, 'consent'))
  expect(body.access_token).toEqual(expect.any(String))
  return body.access_token
}

/** A call of each tool that calls the API, in a valid order. */
const toolCalls: readonly (readonly [string, object])[] = [
  ['select_project', {}],
  ['get_current_project', {}],
  ['list_features', {}],
  ['create_feature', { key: 'fresh', name: 'Fresh' }],
  ['update_feature', { key: 'fresh', name: 'Fresher' }],
  ['get_feature_audit_log_history', { feature_key: 'fresh' }],
  ['get_feature_total_evaluations', { featureKey: 'fresh' }],
  ['get_project_total_evaluations', {}],
  ['get_self_targeting_identity', {}],
  ['update_self_targeting_identity', { svc_user_id: 'ada' }],
  [
    'set_self_targeting_override',
    { feature_key: 'fresh', environment_key: 'production', variation_key: 'variation-on' }
  ],
  ['list_self_targeting_overrides', {}],
  ['update_self_targeting_identity', { svc_user_id: 'ada-again' }],
  ['clear_feature_self_targeting_overrides', { feature_key: 'fresh', environment_key: 'production' }],
  ['list_variables', {}],
  ['create_variable', { key: 'title', type: 'String', _feature: 'fresh', defaultValue: 'Pay' }],
  ['update_variable', { key: 'title', name: 'Title' }],
  ['create_variable', { key: 'loose', type: 'String' }],
  ['delete_variable', { key: 'loose' }],
  ['update_feature_status', { key: 'fresh', status: 'complete', staticVariation: 'variation-on' }],
  ['delete_feature', { key: 'fresh' }]
]

/** The error in a tool result. */
function failureIn({ isError, content }: Reply) {
  expect(isError).toBe(true)
  return JSON.parse(content[0]?.text ?? '')
}

describe('a server with tools', () => {
  it('acts for the user who calls, and the audit log names them', async () => {
    const asked = { key: 'checkout', description: 'Pays', projectKey: 'shop' }
    const held = await ada.call('update_feature', asked)
    const { confirmationToken } = held.structuredContent.result
    const done = await ada.call('update_feature', { ...asked, confirmationToken })
    expect(done.structuredContent.result).toMatchObject({ key: 'checkout', description: 'Pays' })
    const { body } = await call(server, 'getFeatureAudit', { params: { project: 'shop', feature: 'checkout' } })
    expect(body[0].idp_user).toBe(`burgee|${idOf('ada@example.com')}`)
    const made = { key: 'fresh', name: 'Fresh', projectKey: 'shop' }
    const { structuredContent } = await ada.call('create_feature', made)
    const { confirmationToken: token } = structuredContent.result
    const { result } = (await ada.call('create_feature', { ...made, confirmationToken: token })).structuredContent
    expect(result.source).toBe('mcp')
  })

  it('refuses the confirmation of another user', async () => {
    const asked = { key: 'checkout', name: 'Another', projectKey: 'shop' }
    const { confirmationToken } = (await ada.call('update_feature', asked)).structuredContent.result
    const administrator = await toolClient(server, await adminToken(server))
    const { errorType, errorMessage } = failureIn(
      await administrator.call('update_feature', { ...asked, confirmationToken })
    )
    expect([errorType, errorMessage]).toEqual(['VALIDATION_ERROR', expect.stringContaining('this caller')])
  })

  it('reports a missing role where no other token would help', async () => {
    const vera = await toolClient(server, await tokenOf('vera'))
    const asked = { key: 'mine', name: 'Mine', projectKey: 'shop' }
    const { confirmationToken } = (await vera.call('create_feature', asked)).structuredContent.result
    const { errorType, errorMessage } = failureIn(await vera.call('create_feature', { ...asked, confirmationToken }))
    expect([errorType, errorMessage]).toEqual(['PERMISSION_ERROR', expect.stringContaining('feature:write')])
  })

  it('requests another token if this one lacks the scope of a tool', async () => {
    const reader = await toolClient(server, await tokenOf('ada', server, 'openid feature:read project:read'))
    expect((await reader.call('list_features', { projectKey: 'shop' })).structuredContent.result).not.toHaveLength(0)
    const { status, headers } = await reader.send('tools/call', {
      name: 'delete_feature',
      arguments: { key: 'checkout' }
    })
    expect(status).toBe(403)
    expect(headers['www-authenticate']).toContain('error="insufficient_scope"')
    expect(headers['www-authenticate']).toMatch(/scope="feature:delete [^"]*feature:read/)
  })

  it('requests all scopes that a tool needs', async () => {
    const own = await serveTools()
    const nothing = await toolClient(own, await tokenOf('ada', own, 'openid audience:read'))
    const known = new Map<string, ToolClient>()
    for (const [tool, asked] of toolCalls) {
      const given = { ...asked, projectKey: 'shop' }
      const { status, headers } = await nothing.send('tools/call', { name: tool, arguments: given })
      expect([tool, status]).toEqual([tool, 403])
      const [, challenged = ''] = / scope="([^"]+)"/.exec(String(headers['www-authenticate'])) ?? []
      const scope = challenged.replace(/ ?audience:read/, '')
      // Overrides in a protected environment take another permission.
      const needed = tool.includes('self_targeting') ? `${scope} feature:publish` : scope
      const client = known.get(needed) ?? (await toolClient(own, await tokenOf('ada', own, `openid ${needed}`)))
      known.set(needed, client)
      const first = await client.call(tool, given)
      const confirmationToken = first.structuredContent?.result.confirmationToken
      const answer = confirmationToken ? await client.call(tool, { ...given, confirmationToken }) : first
      expect([tool, answer.isError && answer.content]).toEqual([tool, undefined])
    }
  })

  it('reports that the user can grant a permission that only the token lacks', async () => {
    const scope = 'openid feature:read feature:write environment:read project:read'
    const writer = await toolClient(server, await tokenOf('ada', server, scope))
    const asked = { key: 'checkout', configurations: { production: { status: 'inactive' } }, projectKey: 'shop' }
    const failure = failureIn(await writer.call('update_feature', asked))
    expect(failure.errorType).toBe('PERMISSION_ERROR')
    expect(failure.suggestions).toEqual([expect.stringContaining('lacks the scope feature:publish')])
  })

  it('rejects a disabled user at once', async () => {
    const own = await serveTools()
    const vera = await toolClient(own, await tokenOf('vera', own))
    expect((await vera.send('tools/list', {})).status).toBe(200)
    const { body } = await call(own, 'listUsers', { params: {} })
    const { _id: user } = body.find(({ email }: { email: string }) => email === 'vera@example.com')
    await call(own, 'updateUser', { params: { user }, body: { isDisabled: true } })
    expect((await vera.send('tools/list', {})).status).toBe(401)
  })

  it('counts and logs MCP requests and the API requests of tools', async () => {
    const { headers } = await ada.send('tools/list', {})
    expect(headers['x-request-id']).toMatch(/^[\w-]+$/)
    const { body } = await send(server, { path: '/metrics' })
    expect(body).toMatch(
      /^burgee_http_request_duration_seconds_count\{operation="mcp",method="POST",status="200"\} \d+$/m
    )
    expect(body).toMatch(/operation="updateFeature",method="PATCH",status="200"/)
    await expect.poll(() => server.logs.find((line) => line.includes('"operation":"mcp"'))).toBeDefined()
    const logLine = server.logs.find((line) => line.includes('tool call completed') && line.includes('update_feature'))
    expect(JSON.parse(logLine ?? '{}')).toMatchObject({ caller: expect.stringMatching(/ by app$/) })
    expect(server.logs.filter((line) => /confirmationToken|Bearer/.test(line))).toEqual([])
  })
})

describe('a page of another origin', () => {
  const origin = 'https://shop.example'

  it.each(['OPTIONS', 'POST', 'GET'])('cannot read the tools by %s', async (method) => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    const { status, headers } = await send(server, { method, path: '/mcp', headers: { origin, ...asked } })
    expect(status).toBe(403)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('can read the metadata of the authorization server, and other public resources', async () => {
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/v1/projects']) {
      const { headers } = await send(server, { path, headers: { origin } })
      expect(headers['access-control-allow-origin']).toBe('*')
    }
  })
})

describe('the settings of the tool server', () => {
  test('can turn the tools off', async () => {
    const plain = await serve({})
    for (const path of ['/mcp', '/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      expect((await send(plain, { path })).status).toBe(404)
    }
  })

  test('never enable the former SSE transport', async () => {
    expect((await send(server, { path: '/sse', headers: { accept: 'text/event-stream' } })).status).toBe(404)
  })

  test('can restrict the tools to reading and to some groups, and hide keys', async () => {
    const own = await serveTools({ mcpReadOnly: true, mcpCategories: ['variables'], mcpNoSdkKeys: true })
    const client = await toolClient(own, await tokenOf('ada', own))
    const { tools } = await client.ask('tools/list', {})
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'select_project',
      'get_current_project',
      'list_variables'
    ])
    const { structuredContent } = await client.call('select_project', { projectKey: 'shop' })
    expect(JSON.stringify(structuredContent)).not.toMatch(/"(server|client|mobile)-/)
  })

  test('can turn confirmations off, and link to a dashboard', async () => {
    const own = await serveTools({ mcpConfirm: 'never', dashboardUrl: 'https://app.example.com' })
    const client = await toolClient(own, await tokenOf('ada', own))
    const { structuredContent } = await client.call('update_feature', {
      key: 'checkout',
      name: 'Now',
      projectKey: 'shop'
    })
    expect(structuredContent.result.name).toBe('Now')
    expect(structuredContent.dashboardLink).toMatch(/^https:\/\/app\.example\.com\//)
  })

  test('limit the tool calls of a caller, and the error has the time to retry', async () => {
    const own = await serveTools({ mcpRateLimit: 2 })
    const client = await toolClient(own, await tokenOf('ada', own))
    const other = await toolClient(own, await tokenOf('vera', own))
    for (let count = 0; count < 2; count++) await client.call('list_features', { projectKey: 'shop' })
    const failure = failureIn(await client.call('list_features', { projectKey: 'shop' }))
    expect(failure).toMatchObject({ errorType: 'RATE_LIMIT_ERROR', toolName: 'list_features' })
    expect(failure.suggestions[0]).toMatch(/^Wait \d+ seconds and try again\.$/)
    expect((await other.call('list_features', { projectKey: 'shop' })).isError).toBeFalsy()
  })

  test('place the tools below the public URL', async () => {
    const own = await serve({}, { mcp: true, publicUrl: 'https://flags.example.com/burgee' })
    const metadata = 'https://flags.example.com/burgee/.well-known/oauth-protected-resource/mcp'
    for (const path of ['/mcp', '/burgee/mcp']) {
      const { status, headers } = await send(own, { method: 'POST', path, headers: { host: 'flags.example.com' } })
      expect([status, headers['www-authenticate']]).toEqual([
        401,
        expect.stringContaining(`resource_metadata="${metadata}"`)
      ])
    }
    const { body } = await send(own, { path: '/.well-known/oauth-protected-resource/burgee/mcp' })
    expect(body).toMatchObject({
      resource: 'https://flags.example.com/burgee/mcp',
      authorization_servers: ['https://flags.example.com/burgee/']
    })
  })
})

test('allow a stop with open sessions, which lets a running call finish', async () => {
  const own = await serveTools()
  const client = await toolClient(own, await tokenOf('ada', own))
  const calls = Array.from({ length: 5 }, () => client.call('list_features', { projectKey: 'shop' }))
  // A call that has not begun is refused.
  await expect
    .poll(() => own.logs.filter((line) => line.includes('tool called')), { interval: 1 })
    .toHaveLength(calls.length)
  const closing = own.close()
  for (const { structuredContent } of await Promise.all(calls)) expect(structuredContent.total).toBe(1)
  await closing
})
