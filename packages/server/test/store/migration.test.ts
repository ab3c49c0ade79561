import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Operation, type Operations, operations, permissions } from '@burgee/contract'
import { type ApiResponse, call, options, send, serve, storeOnDisk, type TestServer } from '@burgee/testing/harness'
import { idOf, keyOf } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { formatDocument } from '../../src/storage/lowdb/document/storeDocument.ts'
import { version1Directory, version1Document } from './support/version1.ts'
import { version2Client, version2Directory } from './support/version2.ts'

const project = 'shop'
const users = {
  ada: { user_id: 'ada' },
  bob: { user_id: 'bob', country: 'CA' },
  eve: { user_id: 'eve', email: 'eve@shop.example' },
  // The store has Canada as the country of kim, and an opt-in of lee in production.
  kim: { user_id: 'kim' },
  lee: { user_id: 'lee' },
  max: { user_id: 'max' }
} as const

const compact = { layout: { columns: 1 } }
const wide = { layout: { columns: 3, rows: [] } }
const ten = { price: 'Your price', discount: 10 }
const twenty = { price: 'Special offer', discount: 20 }

/** The responses of version 1 for this store, on the same day. In production the feature `ended` is on, too. */
const answered: readonly [user: keyof typeof users, environment: string, values: object][] = [
  ['ada', 'production', { ...compact, checkout: false, ended: 'new' }],
  ['bob', 'production', { ...compact, checkout: true, ended: 'new' }],
  ['eve', 'production', { ...wide, ...ten, checkout: false, ended: 'new' }],
  ['kim', 'production', { ...compact, checkout: true, ended: 'new' }],
  ['lee', 'production', { ...compact, ...twenty, checkout: false, ended: 'new', beta: true }],
  ['max', 'production', { ...compact, ...ten, checkout: false, ended: 'new' }],
  ['ada', 'staging', { ...compact, checkout: false }],
  ['bob', 'staging', { ...compact, checkout: true }],
  ['eve', 'staging', { ...wide, ...ten, checkout: false }],
  ['kim', 'staging', { ...compact, checkout: true }],
  ['lee', 'staging', { ...compact, ...twenty, checkout: false }],
  ['max', 'staging', { ...compact, ...ten, checkout: false }]
]

/** The resources of the store, by their names in paths. */
const features = ['checkout', 'pricing', 'ended', 'gone', 'layout', 'beta']
const variables = ['checkout', 'price', 'discount', 'ended', 'gone', 'layout', 'beta', 'spare', 'put-away']

let server: TestServer

beforeAll(async () => {
  server = await serve(await version1Directory())
})

async function valuesOf(user: keyof typeof users, environment: string, at = server): Promise<object> {
  const given = { body: users[user], query: { enableEdgeDB: true }, key: keyOf('server', environment) }
  const { status, body } = await call(at, 'evaluateVariables', given)
  expect(status).toBe(200)
  const entries = Object.entries<{ value: unknown }>(body).map(([key, { value }]) => [key, value])
  return Object.fromEntries(entries)
}

/** Version 1 did not record which keys wrote the data of users. */
async function trustClients(at: TestServer): Promise<void> {
  const body = { settings: { trustClientWrites: true } }
  expect((await call(at, 'updateProject', { params: { key: project }, body })).status).toBe(200)
}

function ask(id: keyof Operations, params: Readonly<Record<string, string>>, more: object = {}): Promise<ApiResponse> {
  return call(server, id, { params: { project, ...params }, ...more })
}

describe('a store of schema version 1', () => {
  it('is backed up, migrated and logged', async () => {
    expect(await readFile(join(server.directory, 'db.json.v1.bak'), 'utf8')).toBe(version1Document)
    expect(JSON.parse(await readFile(join(server.directory, 'db.json'), 'utf8')).schemaVersion).toBe(8)
    const notices = server.logs.filter((line) => line.includes('schema version 1 to 8'))
    expect(notices).toHaveLength(1)
    expect(notices[0]).toContain('db.json.v1.bak')
  })

  let trusting: TestServer

  beforeAll(async () => {
    trusting = await serve(await version1Directory())
    await trustClients(trusting)
  })

  test.each(answered)('serves %s in %s like version 1', async (user, environment, values) => {
    expect(await valuesOf(user, environment, trusting)).toEqual(values)
  })

  it.each(['server', 'client', 'mobile'] as const)('keeps the %s keys of all environments', async (type) => {
    for (const environment of ['production', 'staging']) {
      const body = { context: { targetingKey: 'ada' } }
      const given = { params: { key: 'checkout' }, body, key: keyOf(type, environment) }
      const answer = await call(server, 'ofrepEvaluateFlag', given)
      expect([answer.status, answer.body.value, answer.body.variant]).toEqual([200, false, 'off'])
    }
  })

  it('keeps the visibility settings of features and projects', async () => {
    const body = { context: { targetingKey: 'lee' } }
    const statuses = ['client', 'mobile'].map(async (type) => {
      const given = { params: { key: 'beta' }, body, key: keyOf(type as 'client' | 'mobile') }
      return (await call(server, 'ofrepEvaluateFlag', given)).status
    })
    expect(await Promise.all(statuses)).toEqual([200, 404])
  })

  it('keeps the choices of users', async () => {
    const { body } = await call(server, 'getOptInConfig', { query: { user_id: 'lee' }, key: keyOf('client') })
    expect(body.settings).toMatchObject({ title: 'Early access', colors: { primary: '#1d4ed8' } })
    expect(body.features).toMatchObject([{ name: 'Try the beta', resolution: 'explicit', status: true }])
  })
})

