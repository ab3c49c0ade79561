import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { idOf, keyOf, NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { defaultSettings } from '../../src/flags/projects/defaultSettings.ts'
import { openStore } from '../../src/storage/open/openStore.ts'

let server: TestServer

beforeAll(async () => {
  server = await serve({})
})

function create(body: object): Promise<ApiResponse> {
  return call(server, 'createProject', { body })
}

function get(key: string): Promise<ApiResponse> {
  return call(server, 'getProject', { params: { key } })
}

/** The audit entries of one project, or all of them. */
async function entries(of: TestServer, project?: string): Promise<ApiResponse['body']> {
  return (await call(of, 'listAuditEntries', { query: project === undefined ? {} : { project } })).body
}

describe('a new project', () => {
  it('has the given members and default settings', async () => {
    const given = { key: 'web-shop', name: 'Web shop', description: 'Sells', color: '#1d4ed8' }
    const { status, body } = await create(given)
    expect(status).toBe(201)
    expect(body).toEqual({
      ...given,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      _organization: 'org_test',
      _createdBy: 'test-admin@clients',
      settings: defaultSettings,
      createdAt: new Date(NOW).toISOString(),
      updatedAt: new Date(NOW).toISOString(),
      hasIssueTrackerIntegration: false,
      issueTrackerBaseUrl: '',
      hasReceivedCodeUsages: false,
      hasUserConfigFetch: false,
      readonly: false
    })
    expect((await get('web-shop')).body).toEqual(body)
  })

  it('merges the given settings with the defaults', async () => {
    const { body } = await create({
      key: 'settled',
      name: 'Settled',
      settings: { optIn: { enabled: true, title: 'Early' } }
    })
    expect(body.settings).toEqual({ ...defaultSettings, optIn: { enabled: true, title: 'Early' } })
  })

  it('starts with three environments in order, with one SDK key of each type that is valid at once', async () => {
    await create({ key: 'fresh', name: 'Fresh' })
    const { body, headers } = await call(server, 'listEnvironments', { params: { project: 'fresh' } })
    expect(headers.count).toBe('3')
    expect(body.map(({ key, name, type }: { key: string; name: string; type: string }) => [key, name, type])).toEqual([
      ['development', 'Development', 'development'],
      ['staging', 'Staging', 'staging'],
      ['production', 'Production', 'production']
    ])
    for (const { sdkKeys } of body) {
      for (const type of ['mobile', 'client', 'server']) {
        expect(sdkKeys[type]).toEqual([
          {
            key: expect.stringMatching(new RegExp(`^${type}-burgee_[\\w-]{32}[0-9A-Za-z]{6}$`)),
            createdAt: new Date(NOW).toISOString(),
            compromised: false,
            compromised_url: ''
          }
        ])
      }
    }
    const key = body[0].sdkKeys.server[0].key
    expect((await call(server, 'evaluateVariables', { key, body: { user_id: 'ada' } })).status).toBe(200)
  })

  it('leaves one audit entry without any SDK key', async () => {
    await create({ key: 'audited', name: 'Audited' })
    const { body: environments } = await call(server, 'listEnvironments', { params: { project: 'audited' } })
    const found = await entries(server, 'audited')
    expect(found).toHaveLength(1)
    expect(found[0].idp_user).toBe('test-admin@clients')
    expect(found[0].changes.map(({ type }: { type: string }) => type)).toEqual([
      'createdProject',
      'createdEnvironment',
      'createdEnvironment',
      'createdEnvironment'
    ])
    expect(found[0].changes[0].newContents).toMatchObject({
      key: 'audited',
      name: 'Audited',
      settings: defaultSettings
    })
    for (const { sdkKeys } of environments) {
      for (const [sdkKey] of Object.values<{ key: string }[]>(sdkKeys)) {
        expect(JSON.stringify(found)).not.toContain(sdkKey!.key)
      }
    }
  })

  test.each([
    [{ name: 'No key' }, 'key should be a string, got nothing'],
    [{ key: 'no-name' }, 'name should be a string, got nothing'],
    [{ key: 'Upper', name: 'x' }, 'key should have only'],
    [{ key: 'x', name: '' }, 'name should not be empty, got ""'],
    [{ key: 'x', name: 'x', description: 'x'.repeat(1001) }, 'description should have at most 1000 characters'],
    [{ key: 'x', name: 'x', color: 'red' }, 'color should be a hex colour'],
    [{ key: 'x', name: 'x', _id: idOf('x') }, 'property _id should not exist'],
    [{ key: 'x', name: 'x', _organization: 'org_mine' }, 'property _organization should not exist'],
    [{ key: 'x', name: 'x', _createdBy: 'me' }, 'property _createdBy should not exist'],
    [{ key: 'x', name: 'x', readonly: false }, 'property readonly should not exist'],
    [{ key: 'x', name: 'x', createdAt: new Date(NOW).toISOString() }, 'property createdAt should not exist'],
    [{ key: 'x', name: 'x', colour: '#fff' }, 'property colour should not exist'],
    [{ key: 'x', name: 'x', settings: { edgeDb: {} } }, 'property settings.edgeDb should not exist'],
    [{ key: 'x', name: 'x', settings: { edgeDB: { enabled: 'yes' } } }, 'settings.edgeDB.enabled should be a boolean'],
    [
      { key: 'x', name: 'x', settings: { staleness: { enabled: true } } },
      'property settings.staleness should not exist'
    ]
  ])('%j is refused', async (body, message) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(answer.body.message.join()).toContain(message)
    expect((await get('x')).status).toBe(404)
  })

  it('cannot reuse a key, and then stores nothing', async () => {
    const before = await entries(server)
    const { status, body } = await create({ key: 'shop', name: 'Another shop' })
    expect(status).toBe(409)
    expect(body).toMatchObject({
      message: "Duplicate key 'shop'",
      error: 'Conflict',
      errorType: 'ERR_DUPE_PROJECT_KEY'
    })
    expect(await entries(server)).toEqual(before)
  })
})

