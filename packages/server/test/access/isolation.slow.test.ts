import { type Operations, permissions } from '@burgee/contract'
import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { type Call, call, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { addMembers } from '@burgee/testing/members'
import { idOf, NOW } from '@burgee/testing/plan'
import { sample } from '@burgee/testing/scale'
import { storedData } from '@burgee/testing/storedData'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import { createTenant, type Named, type Tenant } from '../support/access/tenants.ts'
import { serving } from '../support/features.ts'
import {
  isInProject,
  type ManagementOperation,
  managementOperations,
  requestOf
} from '../support/managementRequests.ts'

let server: TestServer
/** The tenants: two projects of one organization, and one of another. */
let otter: Tenant
let beaver: Tenant
let zebra: Tenant

beforeAll(async () => {
  const directory = await storeWith({})
  await addMembers(directory, { mode: 'full', clients: { 'beaver-only': [] } })
  await addClients(directory, { local: permissions })
  await addClients(directory, { stranger: permissions }, 'org_other')
  const store = await openStore(toStoreUrl(directory))
  await store.collection('organizations').update(idOf('org_other'), { name: 'zebra', displayName: 'Zebra' })
  await store.close()
  server = await serve(directory)
  const local = await tokenFor(server, 'local')
  otter = await createTenant(server, 'otter', local)
  beaver = await createTenant(server, 'beaver', local)
  zebra = await createTenant(server, 'zebra', await tokenFor(server, 'stranger'))
})

type Form = keyof Named

/** The value of a path parameter in a tenant. */
function namesIn(world: Tenant, { path }: { readonly path: string }, form: Form): Record<string, string> {
  const kinds: readonly [within: string, of: Named][] = [
    ['/sdk-keys/{key}', world.sdkKey],
    ['/variations/{key}', world.variation],
    ['/environments/{key}', world.environment],
    ['/variables/{key}', world.variable],
    ['/manifest/flags/{key}', world.variable],
    ['/audiences/{key}', world.audience],
    ['/customProperties/{key}', world.customProperty],
    ['/metrics/{key}', world.metric],
    ['/projects/{key}', world.project]
  ]
  const { [form]: key = '' } = kinds.find(([within]) => path.includes(within))?.[1] ?? ({} as Partial<Named>)
  const changeRequest = path.includes('/features/') ? world.changeRequest : world.projectChangeRequest
  const identified = path.includes('/webhooks/') ? world.webhook : changeRequest
  return {
    key,
    project: world.project[form],
    feature: world.feature[form],
    environment: world.environment[form],
    id: identified[form],
    entry: world.entry[form],
    delivery: world.entry[form],
    user: world.user[form],
    client: world.client[form],
    trust: world.trust[form],
    issue_tracker: 'jira',
    issue_id: world.issue[form],
    user_id: 'a user of the application',
    label: 'a-label',
    token: world.tracker[form],
    observabilityEnvironmentId: world.observability[form]
  }
}

/** A request for an item of another tenant: its query names items of that tenant too. */
function requestIn(record: ManagementOperation, world: Tenant, form: Form): Call {
  const { query, ...request } = requestOf(record)
  const { feature, environment, metric, variation } = world
  const meant: Readonly<Record<string, string>> = {
    feature: feature[form],
    environment: environment[form],
    a: environment[form],
    b: environment[form],
    metric: metric[form],
    control: variation[form]
  }
  const params = namesIn(world, record, form)
  return {
    ...request,
    // The tools of OpenFeature repeat the key of the path in the body.
    ...(record.id === 'updateManifestFlag' && { body: { ...Object(request.body), key: params.key } }),
    params,
    ...(query
      ? { query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, meant[name] ?? value])) }
      : {})
  }
}

async function dataOf(mark: string): Promise<string[]> {
  const items = Object.values<readonly object[]>(await storedData(server.directory)).flat()
  return items.map((item) => JSON.stringify(item)).filter((text) => text.includes(mark))
}

/** The parameters of an operation that name an item, except the project, the kind of tracker, and names of anything. */
function leavesOf(record: ManagementOperation): readonly string[] {
  const [, ...names] = record.path.split(/\{|\}/)
  return names.filter(
    (name, index) => index % 2 === 0 && !['project', 'issue_tracker', 'user_id', 'label'].includes(name)
  )
}

const forms = ['key', 'id'] as const
const addressing = managementOperations.filter((record) => isInProject(record) && record.path.includes('{'))
const ofOrganization = managementOperations.filter((record) => !isInProject(record) && leavesOf(record).length > 0)
const addressingMore = addressing.filter((record) => record.path.includes('{project}') && leavesOf(record).length > 0)
const inFeatures = addressingMore.filter((record) => leavesOf(record).length > 1)

/** Half of the cases of a matrix; all of them in `npm run test:full`. */
function third<Case>(cases: readonly Case[], name: string): readonly Case[] {
  return sample(cases, Math.ceil(cases.length / 3), name)
}