describe('the management API returns', () => {
  it('the project and its settings, with defaults for later ones', async () => {
    const { status, body } = await call(server, 'getProject', { params: { key: project } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ _id: idOf('shop'), _organization: 'org_first', name: 'Shop' })
    expect(body.settings).toEqual({
      edgeDB: { enabled: true },
      optIn: { enabled: true, title: 'Early access', colors: { primary: '#1d4ed8', secondary: '#fff' } },
      sdkTypeVisibility: { enabledInFeatureSettings: true },
      disablePassthroughRollouts: false,
      lifeCycle: { disableCodeRefChecks: false },
      obfuscation: { enabled: false, required: false },
      observability: { enabled: false, environmentMap: {} },
      featureApprovalWorkflow: { enabled: false, allowPublisherBypass: false, defaultReviewers: [] },
      staleness: {
        enabled: false,
        released: { enabled: true },
        unmodifiedLong: { enabled: true },
        unmodifiedShort: { enabled: true },
        unused: { enabled: true },
        email: { enabled: false, frequency: 'weekly', users: [] }
      }
    })
  })

  it('one organization, named by the project', async () => {
    expect((await call(server, 'listOrganizations')).body).toMatchObject([{ id: 'org_first' }])
    expect((await call(server, 'listProjects')).headers.count).toBe('1')
  })

  it.each(['production', 'staging'])('the environment %s and its keys', async (key) => {
    const { status, body } = await ask('getEnvironment', { key })
    expect(status).toBe(200)
    expect(body.sdkKeys.server).toMatchObject([{ key: keyOf('server', key), compromised: false }])
    expect(body.settings).toEqual(key === 'production' ? { ofrepOffValues: true } : {})
  })

  it.each(features)('the feature %s, by key and by id, with its first variation as the control', async (feature) => {
    const { status, body } = await ask('getFeature', { feature })
    expect(status).toBe(200)
    expect(body).toEqual((await ask('getFeature', { feature: idOf(feature) })).body)
    expect(body).toMatchObject({ source: 'api', controlVariation: body.variations[0].key, tags: ['first'] })
    expect(body.configurations.map(({ _environment }: { _environment: string }) => _environment)).toEqual([
      idOf('production'),
      idOf('staging')
    ])
  })

  it('values by the keys of variables', async () => {
    const { body } = await ask('listVariations', { feature: 'pricing' })
    expect(body.map((variation: { variables: object }) => variation.variables)).toEqual([
      { price: 'Price', discount: 0 },
      ten,
      twenty
    ])
  })

  it('targets under the ids that users are bucketed by', async () => {
    const { body } = await ask('listFeatureConfigurations', { feature: 'pricing' })
    for (const { targets } of body) {
      expect(targets).toMatchObject([{ _id: idOf('target pricing 0'), rollout: { type: 'gradual' } }])
    }
  })

  it('one target for all users in each environment of a complete feature, on or off as it was', async () => {
    const { body } = await ask('listFeatureConfigurations', { feature: 'ended' })
    const share = [{ _variation: idOf('ended new'), percentage: 1 }]
    const filters = { operator: 'and', filters: [{ type: 'all' }] }
    const targets = [{ name: 'All Users', audience: { filters }, distribution: share }]
    expect(body).toMatchObject([
      { _environment: idOf('production'), status: 'active', hasStaticConfig: true, targets },
      { _environment: idOf('staging'), status: 'inactive', hasStaticConfig: true, targets }
    ])
    expect((await ask('getStaticConfiguration', { feature: 'ended' })).body).toMatchObject({
      variables: { ended: 'new' },
      environments: { production: { status: 'active' }, staging: { status: 'inactive' } }
    })
  })

  it('the archived feature with its variable', async () => {
    expect((await ask('getFeature', { feature: 'gone' })).body.status).toBe('archived')
    expect((await ask('getVariable', { key: 'gone' })).body).toMatchObject({
      status: 'archived',
      _feature: idOf('gone')
    })
  })

  it('all variables, including free ones', async () => {
    const { body } = await ask('listVariables', {}, { query: { sortBy: 'key', sortOrder: 'asc' } })
    expect(body.map(({ key }: { key: string }) => key)).toEqual([...variables].sort())
  })

  it('the audiences and their usage', async () => {
    expect((await ask('getAudience', { key: 'staff' })).body).toMatchObject({ name: 'Staff', tags: ['people'] })
    const { body } = await ask('getAudienceUsage', { key: 'staff' })
    expect(body.features.map(({ key }: { key: string }) => key)).toEqual(['layout'])
  })

  it('an empty audit log', async () => {
    expect((await call(server, 'listAuditEntries')).body).toEqual([])
    for (const feature of features) expect((await ask('getFeatureAudit', { feature })).body).toEqual([])
  })

  /** The operations for data that version 1 did not have. */
  const absent: readonly (keyof Operations)[] = [
    'getCustomProperty',
    'getMetric',
    'getMetricResults',
    'getWebhook',
    'getWebhookSecret',
    'listWebhookDeliveries',
    'getWebhookDelivery',
    'getChangeRequest',
    'getProjectChangeRequest',
    'getLatestChangeRequest',
    'listChangeRequests',
    'listPendingChangeRequests',
    'getUser',
    'getUserPermissions',
    'getWorkloadTrust',
    'listWorkloadTokens',
    'getAuditEntry',
    // Clients have none.
    'listOwnSessions',
    'listOwnApplications',
    'listSecondFactors',
    // Its environments require no signed users.
    'listUserSigningSecrets'
  ]
  /** The read operations, with every item of this store that their paths can name. */
  const reading = Object.values<Operation>(operations).filter(({ method, credential }) => {
    return method === 'GET' && credential.type === 'token'
  })

  test.each(reading.map(({ id }) => id as keyof Operations))(
    'a response that matches its schema, in %s',
    async (id) => {
      const range = { startDate: '2026-02-01T00:00:00Z', endDate: '2026-02-02T00:00:00Z' }
      const metric = { event: 'purchase', dimension: 'TOTAL_SUM', optimize: 'increase', control: 'control' }
      const query = id.endsWith('MetricResults')
        ? { feature: 'pricing', ...range, ...metric }
        : id === 'compareEnvironments'
          ? { a: 'staging', b: 'production' }
          : {}
      const names = ['shop', 'production', 'staff', 'control', ...variables]
      const statuses = new Set<number>()
      for (const feature of features) {
        for (const key of names) {
          const more = {
            id: idOf('none'),
            entry: idOf('none'),
            delivery: idOf('none'),
            issue_tracker: 'jira',
            user: 'nobody',
            user_id: 'kim',
            trust: 'deploy',
            label: 'shop-repo',
            client: options.adminClientId
          }
          const params = { project, feature, key, ...more }
          statuses.add((await call(server, id, { params, query })).status)
          if (!operations[id].path.includes('{key}')) break
        }
        if (!operations[id].path.includes('{feature}')) break
      }
      expect(statuses.has(200)).toBe(!absent.includes(id))
      for (const status of statuses) expect(status).toBeLessThan(500)
    }
  )
})