describe('reading projects', () => {
  it('finds one by key and by id', async () => {
    const byKey = await get('shop')
    expect(byKey.status).toBe(200)
    expect(byKey.body.name).toBe('Shop')
    expect((await get(idOf('shop'))).body).toEqual(byKey.body)
  })

  it('names the server as the creator of the first project', async () => {
    expect((await get('shop')).body._createdBy).toBe('burgee')
  })

  it('answers 404 for an unknown one', async () => {
    const { status, body } = await get('nope')
    expect(status).toBe(404)
    expect(body).toEqual({
      statusCode: 404,
      message: `Item with key 'nope' not found: there is no project "nope"`,
      error: 'Not Found'
    })
  })

  it('hides those of another organization', async () => {
    const { server: shared, key } = await serveLimited({}, ['project:read', 'project:write'], 'org_other')
    const params = { key: 'shop' }
    expect((await call(shared, 'getProject', { key, params })).status).toBe(404)
    expect((await call(shared, 'updateProject', { key, params, body: { name: 'Mine' } })).status).toBe(404)
    expect((await call(shared, 'listProjects', { key })).body).toEqual([])
  })

  it('shows whether the caller may change them', async () => {
    const { server: limited, key } = await serveLimited({}, ['project:read'])
    expect((await call(limited, 'getProject', { key, params: { key: 'shop' } })).body.readonly).toBe(true)
    expect((await call(limited, 'listProjects', { key })).body[0].readonly).toBe(true)
    const refused = await call(limited, 'updateProject', { key, params: { key: 'shop' }, body: { name: 'Mine' } })
    expect(refused.status).toBe(403)
  })
})