describe.each(forms)('an item named by its %s', (form) => {
  test.each(third(addressing, form))('does not exist for another organization: its project, in $id', async (record) => {
    const before = await dataOf('zebra')
    const request = requestIn(record, zebra, form)
    const body =
      record.id === 'connectIssueTrackerProject'
        ? { body: { ...(request.body as object), project: zebra.project[form] } }
        : {}
    const { status, body: said } = await call(server, record.id, { ...request, ...body, key: otter.token })
    // The token of a tracker is checked after the project.
    expect([status, said?.message ?? said?.error?.message]).toEqual([
      404,
      expect.stringContaining(`Item with key '${zebra.project[form]}' not found`)
    ])
    expect(await dataOf('zebra')).toEqual(before)
  })

  test.each(third(ofOrganization, form))('does not exist for another organization, in $id', async (record) => {
    const before = await dataOf('zebra')
    const { status, body } = await call(server, record.id, { ...requestIn(record, zebra, form), key: otter.token })
    // A caller who sends the token of a tracker has it, so the error may say that it is taken.
    const taken = record.id === 'connectIssueTrackerOrganization'
    expect([status, JSON.stringify(body ?? '').includes('The zebra')]).toEqual([taken ? 409 : 404, false])
    expect(await dataOf('zebra')).toEqual(before)
  })

  describe.each(['zebra', 'beaver'] as const)('in the project of the %s', (mark) => {
    const world = () => (mark === 'zebra' ? zebra : beaver)

    test.each(third(addressingMore, `${form} ${mark}`))('does not exist in another project, in $id', async (record) => {
      const before = await dataOf(mark)
      const request = requestIn(record, world(), form)
      const params = { ...request.params, project: otter.project[form] }
      const { status } = await call(server, record.id, { ...request, params, key: otter.token })
      expect(status).toBe(404)
      expect(await dataOf(mark)).toEqual(before)
    })

    test.each(third(inFeatures, `${form} ${mark}`))('does not exist in another feature, in $id', async (record) => {
      const before = await dataOf(mark)
      const request = requestIn(record, world(), form)
      const { project, feature, environment } = otter
      const own = record.path.includes('{feature}')
        ? { project: project[form], feature: feature[form] }
        : { project: project[form], environment: environment[form] }
      const { status } = await call(server, record.id, {
        ...request,
        params: { ...request.params, ...own },
        key: otter.token
      })
      expect(status).toBe(404)
      expect(await dataOf(mark)).toEqual(before)
    })

    const references: readonly (readonly [keyof Operations, Call, (world: Tenant) => unknown])[] = [
      ['createVariable', {}, ({ feature }) => ({ key: 'new', type: 'Boolean', _feature: feature[form] })],
      [
        'createWebhook',
        {},
        ({ feature }) => ({ name: 'x', url: 'https://a.example', events: [], _feature: feature[form] })
      ],
      [
        'createWebhook',
        {},
        ({ environment }) => ({ name: 'x', url: 'https://a.example', events: [], _environments: [environment[form]] })
      ],
      ['createMetricAssociation', {}, ({ metric }) => ({ metric: metric[form], feature: otter.feature.key })],
      ['createMetricAssociation', {}, ({ feature }) => ({ metric: otter.metric.key, feature: feature[form] })],
      ['createAudience', {}, ({ audience }) => ({ key: 'new', name: 'x', filters: matching(audience[form]) })],
      [
        'createFeature',
        {},
        ({ environment }) => ({
          key: 'new',
          name: 'x',
          configurations: { [environment[form]]: { status: 'inactive' } }
        })
      ],
      [
        'createFeature',
        {},
        ({ audience }) => {
          const target = serving('variation-on', { audience: { filters: matching(audience[form]) } })
          return { key: 'new', name: 'x', configurations: { development: { targets: [target] } } }
        }
      ],
      [
        'createFeature',
        {},
        ({ variation }) => ({
          key: 'new',
          name: 'x',
          configurations: { development: { targets: [serving(variation[form])] } }
        })
      ],
      [
        'createUser',
        {},
        ({ project }) => ({ email: 'new@example.com', name: 'x', roles: [{ role: 'viewer', project: project[form] }] })
      ],
      ['createApiClient', {}, ({ project }) => ({ name: 'x', roles: [{ role: 'viewer', project: project[form] }] })],
      [
        'updateOrganizationSettings',
        {},
        ({ project }) => ({ permissions: { groups: [{ group: 'x', role: 'viewer', project: project[form] }] } })
      ]
    ]

    test.each(third(references, `${form} ${mark}`))('cannot be referenced by %s', async (id, given, bodyOf) => {
      const isOfOrganization = !managementOperations.some((record) => record.id === id && isInProject(record))
      // Roles can be granted in another project of the same organization.
      if (isOfOrganization && mark === 'beaver') return
      const before = await dataOf(mark)
      const params = { project: otter.project.key }
      const { status } = await call(server, id, { params, ...given, body: bodyOf(world()), key: otter.token })
      expect([400, 404]).toContain(status)
      expect(await dataOf(mark)).toEqual(before)
    })

    const queries: readonly (readonly [keyof Operations, (world: Tenant) => Record<string, string>])[] = [
      ['listVariables', ({ feature }) => ({ feature: feature[form] })],
      ['listMetricAssociations', ({ metric }) => ({ metric: metric[form] })],
      ['listMetricAssociations', ({ feature }) => ({ feature: feature[form] })],
      ['listFeatureConfigurations', ({ environment }) => ({ environment: environment[form] })],
      ['getFeatureAudit', ({ environment }) => ({ environment: environment[form] })],
      ['getFeatureOverrides', ({ environment }) => ({ environment: environment[form] })],
      ['getCurrentFeatureOverrides', ({ environment }) => ({ environment: environment[form] })],
      ['getProjectEvaluations', ({ environment }) => ({ environment: environment[form] })],
      ['getFeatureTotalEvaluations', ({ variable }) => ({ variable: variable[form] })],
      ['listAuditEntries', ({ feature }) => ({ project: otter.project.key, feature: feature[form] })],
      ['listAuditEntries', ({ environment }) => ({ project: otter.project.key, environment: environment[form] })]
    ]

    test.each(third(queries, `${form} ${mark}`))('cannot be queried by %s', async (id, queryOf) => {
      const params = { project: otter.project[form], feature: otter.feature[form] }
      expect((await call(server, id, { params, query: queryOf(world()), key: otter.token })).status).toBe(404)
    })
  })

  it('is not in the audit log of another organization', async () => {
    const query = { project: zebra.project[form] }
    expect((await call(server, 'listAuditEntries', { query, key: otter.token })).status).toBe(404)
  })
})

