import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers } from '@burgee/testing/members'
import { sample } from '@burgee/testing/scale'
import { beforeAll, describe, expect, it } from 'vitest'
import { localTools, mountedTools, standaloneTools, TOOL_SERVER, tokenOf } from '../server/clientKinds.ts'
import { type Connection, connect, type Program } from '../server/connections.ts'
import { ask } from '../support/answers.ts'
import { type MisbehavingServer, startMisbehavingServer } from '../support/misbehavingServer.ts'
import { misbehaviours, sayJson, sayPage } from '../support/misbehaviours.ts'

const old: Program = { generation: 'first' }
const modern: Program = { generation: 'second', mode: 'pinned' }

/** Clients by their permissions. */
const clients = { keeper: ['organization_owner', 'project_admin'], viewer: ['viewer'], forgetful: [] }
const secrets: Record<string, string> = {}

let server: TestServer
let wayward: MisbehavingServer

/** A server behind a proxy that can misbehave, with clients that have all, only read and no permissions. */
beforeAll(async () => {
  wayward = await startMisbehavingServer()
  const directory = await storeWith(
    { features: [{ key: 'checkout' }, { key: 'project-404' }, { key: 'done', status: 'archived' }] },
    Date.now()
  )
  await addMembers(directory, { mode: 'full' })
  server = await serve(directory, { publicUrl: wayward.url, toolServers: [TOOL_SERVER] }, Date.now())
  server.clock.now = Date.now
  wayward.target = server.url
  for (const [clientId, roles] of Object.entries(clients)) {
    const body = { clientId, name: clientId, roles: roles.map((role) => ({ role })) }
    secrets[clientId] = (await call(server, 'createApiClient', { body })).body.clientSecret
  }
})

const transports = [
  ['stdio', old],
  ['HTTP', modern]
] as const

describe.each(sample(transports, 1, 'transports'))('over %s', (transport, program) => {
  let keeper: Connection
  let viewer: Connection

  beforeAll(async () => {
    if (transport === 'stdio') {
      keeper = await connect(program, await localTools(wayward, as('keeper')))
      viewer = await connect(program, await localTools(wayward, as('viewer')))
      return
    }
    const place = await standaloneTools(wayward)
    keeper = await connect(program, { ...place, token: await tokenOf(wayward, as('keeper')) })
    viewer = await connect(program, { ...place, token: await tokenOf(wayward, as('viewer')) })
  })

  it.each([
    ['create_feature', { key: 'a', name: 'A' }, 'feature:write'],
    ['update_feature_status', { key: 'checkout', status: 'archived' }, 'feature:write'],
    ['delete_feature', { key: 'checkout' }, 'feature:delete'],
    ['create_variable', { key: 'a', type: 'String' }, 'variable:write']
  ])('%s is a PERMISSION_ERROR for those who may only read', async (tool, given, permission) => {
    const { data } = await ask(viewer, tool, { ...given, projectKey: 'shop' })
    expect(data).toMatchObject({ errorType: 'PERMISSION_ERROR', errorMessage: expect.stringContaining(permission) })
    const read = await ask(viewer, 'list_features', { projectKey: 'shop', search: 'checkout' })
    expect(read.data.result).toHaveLength(1)
  })

  it('names the permission that an override in a protected environment requires', async () => {
    const identity = await ask(viewer, 'update_self_targeting_identity', { svc_user_id: 'eve', projectKey: 'shop' })
    expect(identity.data.result.svcUserId).toBe('eve')
    const override = { feature_key: 'checkout', environment_key: 'production', variation_key: 'variation-on' }
    const { data } = await ask(viewer, 'set_self_targeting_override', { ...override, projectKey: 'shop' })
    expect(data).toMatchObject({
      errorType: 'PERMISSION_ERROR',
      errorMessage: expect.stringContaining('feature:publish')
    })
  })

  it.each([
    ['update_feature', { key: 'nowhere', name: 'A' }],
    ['update_feature_status', { key: 'nowhere', status: 'archived' }],
    ['delete_feature', { key: 'not-found-401' }],
    ['get_feature_audit_log_history', { feature_key: 'project-not-found' }],
    ['get_feature_total_evaluations', { featureKey: 'unauthorized' }],
    ['list_variables', { feature: 'network' }],
    ['set_self_targeting_override', { feature_key: 'nowhere', environment_key: 'production', variation_key: 'on' }],
    ['clear_feature_self_targeting_overrides', { feature_key: 'checkout', environment_key: 'project' }],
    ['create_variable', { key: 'a', type: 'String', _feature: 'rate-limit' }],
    ['update_variable', { key: 'forbidden', name: 'A' }],
    ['delete_variable', { key: 'is-required' }]
  ])('%s of a missing resource is RESOURCE_NOT_FOUND, regardless of its name', async (tool, given) => {
    const { data } = await ask(keeper, tool, { ...given, projectKey: 'shop' })
    expect([tool, data]).toMatchObject([tool, { errorType: 'RESOURCE_NOT_FOUND' }])
    expect(data.suggestions[0]).toContain('list_features')
  })

  it('reports an unselected and a missing project as PROJECT_ERROR', async () => {
    for (const tool of ['list_features', 'delete_variable', 'get_self_targeting_identity', 'get_current_project']) {
      const given = tool === 'delete_variable' ? { key: 'checkout' } : {}
      const none = await ask(keeper, tool, given)
      expect([tool, none.data]).toMatchObject([tool, { errorType: 'PROJECT_ERROR' }])
      expect(none.data.errorMessage).toMatch(/^no project is selected/)
      const unknown = await ask(keeper, tool, { ...given, projectKey: 'shop-404' })
      expect([tool, unknown.data]).toMatchObject([tool, { errorType: 'PROJECT_ERROR' }])
      expect(unknown.data.errorMessage).toContain('shop-404')
      expect(unknown.data.suggestions.join()).toContain('select_project')
    }
    const { data } = await ask(keeper, 'select_project', { projectKey: 'elsewhere' })
    expect(data).toMatchObject({ errorType: 'PROJECT_ERROR', errorMessage: expect.stringContaining('elsewhere') })
  })

  it.each([
    ['a limit', 'list_features', { perPage: 1001 }, /perPage should be at most 1000, got 1001/],
    ['a key that is taken', 'create_feature', { key: 'project-404', name: 'A' }, /project-404/],
    ['a variable that is taken', 'create_variable', { key: 'checkout', type: 'Boolean' }, /checkout/],
    ['a variable that is in a feature', 'delete_variable', { key: 'project-404' }, /project-404/],
    ['a feature that is archived', 'update_feature', { key: 'done', name: 'A' }, /archived/],
    [
      'a value that the API alone can tell is wrong',
      'update_feature',
      { key: 'checkout', variations: [{ key: 'variation-on', name: 'On', variables: { checkout: 'yes' } }] },
      /checkout/
    ]
  ])('%s is a VALIDATION_ERROR', async (_what, tool, given, says) => {
    const { data } = await ask(keeper, tool, { ...given, projectKey: 'shop' })
    expect([tool, data]).toMatchObject([tool, { errorType: 'VALIDATION_ERROR' }])
    expect(data.errorMessage).toMatch(says)
    const isFeature = /^(create|update)_feature$/.test(tool)
    expect(data.suggestions.some((text: string) => text.includes('get_feature'))).toBe(isFeature)
  })

  it.each(misbehaviours)('$what is a $errorType', async ({ does, errorType, says, suggests }) => {
    wayward.misbehave = does
    try {
      const { data } = await ask(keeper, 'list_features', { projectKey: 'shop' })
      expect(data).toMatchObject({ errorType, errorMessage: expect.stringMatching(says) })
      if (suggests) expect(data.suggestions[0]).toBe(suggests)
      else expect(data.suggestions).toEqual([])
    } finally {
      wayward.misbehave = undefined
    }
    const { isError } = await ask(keeper, 'list_features', { projectKey: 'shop' })
    expect(isError).toBe(false)
  })

  it('reports an unknown tool as a protocol error', async () => {
    await expect(keeper.call('list_projects', {})).rejects.toMatchObject({ code: -32602 })
  })
})