describe('listing projects', () => {
  let listed: TestServer

  beforeAll(async () => {
    listed = await serve({})
    const made = [
      ['beta', 'Zebra'],
      ['alpha', 'Yak'],
      ['gamma', 'Xenops']
    ]
    for (const [index, [key, name]] of made.entries()) {
      listed.clock.now = () => NOW + index + 1
      await call(listed, 'createProject', { body: { key, name } })
    }
  })

  test.each([
    [{}, ['gamma', 'alpha', 'beta', 'shop']],
    [{ sortOrder: 'asc' }, ['shop', 'beta', 'alpha', 'gamma']],
    [{ sortBy: 'key', sortOrder: 'asc' }, ['alpha', 'beta', 'gamma', 'shop']],
    [{ sortBy: 'name', sortOrder: 'asc' }, ['shop', 'gamma', 'alpha', 'beta']],
    [{ search: 'ALPH' }, ['alpha']],
    [{ search: 'zeb' }, ['beta']],
    [{ search: 'nothing like it' }, []],
    [{ createdBy: 'test-admin@clients' }, ['gamma', 'alpha', 'beta']],
    [{ createdBy: 'somebody@clients' }, []]
  ])('%j returns the matching ones in order', async (query, keys) => {
    const { body, headers } = await call(listed, 'listProjects', { query })
    expect(body.map(({ key }: { key: string }) => key)).toEqual(keys)
    expect(headers.count).toBe(String(keys.length))
  })

  test.each([
    [{ perPage: 3 }, ['gamma', 'alpha', 'beta']],
    [{ perPage: 3, page: 2 }, ['shop']],
    [{ perPage: 3, page: 3 }, []]
  ])('%j returns one page and the total count', async (query, keys) => {
    const { body, headers } = await call(listed, 'listProjects', { query })
    expect(body.map(({ key }: { key: string }) => key)).toEqual(keys)
    expect(headers.count).toBe('4')
  })

  test.each([
    { page: 0 },
    { perPage: 0 },
    { perPage: 1001 },
    { search: 'ab' },
    { sortBy: 'color' },
    { sortOrder: 'up' }
  ])('%j is refused', async (query) => {
    expect((await call(listed, 'listProjects', { query })).status).toBe(400)
  })
})

