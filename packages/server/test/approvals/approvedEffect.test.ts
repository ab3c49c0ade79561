import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { changeSettings } from '@burgee/testing/approvals'
import { type ApiResponse, call, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { attributeFilter, idOf, type Plan } from '@burgee/testing/plan'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'

const workflow = { enabled: true, allowPublisherBypass: false, defaultReviewers: [] }
const plan: Plan = {
  settings: { featureApprovalWorkflow: workflow },
  environments: { staging: {}, production: {}, spare: {} },
  audiences: {
    few: { operator: 'and', filters: [attributeFilter('user_id', 'ada')] },
    many: { operator: 'and', filters: [{ type: 'all' }] }
  },
  features: [{ key: 'checkout', offIn: ['staging', 'production', 'spare'] }, { key: 'search' }]
}
const ofCheckout = { project: 'shop', feature: 'checkout' }
const writing = ['project:read', 'feature:read', 'feature:write', 'variation:write', 'variable:write'] as const
const publishing = [...writing, 'feature:publish'] as const
const clients = { writer: writing, publisher: publishing, reviewer: publishing }

interface World {
  readonly server: TestServer
  readonly keys: Readonly<Record<keyof typeof clients, string>>
}

/** A server with approvals; `prepare` works on the closed store first. */
async function begin(more: Plan = {}, prepare?: (directory: string) => Promise<unknown>): Promise<World> {
  const directory = await storeWith({ ...plan, ...more })
  await addClients(directory, clients)
  await prepare?.(directory)
  const server = await serve(directory)
  const [writer, publisher, reviewer] = await Promise.all(
    (['writer', 'publisher', 'reviewer'] as const).map((name) => tokenFor(server, name))
  )
  return { server, keys: { writer: writer ?? '', publisher: publisher ?? '', reviewer: reviewer ?? '' } }
}

/** A change request of the writer for the checkout, approved by the reviewer. */
async function approved({ server, keys }: World, body: object, path = ''): Promise<string> {
  const wanted = { path: `/v2/projects/shop/features/checkout${path}`, method: 'PATCH', body }
  const made = await call(server, 'createChangeRequest', { params: ofCheckout, body: wanted, key: keys.writer })
  expect(made.status).toBe(201)
  const params = { ...ofCheckout, id: made.body._id }
  await call(server, 'submitChangeRequest', { params, body: { description: '', reviewers: [] }, key: keys.writer })
  expect((await approve(server, made.body._id, keys.reviewer)).status).toBe(200)
  return made.body._id
}

function approve(server: TestServer, id: string, key: string): Promise<ApiResponse> {
  const body = { action: 'approved', comment: '' }
  return call(server, 'reviewChangeRequest', { params: { ...ofCheckout, id }, body, key })
}

function apply({ server, keys }: World, id: string): Promise<ApiResponse> {
  const body = { action: 'applied', description: '' }
  return call(server, 'applyChangeRequest', { params: { ...ofCheckout, id }, body, key: keys.writer })
}

async function configurations({ server }: World): Promise<Record<string, { status: string; targets: object[] }>> {
  const { body } = await call(server, 'getFeature', { params: ofCheckout })
  return Object.fromEntries(body.configurations.map((each: { _environment: string }) => [each._environment, each]))
}

/** Changes the keys of these environments or audiences, one after the other. */
async function rename({ server }: World, kind: 'Environment' | 'Audience', ...keys: [string, string][]) {
  for (const [key, other] of keys) {
    const given = { params: { project: 'shop', key }, body: { key: other } }
    expect((await call(server, `update${kind}`, given)).status).toBe(200)
  }
}

function setProject({ server }: World, settings: object): Promise<void> {
  return changeSettings(server, settings)
}

const target = (audience: string) => ({
  audience: {
    filters: { operator: 'and', filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [audience] }] }
  },
  distribution: [{ _variation: 'variation-on', percentage: 1 }]
})
const toStaging = { configurations: { staging: { status: 'active' } } }