describe('nothing of another organization', () => {
  const reading = managementOperations.filter(({ method }) => method === 'GET')

  it.each(reading)('is in the response of $id', async (record) => {
    for (const [own, other] of [
      [otter, 'zebra'],
      [zebra, 'otter']
    ] as const) {
      const request = requestIn(record, own, 'key')
      const paging = record.responseKind === 'list' ? { query: { ...request.query, perPage: 1000 } } : {}
      const { status, headers, body } = await call(server, record.id, { ...request, ...paging, key: own.token })
      const isForCompleteOnes = record.id.startsWith('getStaticConfiguration')
      // These tenants send no deliveries: webhookDeliveries.test.ts tests them.
      const isOfSent = record.id === 'getWebhookDelivery'
      expect([own.mark, status]).toEqual([own.mark, isForCompleteOnes ? 412 : isOfSent ? 404 : 200])
      expect(JSON.stringify(body)).not.toContain(other)
      if (record.responseKind === 'list') expect(headers.count).toBe(String(body.length))
    }
  })

  it.each(['zebra', 'beaver'])('is found by a search for the %s', async (search) => {
    for (const id of ['listProjects', 'listUsers', 'listApiClients'] as const) {
      const { headers } = await call(server, id, { query: { search }, key: zebra.token })
      const { headers: theirs } = await call(server, id, { query: { search }, key: otter.token })
      const isTheirs = search === 'beaver'
      expect([id, headers.count !== '0', theirs.count !== '0']).toEqual([id, !isTheirs, isTheirs])
    }
  })
})

describe('a user of one project only', () => {
  let key: string

  beforeAll(async () => {
    const roles = [{ role: 'viewer', project: beaver.project.key }]
    await call(server, 'updateApiClient', { params: { client: 'beaver-only' }, body: { roles }, key: otter.token })
    key = await tokenFor(server, 'beaver-only')
  })

  it('sees other projects neither in lists nor in the audit log', async () => {
    const query = { perPage: 1000 }
    for (const id of ['listProjects', 'listAuditEntries', 'getObservabilityIntegrations'] as const) {
      const { status, body, headers } = await call(server, id, { key, ...(id.startsWith('list') ? { query } : {}) })
      expect([id, status]).toEqual([id, 200])
      expect(JSON.stringify(body)).not.toMatch(/otter-(project|feature|place|people|metric)/)
      if (id.startsWith('list')) expect(headers.count).toBe(String(body.length))
    }
    const { body } = await call(server, 'listAuditEntries', { key, query })
    expect(body.length).toBeGreaterThan(0)
    expect(new Set(body.map(({ _project }: { _project: string }) => _project))).toEqual(new Set([beaver.project.id]))
  })

  it.each(forms)('does not learn from the audit log that another one exists, by its %s', async (form) => {
    const { status } = await call(server, 'listAuditEntries', { key, query: { project: otter.project[form] } })
    expect(status).toBe(404)
  })

  it('does not see a project created later until they get a role in it', async () => {
    server.clock.now = () => NOW + 1000
    const { body } = await call(server, 'createProject', { body: { key: 'later', name: 'Later' }, key: otter.token })
    const get = () => call(server, 'getProject', { params: { key: 'later' }, key })
    expect((await get()).status).toBe(404)
    const roles = [{ role: 'viewer', project: body._id }]
    await call(server, 'updateApiClient', { params: { client: 'beaver-only' }, body: { roles }, key: otter.token })
    expect((await get()).status).toBe(200)
    expect((await call(server, 'getProject', { params: { key: beaver.project.key }, key })).status).toBe(404)
  })
})

function matching(audience: string): object {
  return { operator: 'and', filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [audience] }] }
}