describe('changing a project', () => {
  async function connect(observabilityEnvironmentId: string): Promise<void> {
    const body = { observabilityEnvironmentId, accessToken: 'token', environmentUrl: 'https://example.com' }
    expect((await call(server, 'updateObservabilityIntegration', { body })).status).toBe(201)
  }

  function update(key: string, body: object): Promise<ApiResponse> {
    return call(server, 'updateProject', { params: { key }, body })
  }

  it('changes nothing without a difference', async () => {
    const { body: before } = await create({ key: 'steady', name: 'Steady' })
    server.clock.now = () => NOW + 60_000
    const { status, body } = await update('steady', { name: 'Steady', settings: { edgeDB: { enabled: false } } })
    expect([status, body]).toEqual([200, before])
    server.clock.now = () => NOW
  })

  it('replaces the members given and keeps the others', async () => {
    const { body: before } = await create({ key: 'changing', name: 'Before', description: 'Stays' })
    server.clock.now = () => NOW + 5
    const { status, body } = await update('changing', { name: 'After', color: '#fff' })
    server.clock.now = () => NOW
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, name: 'After', color: '#fff', updatedAt: new Date(NOW + 5).toISOString() })
    expect((await get('changing')).body).toEqual(body)
    const [entry] = await entries(server, 'changing')
    expect(entry.changes).toEqual([
      {
        type: 'modifiedProject',
        newContents: { name: 'After', color: '#fff' },
        previousContents: { name: 'Before' },
        metadata: { _id: body._id, key: 'changing' }
      }
    ])
  })

  it('changes its key but not its id', async () => {
    const { body } = await create({ key: 'old-key', name: 'Renamed' })
    expect((await update(body._id, { key: 'new-key' })).body.key).toBe('new-key')
    expect((await get('old-key')).status).toBe(404)
    expect((await get('new-key')).body._id).toBe(body._id)
  })

  it('merges settings at every depth', async () => {
    await create({ key: 'deep', name: 'Deep', settings: { obfuscation: { enabled: true } } })
    const settings = { obfuscation: { required: true }, optIn: { colors: { primary: '#000000' } } }
    const { body } = await update('deep', { settings })
    expect(body.settings).toEqual({
      ...defaultSettings,
      obfuscation: { enabled: true, required: true },
      optIn: { enabled: false, colors: { primary: '#000000', secondary: '#ffffff' } }
    })
    const next = await update('deep', { settings: { optIn: { colors: { secondary: '#111111' } } } })
    expect(next.body.settings.optIn.colors).toEqual({ primary: '#000000', secondary: '#111111' })
  })

  it('replaces the map of observability environments as a whole', async () => {
    await create({ key: 'mapped', name: 'Mapped' })
    for (const observabilityEnvironmentId of ['a', 'b', 'c']) await connect(observabilityEnvironmentId)
    await update('mapped', { settings: { observability: { environmentMap: { production: 'a', staging: 'b' } } } })
    const { body } = await update('mapped', { settings: { observability: { environmentMap: { production: 'c' } } } })
    expect(body.settings.observability).toEqual({ enabled: false, environmentMap: { production: 'c' } })
  })

  it('maps existing environments to connected observability systems', async () => {
    await connect('apm')
    const { body: made } = await create({ key: 'exact', name: 'Exact' })
    const { body: production } = await call(server, 'getEnvironment', {
      params: { project: 'exact', key: 'production' }
    })
    const map = (environmentMap: object, enabled = true) => {
      return update('exact', { settings: { observability: { enabled, environmentMap } } })
    }
    const unknown = 'settings.observability.environmentMap should name environments of the project by key or id'
    const unconnected = 'should be the observabilityEnvironmentId of a connected system'
    const answer = await map({ production: 'apm', nowhere: 'apm', staging: 'unknown', toString: 'apm' })
    expect([answer.status, answer.body.message]).toEqual([
      400,
      [
        `${unknown}, got "nowhere"`,
        `settings.observability.environmentMap.staging ${unconnected}, got "unknown"`,
        `${unknown}, got "toString"`
      ]
    ])
    expect((await get('exact')).body).toEqual(made)
    expect((await map({ [production._id]: 'apm', development: 'apm' })).status).toBe(200)
    // The ids of another project's environments are unknown in this one.
    await create({ key: 'inexact', name: 'Inexact' })
    const settings = { observability: { environmentMap: { [production._id]: 'apm' } } }
    expect((await update('inexact', { settings })).status).toBe(400)
  })

  it('keeps the mapping of a system that was disconnected', async () => {
    await connect('old')
    await connect('new')
    await create({ key: 'outlived', name: 'Outlived' })
    const map = (environmentMap: object) => update('outlived', { settings: { observability: { environmentMap } } })
    await map({ production: 'old' })
    await call(server, 'deleteObservabilityIntegration', { params: { observabilityEnvironmentId: 'old' } })
    expect((await update('outlived', { name: 'Another' })).body.settings.observability.environmentMap).toEqual({
      production: 'old'
    })
    expect((await map({ production: 'old', staging: 'new' })).status).toBe(200)
    expect((await map({ production: 'new', staging: 'old' })).status).toBe(400)
  })

  it('reaches evaluations at once', async () => {
    const kept = await serve({})
    const edgeUser = { params: { user_id: 'ada' }, body: { user_id: 'ada', country: 'CA' } }
    expect((await call(kept, 'updateEdgeUser', edgeUser)).status).toBe(400)
    await call(kept, 'updateProject', { params: { key: 'shop' }, body: { settings: { edgeDB: { enabled: true } } } })
    expect((await call(kept, 'updateEdgeUser', edgeUser)).status).toBe(200)
  })

  test.each([
    [{ key: '' }, 'key should not be empty'],
    [{ _id: idOf('x') }, 'property _id should not exist'],
    [{ hasUserConfigFetch: true }, 'property hasUserConfigFetch should not exist'],
    [{ settings: { featureApprovalWorkflow: {} } }, 'property settings.featureApprovalWorkflow should not exist'],
    [{ settings: { optIn: { colors: { primary: 'red' } } } }, 'settings.optIn.colors.primary should be a hex colour'],
    [
      { settings: { optIn: { imageURL: 'data:text/html,x' } } },
      'settings.optIn.imageURL should be an http or https URL'
    ]
  ])('%j is refused and changes nothing', async (body, message) => {
    const before = await get('shop')
    const answer = await update('shop', { name: 'Half', ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.message.join()).toContain(message)
    expect((await get('shop')).body).toEqual(before.body)
  })

  it('refuses a taken key', async () => {
    await create({ key: 'second', name: 'Second' })
    const before = await entries(server)
    const answer = await update('second', { name: 'Half', key: 'shop' })
    expect(answer.status).toBe(409)
    expect((await get('second')).body.name).toBe('Second')
    expect(await entries(server)).toEqual(before)
  })

  it('answers 404 for an unknown one', async () => {
    expect((await update('nope', { name: 'x' })).status).toBe(404)
  })

  it('requires a further permission for settings', async () => {
    const { server: limited, key } = await serveLimited({}, ['project:read', 'project:write'])
    const change = (body: object) => call(limited, 'updateProject', { key, params: { key: 'shop' }, body })
    expect((await change({ name: 'Mine' })).status).toBe(200)
    const refused = await change({ name: 'Yours', settings: { edgeDB: { enabled: true } } })
    expect(refused.status).toBe(403)
    expect(refused.body.message).toBe('this operation requires the permission project:write:settings')
    expect((await call(limited, 'getProject', { key, params: { key: 'shop' } })).body.name).toBe('Mine')
  })
})