describe('an applied change request', () => {
  it('changes the approved environments, even if they were renamed', async () => {
    const world = await begin()
    const id = await approved(world, toStaging)
    await rename(world, 'Environment', ['staging', 'x'], ['production', 'staging'])
    const refused = await apply(world, id)
    expect([refused.status, refused.body.errorType]).toEqual([409, 'ERR_EFFECT_CHANGED'])
    expect(refused.body.message).toBe(
      `the effect of change request ${id} is no longer the one that was requested: an environment, an audience, a variable or a setting of project "shop" that it depends on has changed since. PATCH /v2/projects/shop/features/checkout/change-requests/${id}/rebase turns it into a draft with the current effect, which needs a new approval`
    )
    const params = { ...ofCheckout, id }
    const applyAt = '2027-01-01T00:00:00Z'
    const scheduled = await call(world.server, 'scheduleChangeRequest', { params, body: { applyAt } })
    expect([scheduled.status, scheduled.body.errorType]).toEqual([409, 'ERR_EFFECT_CHANGED'])
    for (const { status } of Object.values(await configurations(world))) expect(status).toBe('inactive')
  })

  it('is approved again after a rebase', async () => {
    const world = await begin()
    const { server, keys } = world
    const id = await approved(world, toStaging)
    const params = { ...ofCheckout, id }
    const before = (await call(server, 'getChangeRequest', { params })).body
    await rename(world, 'Environment', ['staging', 'x'], ['production', 'staging'])
    const { status, body } = await call(server, 'rebaseChangeRequest', { params, key: keys.writer })
    expect([status, body.status]).toEqual([200, 'draft'])
    expect(body.contentHash).not.toBe(before.contentHash)
    expect(body.changes).toMatchObject([{ type: 'enabledEnvironment', _environments: [idOf('production')] }])
    const unchanged = await call(server, 'rebaseChangeRequest', { params, key: keys.writer })
    expect([unchanged.status, unchanged.body.errorType]).toEqual([409, 'ERR_FEATURE_UNCHANGED'])
    await call(server, 'submitChangeRequest', { params, body: { description: '', reviewers: [] }, key: keys.writer })
    expect((await approve(server, id, keys.reviewer)).status).toBe(200)
    expect((await apply(world, id)).status).toBe(200)
    expect((await configurations(world))[idOf('production')]?.status).toBe('active')
  })

  it('refers to the approved audiences', async () => {
    const world = await begin()
    const id = await approved(world, { configurations: { staging: { targets: [target('few')] } } })
    await rename(world, 'Audience', ['few', 'x'], ['many', 'few'])
    expect((await apply(world, id)).body.errorType).toBe('ERR_EFFECT_CHANGED')
    await rename(world, 'Audience', ['few', 'many'], ['x', 'few'])
    expect((await apply(world, id)).status).toBe(200)
  })

  it('adds no opt-in targets that were not approved', async () => {
    const world = await begin()
    const id = await approved(world, { settings: { optInEnabled: true } })
    await setProject(world, { optIn: { enabled: true } })
    expect((await apply(world, id)).body.errorType).toBe('ERR_EFFECT_CHANGED')
    await setProject(world, { optIn: { enabled: false } })
    expect((await apply(world, id)).status).toBe(200)
  })

  it('carries the approved variable', async () => {
    const world = await begin()
    const { server } = world
    const params = { project: 'shop' }
    for (const key of ['one', 'two']) {
      expect((await call(server, 'createVariable', { params, body: { key, type: 'String' } })).status).toBe(201)
    }
    const variables = ['checkout', 'one'].map((key) => ({ key, type: key === 'one' ? 'String' : 'Boolean' }))
    const id = await approved(world, { variables })
    for (const [key, other] of [
      ['one', 'x'],
      ['two', 'one']
    ] as const) {
      const given = { params: { project: 'shop', key }, body: { key: other } }
      expect((await call(server, 'updateVariable', given)).status).toBe(200)
    }
    expect((await apply(world, id)).body.errorType).toBe('ERR_EFFECT_CHANGED')
  })

  it.each([
    ['another moment and another client', { key: 'basket', staleness: { disabled: true } }, ''],
    [
      'new ids',
      {
        variables: [
          { key: 'checkout', type: 'Boolean' },
          { key: 'label', type: 'String' }
        ]
      },
      ''
    ],
    ['new targets', { configurations: { production: { targets: [target('few'), target('many')] } } }, ''],
    ['a new status', { status: 'complete', staticVariation: 'variation-on' }, '/status']
  ])('is the same for %s', async (_, body, path) => {
    const world = await begin()
    const id = await approved(world, body, path)
    world.server.clock.now = () => Date.parse('2026-03-02T00:00:00Z')
    const given = {
      params: { ...ofCheckout, id },
      body: { action: 'applied', description: '' },
      key: world.keys.publisher
    }
    expect((await call(world.server, 'applyChangeRequest', given)).status).toBe(200)
  })

  it('was approved after its effect was kept', async () => {
    const first = await begin()
    const id = await approved(first, toStaging)
    await first.server.close()
    const store = await openStore(toStoreUrl(first.server.directory))
    await store.collection('changeRequests').update(id, { effect: undefined } as never)
    await store.close()
    const server = await serve(first.server.directory)
    const world = { server, keys: { ...first.keys, writer: await tokenFor(server, 'writer') } }
    expect((await apply(world, id)).status).toBe(412)
    const params = { ...ofCheckout, id }
    expect((await call(server, 'rebaseChangeRequest', { params, key: world.keys.writer })).status).toBe(200)
  })
})