describe('it can be changed', () => {
  let changed: TestServer

  beforeAll(async () => {
    changed = await serve(await version1Directory())
    await trustClients(changed)
  })

  it.each(features.filter((feature) => feature !== 'gone'))('in %s, and serves the same', async (feature) => {
    const before = await Promise.all(answered.map(([user, environment]) => valuesOf(user, environment, changed)))
    const params = { project, feature }
    const { status, body } = await call(changed, 'updateFeature', { params, body: { description: 'Changed.' } })
    expect([status, body.description]).toEqual([200, 'Changed.'])
    const after = await Promise.all(answered.map(([user, environment]) => valuesOf(user, environment, changed)))
    expect(after).toEqual(before)
  })

  it('by activating an archived feature', async () => {
    const params = { project, feature: 'gone' }
    const { status } = await call(changed, 'updateFeatureStatus', { params, body: { status: 'active' } })
    expect(status).toBe(200)
    expect(await valuesOf('ada', 'production', changed)).toHaveProperty('gone', true)
  })

  it('by activating a complete feature, which serves all users the same', async () => {
    const params = { project, feature: 'ended' }
    const { status } = await call(changed, 'updateFeatureStatus', { params, body: { status: 'active' } })
    expect(status).toBe(200)
    expect(await valuesOf('ada', 'production', changed)).toHaveProperty('ended', 'new')
    expect(await valuesOf('ada', 'staging', changed)).not.toHaveProperty('ended')
  })

  it('and restarted with the current version', async () => {
    await changed.close()
    const again = await serve(changed.directory)
    expect(again.logs.join('')).not.toContain('schema version')
    expect((await readdir(changed.directory)).filter((name) => name.endsWith('.bak'))).toEqual(['db.json.v1.bak'])
    expect(await readFile(join(changed.directory, 'db.json.v1.bak'), 'utf8')).toBe(version1Document)
    expect(await valuesOf('lee', 'production', again)).toMatchObject({ ...twenty, beta: true, ended: 'new' })
    expect(Number((await call(again, 'listAuditEntries')).headers.count)).toBeGreaterThan(features.length)
  })
})