describe('the settings of a project', () => {
  it('for publishers are merged with the others', async () => {
    const { body: before } = await create({ key: 'published', name: 'Published' })
    const settings = {
      disablePassthroughRollouts: true,
      optIn: { enabled: true },
      staleness: { unused: { enabled: false }, email: { users: ['ada@example.com'] } }
    }
    const params = { key: before._id }
    server.clock.now = () => NOW + 1
    const { status, body } = await call(server, 'updateProjectSettings', { params, body: { settings } })
    server.clock.now = () => NOW
    expect(status).toBe(200)
    const { staleness } = defaultSettings
    expect(body.settings).toEqual({
      ...defaultSettings,
      disablePassthroughRollouts: true,
      optIn: { enabled: true },
      staleness: {
        ...staleness,
        unused: { enabled: false },
        email: { ...staleness.email, users: ['ada@example.com'] }
      }
    })
    const [entry] = await entries(server, 'published')
    expect(entry.changes).toEqual([
      {
        type: 'modifiedProject',
        newContents: { settings: body.settings },
        previousContents: { settings: defaultSettings },
        metadata: { _id: expect.any(String), key: 'published' }
      }
    ])
  })

  it('for administrators are merged with the others', async () => {
    await create({ key: 'protected', name: 'Protected' })
    const settings = { featureApprovalWorkflow: { enabled: true }, staleness: { enabled: true } }
    const answer = await call(server, 'updateProtectedSettings', { params: { key: 'protected' }, body: { settings } })
    expect(answer.status).toBe(200)
    expect(answer.body.settings).toEqual({
      ...defaultSettings,
      featureApprovalWorkflow: { ...defaultSettings.featureApprovalWorkflow, enabled: true },
      staleness: { ...defaultSettings.staleness, enabled: true }
    })
  })

  test.each([
    ['updateProjectSettings', {}, 'settings should be an object, got nothing'],
    ['updateProjectSettings', { settings: {} }, 'settings.disablePassthroughRollouts should be a boolean, got nothing'],
    [
      'updateProjectSettings',
      { settings: { disablePassthroughRollouts: true, edge: {} } },
      'property settings.edge should not exist'
    ],
    ['updateProtectedSettings', {}, 'settings should be an object, got nothing'],
    ['updateProtectedSettings', { settings: { staleness: null } }, 'settings.staleness should be an object, got null'],
    [
      'updateProtectedSettings',
      { settings: { featureApprovalWorkflow: {}, staleness: {}, edgeDB: { enabled: true } } },
      'property settings.edgeDB should not exist'
    ],
    [
      'updateProtectedSettings',
      {
        settings: {
          featureApprovalWorkflow: {},
          staleness: { email: { lastNotification: new Date(NOW).toISOString() } }
        }
      },
      'property settings.staleness.email.lastNotification should not exist'
    ],
    [
      'updateProtectedSettings',
      { settings: { featureApprovalWorkflow: {}, staleness: { email: { frequency: 'hourly' } } } },
      'settings.staleness.email.frequency should be one of weekly, biweekly, monthly'
    ]
  ] as const)('%s refuses %j and changes nothing', async (operation, body, message) => {
    const before = await get('shop')
    const answer = await call(server, operation, { params: { key: 'shop' }, body })
    expect(answer.status).toBe(400)
    expect(answer.body.message.join()).toContain(message)
    expect((await get('shop')).body).toEqual(before.body)
  })

  test.each([
    ['updateProjectSettings', { disablePassthroughRollouts: true }],
    ['updateProtectedSettings', { featureApprovalWorkflow: {}, staleness: {} }]
  ] as const)('%s answers 404 for an unknown project', async (operation, settings) => {
    expect((await call(server, operation, { params: { key: 'nope' }, body: { settings } })).status).toBe(404)
  })
})