describe('features in projects that require approval', () => {
  const params = { project: 'shop' }
  const body = { key: 'new', name: 'New', configurations: { staging: { status: 'active', targets: [target('few')] } } }

  it('are created inactive', async () => {
    const { server, keys } = await begin()
    const message =
      'features in project "shop" need approval to be turned on in environment "staging": create feature "new" inactive there, then create a change request with POST /v2/projects/shop/features/new/change-requests'
    for (const [operation, made] of [
      ['createFeature', body],
      ['createFeatureV1', body],
      ['createFeatures', [body]]
    ] as const) {
      const refused = await call(server, operation, { params, body: made, key: keys.publisher })
      expect([operation, refused.status, refused.body.message]).toEqual([operation, 403, message])
      expect(refused.body.errorType).toBe('ERR_APPROVAL_REQUIRED')
    }
    const inactive = { ...body, configurations: { staging: { targets: [target('few')] } } }
    expect((await call(server, 'createFeature', { params, body: inactive, key: keys.publisher })).status).toBe(201)
  })

  it('are deleted once they are turned off', async () => {
    const { server } = await begin()
    const search = { project: 'shop', feature: 'search' }
    const remove = () => call(server, 'deleteFeature', { params: search })
    const refused = await remove()
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'feature "search" is turned on in environments "production", "spare", "staging", where changes need approval: turn it off first, by a change request with POST /v2/projects/shop/features/search/change-requests or immediately with POST /v1/projects/shop/features/search/kill'
    ])
    expect(refused.body.errorType).toBe('ERR_APPROVAL_REQUIRED')
    expect((await call(server, 'killFeature', { params: search })).status).toBe(200)
    expect((await remove()).status).toBe(200)
  })

  it('can be created and deleted by callers who bypass approval', async () => {
    const featureApprovalWorkflow = { ...workflow, allowPublisherBypass: true }
    const { server, keys } = await begin({ settings: { featureApprovalWorkflow } })
    expect((await call(server, 'createFeature', { params, body, key: keys.publisher })).status).toBe(201)
    expect(
      (await call(server, 'createFeature', { params, body: { ...body, key: 'b' }, key: keys.writer })).status
    ).toBe(403)
    expect((await call(server, 'deleteFeature', { params: { project: 'shop', feature: 'new' } })).status).toBe(200)
  })
})

describe('a client and its creator', () => {
  /** The writer created the reviewer, or vice versa. */
  async function pair(made: 'writer' | 'reviewer', maker: 'writer' | 'reviewer'): Promise<World> {
    return begin({}, async (directory) => {
      const store = await openStore(toStoreUrl(directory))
      await store.collection('clients').update(idOf(made), { _createdBy: `${maker}@clients` })
      await store.close()
    })
  }

  it.each([
    ['reviewer', 'writer'],
    ['writer', 'reviewer']
  ] as const)('count as one person: the %s was created by the %s', async (made, maker) => {
    const { server, keys } = await pair(made, maker)
    const wanted = { path: '/v2/projects/shop/features/checkout', method: 'PATCH', body: { name: 'Other' } }
    const { body } = await call(server, 'createChangeRequest', { params: ofCheckout, body: wanted, key: keys.writer })
    expect(Object.keys(body).filter((name) => name.startsWith('_client') || name === 'effect')).toEqual([])
    const params = { ...ofCheckout, id: body._id }
    await call(server, 'submitChangeRequest', { params, body: { description: '', reviewers: [] }, key: keys.writer })
    expect((await approve(server, body._id, keys.reviewer)).status).toBe(403)
    expect((await approve(server, body._id, keys.publisher)).status).toBe(200)
  })
})