describe('a store of schema version 2', () => {
  let upgraded: TestServer
  let key: string

  beforeAll(async () => {
    upgraded = await serve(await version2Directory())
    const { status, body } = await send(upgraded, {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', ...version2Client })
    })
    expect(status).toBe(200)
    key = body.access_token
  })

  it('grants all permissions to its administrator, including operations of later permissions', async () => {
    const [, payload = ''] = key.split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).permissions).toEqual(permissions)
    const production = { params: { project, key: 'production' } }
    expect((await call(upgraded, 'getEnvironment', { ...production, key })).body.readonly).toBe(false)
    const body = { description: 'Where users are.' }
    expect((await call(upgraded, 'updateEnvironment', { ...production, body, key })).status).toBe(200)
    const created = await call(upgraded, 'createProject', { body: { key: 'new', name: 'New' }, key })
    expect(created.status).toBe(201)
    expect((await call(upgraded, 'deleteProject', { params: { key: 'new' }, key })).status).toBe(200)
  })

  it('grants all users full access until the mode is set', async () => {
    const { data, schemaVersion } = JSON.parse(await readFile(join(upgraded.directory, 'db.json'), 'utf8'))
    expect(schemaVersion).toBe(8)
    expect(data.organizations).toMatchObject([
      { key: 'org_first', settings: { permissions: { mode: 'flat', controlledBy: 'burgee', groups: [] } } }
    ])
    const ops = data.clients.find(({ clientId }: { clientId: string }) => clientId === 'ops')
    expect(ops).not.toHaveProperty('permissions')
  })
})

describe('a store of schema version 4', () => {
  const timestamps = { createdAt: '2026-02-10T12:00:00.000Z', updatedAt: '2026-02-11T12:00:00.000Z' }
  const hook = { ...timestamps, _project: idOf('shop'), events: ['addedTarget'], _environments: [] }
  const webhooks = ['log', 'chat'].map((name) => {
    return { ...hook, _id: idOf(name), name, url: `https://hooks.invalid/${name}` }
  })
  let upgraded: TestServer

  beforeAll(async () => {
    const directory = await storeOnDisk({ features: [{ key: 'checkout' }] })
    const path = join(directory, 'db.json')
    const { data, revision, historyLength } = JSON.parse(await readFile(path, 'utf8'))
    const { outbox, ...rest } = data
    expect(outbox).toEqual([])
    await writeFile(path, formatDocument({ schemaVersion: 4, revision, historyLength, data: { ...rest, webhooks } }))
    upgraded = await serve(directory)
  })

  it('has webhooks that are called as before', async () => {
    const query = { sortBy: 'name', sortOrder: 'desc' }
    const { body } = await call(upgraded, 'listWebhooks', { params: { project }, query })
    expect(body).toEqual(webhooks.map((webhook) => ({ ...webhook, enabled: true })))
  })

  it('gives each of them its own secret, once', async () => {
    const secretsIn = async (served: TestServer) => {
      const asked = webhooks.map(({ _id: id }) => call(served, 'getWebhookSecret', { params: { project, id } }))
      return (await Promise.all(asked)).map(({ body }) => body.secret)
    }
    const secrets = await secretsIn(upgraded)
    expect(new Set(secrets).size).toBe(2)
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await upgraded.close()
    expect(await secretsIn(await serve(upgraded.directory))).toEqual(secrets)
  })
})