describe('deleting a project', () => {
  it('deletes everything in it, and nothing else', async () => {
    const full = await serve(await storeOfEverything())
    await call(full, 'createProject', { body: { key: 'other', name: 'Other' } })
    const { status, body } = await call(full, 'deleteProject', { params: { key: idOf('shop') } })
    expect([status, body]).toEqual([200, undefined])
    expect((await call(full, 'getProject', { params: { key: 'shop' } })).status).toBe(404)
    expect((await call(full, 'listEnvironments', { params: { project: 'shop' } })).status).toBe(404)
    expect((await call(full, 'evaluateVariables', { key: keyOf('server'), body: { user_id: 'ada' } })).status).toBe(401)
    expect((await call(full, 'listEnvironments', { params: { project: 'other' } })).headers.count).toBe('3')

    await full.close()
    const store = await openStore(toStoreUrl(full.directory))
    const other = await store.collection('projects').get({ key: 'other' })
    for (const name of inProjects) {
      const { items } = await store.collection(name).list()
      // The rest belongs to the new project or to the organization.
      const owners = items.map((item) => ('_project' in item ? item._project : undefined))
      const isKept = (owner: string | undefined) => owner === other!._id || (owner === undefined && name !== 'optIns')
      expect([name, owners.filter((owner) => !isKept(owner))]).toEqual([name, []])
    }
    expect((await store.collection('issueTrackers').list()).count).toBe(1)
    await store.close()
  })

  it('succeeds even if the stored data of its users cannot be removed', async () => {
    const pair = await serve({ settings: { edgeDB: { enabled: true } } })
    await call(pair, 'createProject', { body: { key: 'other', name: 'Other' } })
    const edgeUser = { params: { user_id: 'ada' }, body: { user_id: 'ada', country: 'CA' } }
    expect((await call(pair, 'updateEdgeUser', edgeUser)).status).toBe(200)
    await rm(join(pair.directory, 'users.jsonl'))
    expect((await call(pair, 'updateEdgeUser', edgeUser)).status).toBe(503)
    expect((await call(pair, 'deleteProject', { params: { key: 'shop' } })).status).toBe(200)
    expect((await call(pair, 'getProject', { params: { key: 'shop' } })).status).toBe(404)
  })

  it('leaves an audit entry of the organization', async () => {
    const pair = await serve({})
    await call(pair, 'createProject', { body: { key: 'doomed', name: 'Doomed' } })
    pair.clock.now = () => NOW + 1
    await call(pair, 'deleteProject', { params: { key: 'doomed' } })
    const all = await entries(pair)
    // The entries about its changes remain.
    expect(all).toHaveLength(2)
    expect(all[0].changes).toMatchObject([
      { type: 'deletedProject', newContents: null, previousContents: { key: 'doomed' } }
    ])
    expect(all[0]).not.toHaveProperty('_project')
    const gone = await call(pair, 'listAuditEntries', { query: { project: all[1]._project } })
    expect(gone.body).toEqual([all[1]])
    expect((await call(pair, 'listAuditEntries', { query: { project: 'doomed' } })).status).toBe(404)
  })

  it('is refused for the last one', async () => {
    const lonely = await serve({})
    const { status, body } = await call(lonely, 'deleteProject', { params: { key: 'shop' } })
    expect(status).toBe(405)
    expect(body).toEqual({ statusCode: 405, message: 'Cannot DELETE last item', error: 'Method Not Allowed' })
    expect((await call(lonely, 'getProject', { params: { key: 'shop' } })).status).toBe(200)
  })

  it('answers 404 for an unknown one', async () => {
    expect((await call(server, 'deleteProject', { params: { key: 'nope' } })).status).toBe(404)
  })
})