describe('over stdio, with a wrong or unreachable server', () => {
  it('reports wrong credentials as AUTHENTICATION_ERROR, and repeated ones as RATE_LIMIT_ERROR with the time to wait', async () => {
    const wrong = { ...as('forgetful'), SERVICE_CLIENT_SECRET: 'something-else' }
    const connection = await connect(old, await localTools(server, wrong))
    for (let time = 0; time < 10; time++) {
      const { data } = await ask(connection, 'select_project')
      expect([time, data]).toMatchObject([time, { errorType: 'AUTHENTICATION_ERROR', toolName: 'select_project' }])
      expect(data.suggestions[0]).toContain('SERVICE_CLIENT_SECRET')
      expect(JSON.stringify(data)).not.toContain('something-else')
    }
    expectTooMany((await ask(connection, 'select_project')).data)
  })

  it('reports an unknown host as NETWORK_ERROR', async () => {
    const place = await localTools({ url: 'https://burgee-project-404.invalid' })
    const { data } = await ask(await connect(modern, place), 'select_project')
    expect(data).toMatchObject({
      errorType: 'NETWORK_ERROR',
      errorMessage: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/)
    })
  })

  it('reports another kind of server as SCHEMA_VALIDATION_ERROR, and no server as NETWORK_ERROR', async () => {
    const other = await startMisbehavingServer()
    const connection = await connect(modern, await localTools(other))
    const answers = [
      sayPage(200, '<!doctype html><title>Project not found</title>'),
      sayJson(200, { hello: '401' }),
      sayJson(404, { message: 'network' })
    ]
    for (const answer of answers) {
      other.misbehave = answer
      const { data } = await ask(connection, 'select_project')
      expect(data.errorType).toBe('SCHEMA_VALIDATION_ERROR')
      expect(data.suggestions[0]).toContain('SERVICE_API_URL')
    }
    other.close()
    const { data } = await ask(connection, 'select_project')
    expect(data).toMatchObject({ errorType: 'NETWORK_ERROR', errorMessage: expect.stringContaining('ECONNREFUSED') })
  })
})

describe('mounted in the server', () => {
  it('rejects invalid tokens before any tool, and too many calls with a RATE_LIMIT_ERROR with the time to wait', async () => {
    const mounted = await serve({}, { mcp: true, mcpRateLimit: 3 })
    const place = await mountedTools(mounted)
    for (const program of [old, modern]) {
      await expect(connect(program, { ...place, token: 'not.a.token' })).rejects.toThrow(/invalid_token|HTTP 401/)
    }
    const connection = await connect(modern, place)
    for (let time = 0; time < 3; time++) {
      const { isError } = await ask(connection, 'select_project')
      expect([time, isError]).toEqual([time, false])
    }
    expectTooMany((await ask(connection, 'select_project')).data)
  })
})

function expectTooMany({ errorType, suggestions }: { errorType: string; suggestions: readonly string[] }): void {
  expect(errorType).toBe('RATE_LIMIT_ERROR')
  expect(suggestions[0]).toMatch(/^Wait [1-9]\d* seconds and try again\.$/)
}

/** Returns the caller of a tool server. */
function as(clientId: string) {
  return { SERVICE_CLIENT_ID: clientId, SERVICE_CLIENT_SECRET: secrets[clientId] ?? '' }
}