describe('the stale features of a project', () => {
  test.each(['shop', idOf('shop')])('are none while the project does not detect them: %s', async (key) => {
    const query = { includeSilenced: true, perPage: 5 }
    const { status, body, headers } = await call(server, 'getStaleFeatures', { params: { key }, query })
    expect([status, body, headers.count]).toEqual([200, [], '0'])
  })

  it('answer 404 for an unknown project, and 400 for an invalid query', async () => {
    expect((await call(server, 'getStaleFeatures', { params: { key: 'nope' } })).status).toBe(404)
    const answer = await call(server, 'getStaleFeatures', {
      params: { key: 'shop' },
      query: { includeSilenced: 'maybe' }
    })
    expect(answer.status).toBe(400)
  })
})

const inProjects = [
  'environments',
  'features',
  'configurations',
  'variables',
  'audiences',
  'customProperties',
  'codeScans',
  'metrics',
  'metricAssociations',
  'profiles',
  'overrides',
  'webhooks',
  'issueTrackers',
  'issueLinks',
  'changeRequests',
  'edgeUsers',
  'optIns'
] as const

/** A store with an item of every collection in project `shop`, and a connection of the organization. */
async function storeOfEverything(): Promise<string> {
  const directory = await storeWith({ features: [{ key: 'checkout' }] })
  const store = await openStore(toStoreUrl(directory))
  const at = new Date(NOW).toISOString()
  const timestamps = { createdAt: at, updatedAt: at }
  for (const name of inProjects) {
    const item = {
      ...timestamps,
      _id: idOf(`one of ${name}`),
      _project: idOf('shop'),
      _environment: idOf('production')
    }
    const inNone = { _environment: idOf('production'), user_id: 'ada', choices: {} }
    // Of these items only the project matters.
    const made =
      name === 'optIns' ? { ...timestamps, _id: item._id, ...inNone } : { ...item, _environments: [], changes: [] }
    if (name !== 'environments') await store.collection(name).insert(made as never)
  }
  const ofOrganization = { tracker: 'jira', token: 'token', baseUrl: 'https://example.com', _organization: 'org_test' }
  await store.collection('issueTrackers').insert({ ...timestamps, _id: idOf('tracker'), ...ofOrganization })
  await store.close()
  return directory
}
