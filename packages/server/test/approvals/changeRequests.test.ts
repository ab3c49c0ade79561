import { type ChangeRequestAction, changeRequestTransitions } from '@burgee/contract/rules'
import type { ChangeRequest } from '@burgee/contract/schemas'
import { addClients, type LimitedClient, tokenFor } from '@burgee/testing/apiClients'
import { changeSettings } from '@burgee/testing/approvals'
import { type ApiResponse, call, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { idOf, makeProject, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { fullAccess } from '../../src/access/permissions/access.ts'
import { getNextStatus } from '../../src/flags/approvals/transitions.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { Store } from '../../src/storage/store.ts'

const workflow = { enabled: true, allowPublisherBypass: false, defaultReviewers: [] }
const plan: Plan = {
  settings: { featureApprovalWorkflow: workflow },
  features: [
    { key: 'checkout', targets: [{ serves: { 'variation-off': 1 } }] },
    { key: 'search' },
    { key: 'done', status: 'complete', staticVariation: 'variation-on' }
  ]
}
const ofCheckout = { project: 'shop', feature: 'checkout' }
const rename = { path: '/v2/projects/shop/features/checkout', method: 'PATCH', body: { name: 'New name' } }

/**
 * A server with approvals. The administrator and `reviewer` can publish; `key` belongs to a member who may only write.
 */
async function begin(bypass = false, members: Plan = {}): Promise<LimitedClient> {
  const settings = { featureApprovalWorkflow: { ...workflow, allowPublisherBypass: bypass } }
  const writing = ['project:read', 'feature:read', 'feature:write', 'variation:write', 'variable:write'] as const
  const directory = await storeWith({ ...plan, ...members, settings: { ...settings, ...members.settings } })
  await addClients(directory, { limited: writing, reviewer: [...writing, 'feature:publish'] })
  const server = await serve(directory)
  let time = NOW
  // Each reading of the clock is a second later, which orders all events.
  server.clock.now = () => {
    time += 1000
    return time
  }
  return { server, key: await tokenFor(server, 'limited') }
}

type As = { readonly key?: string }

test('a dry run refuses what the request would, and changes nothing', async () => {
  const { server, key } = await begin()
  const id = (await create(server)).body._id
  await submit(server, id)
  const dry = { dryRun: 'true' }
  const status = async () => (await call(server, 'getChangeRequest', { params: { ...ofCheckout, id } })).body.status
  const applied = (query: Record<string, string>, as: As) => {
    const body = { description: 'Go', action: 'applied' }
    return call(server, 'applyChangeRequest', { params: { ...ofCheckout, id }, query, body, ...as })
  }
  for (const as of [{}, { key }]) {
    const refused = await review(server, id, 'approved', {}, as)
    expect(refused.status).toBe(403)
    expect(await review(server, id, 'approved', dry, as)).toMatchObject({ status: 403, body: refused.body })
  }
  expect((await review(server, id, 'approved', dry)).status).toBe(200)
  expect(await status()).toBe('pending')
  await review(server, id)
  const refused = await applied({}, { key })
  expect([refused.status, (await applied(dry, { key })).body]).toEqual([403, refused.body])
  expect((await applied(dry, {})).status).toBe(200)
  expect(await status()).toBe('approved')
  const feature = await call(server, 'getFeature', { params: ofCheckout })
  expect(feature.body.name).not.toBe('New name')
  const archived = { params: ofCheckout, query: dry, body: { status: 'archived' } }
  expect(await call(server, 'updateFeatureStatus', archived)).toMatchObject({ status: 409 })
})

function create(
  server: TestServer,
  body: object = rename,
  as: As = {},
  params: object = ofCheckout
): Promise<ApiResponse> {
  return call(server, 'createChangeRequest', { params: { ...ofCheckout, ...params }, body, ...as })
}

function submit(server: TestServer, id: string, as: As = {}): Promise<ApiResponse> {
  const body = { description: 'Because.', reviewers: ['ada', 'bob', 'ada'] }
  return call(server, 'submitChangeRequest', { params: { ...ofCheckout, id }, body, ...as })
}

/** A review by a user who created no change request, unless the test names one. */
async function review(
  server: TestServer,
  id: string,
  action = 'approved',
  query: Record<string, string> = {},
  as?: As
): Promise<ApiResponse> {
  const body = { action, comment: 'Looked at it.' }
  const by = as ?? { key: await tokenFor(server, 'reviewer') }
  return call(server, 'reviewChangeRequest', { params: { ...ofCheckout, id }, query, body, ...by })
}

function apply(server: TestServer, id: string, description = '', as: As = {}): Promise<ApiResponse> {
  const body = { description, action: 'applied' }
  return call(server, 'applyChangeRequest', { params: { ...ofCheckout, id }, body, ...as })
}

function edit(server: TestServer, id: string, body: object, as: As = {}): Promise<ApiResponse> {
  return call(server, 'updateChangeRequest', { params: { ...ofCheckout, id }, body: { body }, ...as })
}

function rebase(server: TestServer, id: string, as: As = {}): Promise<ApiResponse> {
  return call(server, 'rebaseChangeRequest', { params: { ...ofCheckout, id }, ...as })
}

function schedule(server: TestServer, id: string, applyAt: string | null, as: As = {}): Promise<ApiResponse> {
  return call(server, 'scheduleChangeRequest', { params: { ...ofCheckout, id }, body: { applyAt }, ...as })
}

/** Restarts on the same store after changing it. */
async function restarted(
  { directory, close, clock }: TestServer,
  work: (store: Store) => Promise<unknown>
): Promise<TestServer> {
  await close()
  const store = await openStore(toStoreUrl(directory))
  await work(store)
  await store.close()
  const server = await serve(directory)
  server.clock.now = clock.now
  return server
}

function cancel(server: TestServer, id: string, as: As = {}): Promise<ApiResponse> {
  return call(server, 'cancelChangeRequest', { params: { ...ofCheckout, id }, ...as })
}

async function get(server: TestServer, id: string): Promise<ApiResponse['body']> {
  return (await call(server, 'getChangeRequest', { params: { ...ofCheckout, id } })).body
}

async function feature(server: TestServer, key = 'checkout'): Promise<ApiResponse['body']> {
  return (await call(server, 'getFeature', { params: { project: 'shop', feature: key } })).body
}

/** Returns the id of a change request with this status. */
async function requestThatIs(server: TestServer, status: ChangeRequest['status'], as: As = {}): Promise<string> {
  const { _id: id } = (await create(server, rename, as)).body
  if (status === 'draft') return id
  if (status === 'cancelled') await cancel(server, id, as)
  else await submit(server, id, as)
  if (status === 'rejected') await review(server, id, 'rejected')
  if (status === 'approved' || status === 'applied') await review(server, id)
  if (status === 'applied') await apply(server, id)
  expect((await get(server, id)).status).toBe(status)
  return id
}

describe('the lifecycle of a change request', () => {
  const states: ChangeRequest['status'][] = ['draft', 'pending', 'approved', 'applied', 'rejected', 'cancelled']
  const actions: ChangeRequestAction[] = [
    'submit',
    'approve',
    'approve in part',
    'approve later',
    'reject',
    'apply',
    'apply in an emergency',
    'cancel',
    'edit',
    'rebase',
    'schedule'
  ]
  // As in docs/reference/management.md, for each caller in the order below.
  const expected: Record<string, (string | number)[]> = {
    'draft submit': ['pending', 'pending', 'pending', 403, 403],
    'draft apply': [403, 403, 'applied', 403, 'applied'],
    'draft cancel': ['cancelled', 'cancelled', 'cancelled', 'cancelled', 'cancelled'],
    'pending approve': [403, 403, 'approved', 'approved', 'approved'],
    'pending approve in part': [403, 403, 'pending', 'pending', 'pending'],
    'applied approve later': [403, 403, 403, 'applied', 'applied'],
    'draft apply in an emergency': [403, 'applied', 'applied', 'applied', 'applied'],
    'pending apply in an emergency': [403, 'applied', 'applied', 'applied', 'applied'],
    'approved apply in an emergency': [403, 'applied', 'applied', 'applied', 'applied'],
    'pending reject': [403, 'rejected', 'rejected', 'rejected', 'rejected'],
    'pending apply': [403, 403, 'applied', 403, 'applied'],
    'pending cancel': ['cancelled', 'cancelled', 'cancelled', 'cancelled', 'cancelled'],
    'approved apply': ['applied', 'applied', 'applied', 'applied', 'applied'],
    'approved cancel': ['cancelled', 'cancelled', 'cancelled', 'cancelled', 'cancelled'],
    'draft edit': ['draft', 'draft', 'draft', 403, 403],
    'pending edit': ['draft', 'draft', 'draft', 403, 403],
    'approved edit': ['draft', 'draft', 'draft', 403, 403],
    'draft rebase': ['draft', 'draft', 'draft', 403, 403],
    'pending rebase': ['draft', 'draft', 'draft', 403, 403],
    'approved rebase': ['draft', 'draft', 'draft', 403, 403],
    'approved schedule': ['approved', 'approved', 'approved', 'approved', 'approved']
  }
  const publishing = fullAccess
  const writing = { ...fullAccess, allows: (permission: string) => permission !== 'feature:publish' }
  const elsewhere = { ...fullAccess, allows: (_: string, project?: string) => project !== idOf('shop') }
  const callers = [
    { id: 'creator', access: writing, bypass: true },
    { id: 'creator', access: publishing, bypass: false },
    { id: 'creator', access: publishing, bypass: true },
    { id: 'somebody', access: publishing, bypass: false },
    { id: 'somebody', access: publishing, bypass: true },
    { id: 'somebody', access: writing, bypass: true },
    { id: 'somebody', access: elsewhere, bypass: true }
  ]

  const cases = states.flatMap((status) => actions.map((action) => [status, action] as const))

  test.each(cases)('%s, then %s', (status, action) => {
    for (const [index, { bypass, ...caller }] of callers.entries()) {
      const known = expected[`${status} ${action}`]
      const outcome = known ? (known[index] ?? 403) : 405
      const settings = { featureApprovalWorkflow: { ...workflow, allowPublisherBypass: bypass } }
      const request = { status, _createdBy: 'creator', operation: 'featureUpdate' }
      const isRequester = caller.id === 'creator'
      const attempt = () =>
        getNextStatus(action, request as never, makeProject({ settings }), { ...caller, isRequester })
      if (typeof outcome === 'string') expect(attempt()).toBe(outcome)
      else expect(attempt).toThrow(expect.objectContaining({ status: outcome }))
    }
  })

  it('covers exactly the transitions of this table', () => {
    expect(
      changeRequestTransitions.flatMap(({ from, action }) => from.map((status) => `${status} ${action}`)).sort()
    ).toEqual(Object.keys(expected).sort())
  })
})

describe('a new change request', () => {
  let server: TestServer

  beforeAll(async () => {
    server = (await begin()).server
  })

  it('is a draft with a preview of its effect, and changes nothing', async () => {
    const before = await feature(server)
    const { status, body } = await create(server)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      _project: idOf('shop'),
      _feature: idOf('checkout'),
      status: 'draft',
      operation: 'featureUpdate',
      reviewers: { users: [] },
      reviews: [],
      _createdBy: 'test-admin@clients'
    })
    expect(body.changes).toEqual([
      { type: 'modifiedFeature', newContents: { name: 'New name' }, previousContents: { name: 'The checkout' } }
    ])
    expect(body).not.toHaveProperty('body')
    expect(await get(server, body._id)).toEqual(body)
    expect(await feature(server)).toEqual(before)
  })

  test.each([
    ['/v1/projects/shop/features/checkout', {}, 'featureUpdate'],
    [`/v2/projects/${idOf('shop')}/features/${idOf('checkout')}`, {}, 'featureUpdate'],
    ['/v2/projects/shop/features/checkout/status', { status: 'archived' }, 'featureStatusUpdate'],
    [
      '/v2/projects/shop/features/done/static-configuration',
      { variables: { done: false } },
      'featureStaticConfigurationUpdate'
    ]
  ])('can be created for %s', async (path, body, operation) => {
    const [, name = ''] = /features\/(\w+)/.exec(path) ?? []
    const answer = await create(server, { path, method: 'PATCH', body }, {}, { feature: name })
    expect([answer.status, answer.body.operation]).toEqual([201, operation])
  })

  test.each([
    [
      'another feature',
      { path: '/v2/projects/shop/features/search' },
      /^path should be \/v2\/projects\/shop\/features\/checkout, optionally followed by/
    ],
    ['another project', { path: '/v2/projects/other/features/checkout' }, /^path should be/],
    ['another operation', { path: `${rename.path}/configurations` }, /^path should be/],
    ['a path of its own', { path: 'https://example.com/' }, /^path should be/],
    ['another method', { method: 'DELETE' }, /^method should be one of PATCH/],
    ['a body that the operation refuses', { body: { name: '' } }, 'name should not be empty, got ""'],
    ['an unknown member', { body: { status: 'archived' } }, 'property status should not exist'],
    ['a read-only member', { body: { _id: idOf('x') } }, 'property _id should not exist'],
    ['what the feature cannot become', { body: { controlVariation: 'nothing' } }, /^controlVariation should be/],
    [
      'a status that says too little',
      { path: `${rename.path}/status`, body: { status: 'complete' } },
      /^staticVariation/
    ],
    ['an unknown member beside', { status: 'approved' }, 'property status should not exist']
  ])('cannot be created for %s', async (_, members, message) => {
    const refused = await create(server, { ...rename, ...members })
    expect(refused.status).toBe(400)
    expect(refused.body.message).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)])
  })

  it('cannot contain what the operation itself refuses: a static configuration of an active feature', async () => {
    const refused = await create(server, { ...rename, path: `${rename.path}/static-configuration`, body: {} })
    expect(refused.status).toBe(412)
  })

  it('cannot contain a taken key', async () => {
    const refused = await create(server, { ...rename, body: { key: 'search' } })
    expect([refused.status, refused.body.message]).toEqual([409, "Duplicate key 'search'"])
  })

  it('requires write permission only, even for changes that require more', async () => {
    const team = await begin()
    const body = { path: `${rename.path}/status`, method: 'PATCH', body: { status: 'archived' } }
    const answer = await create(team.server, body, { key: team.key })
    expect([answer.status, answer.body._createdBy]).toEqual([201, 'limited@clients'])
  })

  it('returns 404 for an unknown feature or project', async () => {
    expect((await create(server, rename, {}, { feature: 'nothing' })).status).toBe(404)
    expect((await create(server, rename, {}, { project: 'nowhere' })).status).toBe(404)
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    expect((await create(server, rename, {}, { project: 'other', feature: idOf('checkout') })).status).toBe(404)
  })
})

describe('a change request', () => {
  let shared: TestServer

  beforeAll(async () => {
    shared = (await begin(true)).server
  })

  it('changes from draft to applied, and then changes the feature', async () => {
    const { server, key } = await begin()
    const { _id: id } = (await create(server, rename, { key })).body
    const submitted = await submit(server, id, { key })
    expect(submitted.status).toBe(200)
    expect(submitted.body).toMatchObject({
      status: 'pending',
      description: 'Because.',
      reviewers: { users: ['ada', 'bob'] },
      _updatedBy: 'limited@clients'
    })
    expect((await review(server, id)).status).toBe(200)
    const approved = await get(server, id)
    expect(approved.status).toBe('approved')
    expect(approved.reviews).toEqual([
      {
        idp_user: 'reviewer@clients',
        action: 'approved',
        comment: 'Looked at it.',
        createdAt: approved.updatedAt,
        contentHash: approved.contentHash
      }
    ])
    expect((await feature(server)).name).toBe('The checkout')
    expect((await apply(server, id, '', { key })).status).toBe(200)
    expect((await feature(server)).name).toBe('New name')
    expect(await get(server, id)).toMatchObject({ status: 'applied', description: 'Because.' })
  })

  it('reaches evaluations when it is applied', async () => {
    const { server } = await begin()
    const target = {
      audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
      distribution: [{ _variation: 'variation-on', percentage: 1 }]
    }
    const body = { configurations: { production: { targets: [target] } } }
    const { _id: id } = (await create(server, { ...rename, body })).body
    await submit(server, id)
    const evaluate = () => call(server, 'evaluateVariable', { params: { key: 'checkout' }, body: { user_id: 'ada' } })
    expect((await evaluate()).body.value).toBe(false)
    expect((await review(server, id, 'approved', { apply: 'true' })).status).toBe(200)
    expect((await evaluate()).body.value).toBe(true)
    expect((await get(server, id)).status).toBe('applied')
  })

  it('carries the right to publish once it is approved', async () => {
    const { server, key } = await begin()
    const body = { path: `${rename.path}/status`, method: 'PATCH', body: { status: 'archived' } }
    const { _id: id } = (await create(server, body, { key })).body
    await submit(server, id, { key })
    await review(server, id)
    expect((await apply(server, id, '', { key })).status).toBe(200)
    expect((await feature(server)).status).toBe('archived')
  })

  it('has an audit entry for each step, and one for the change of the feature', async () => {
    const { server } = await begin()
    await requestThatIs(server, 'applied')
    const { body } = await call(server, 'listAuditEntries', { query: { project: 'shop' } })
    const types = body.flatMap(({ changes }: { changes: { type: string }[] }) => changes.map(({ type }) => type))
    expect(types.sort()).toEqual([
      'createdChangeRequest',
      'modifiedChangeRequest',
      'modifiedChangeRequest',
      'modifiedChangeRequest',
      'modifiedFeature'
    ])
    const log = await call(server, 'getFeatureAudit', { params: ofCheckout })
    expect(log.body.map(({ changes }: { changes: { type: string }[] }) => changes[0]?.type)).toEqual([
      'modifiedFeature'
    ])
  })

  it('is not applied to a feature that has changed since its draft', async () => {
    const { server } = await begin(true)
    const first = await requestThatIs(server, 'draft')
    const second = await requestThatIs(server, 'draft')
    expect((await apply(server, second, 'First of two.')).status).toBe(200)
    await submit(server, first)
    await review(server, first)
    const before = await get(server, first)
    const refused = await apply(server, first)
    expect([refused.status, refused.body.errorType]).toEqual([409, 'ERR_FEATURE_CHANGED'])
    const [entry] = (await call(server, 'getFeatureAudit', { params: ofCheckout })).body
    expect(refused.body.message).toBe(
      `feature "checkout" has changed since the change request was created: modifiedFeature by test-admin@clients at ${entry.date}. PATCH /v2/projects/shop/features/checkout/change-requests/${first}/rebase rebases it on the current state`
    )
    expect(await get(server, first)).toEqual(before)
    const again = await requestThatIsAfterCancelling(server, first)
    expect((await review(server, again, 'approved', { apply: 'true' })).status).toBe(200)
  })

  it('is applied although metrics were added since its draft', async () => {
    const { server } = await begin()
    const id = await requestThatIs(server, 'approved')
    const metric = { key: 'sales', name: 'Sales', event: 'sale', dimension: 'TOTAL_SUM', optimize: 'increase' }
    const params = { project: 'shop' }
    expect((await call(server, 'createMetric', { params, body: metric })).status).toBe(201)
    const body = { metric: 'sales', feature: 'checkout' }
    expect((await call(server, 'createMetricAssociation', { params, body })).status).toBe(201)
    expect((await apply(server, id)).status).toBe(200)
  })

  it('is the only open one of its feature', async () => {
    const { server } = await begin()
    const draft = await requestThatIs(server, 'draft')
    const pending = await requestThatIs(server, 'pending')
    const refused = await create(server)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `feature "checkout" has a change request that is pending: ${pending}`
    ])
    expect((await submit(server, draft)).status).toBe(405)
    expect((await get(server, draft)).status).toBe('draft')
    await review(server, pending)
    expect((await create(server)).status).toBe(409)
    await cancel(server, pending)
    expect((await create(server)).status).toBe(201)
  })

  it('is submitted by its creator, and reviewed by publishers', async () => {
    const { server, key } = await begin()
    const { _id: id } = (await create(server, rename, { key })).body
    const refused = await submit(server, id)
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'only its creator may submit a change request with status draft'
    ])
    await submit(server, id, { key })
    expect((await review(server, id, 'approved', {}, { key })).status).toBe(403)
    expect((await apply(server, id, '', { key })).status).toBe(403)
    expect((await get(server, id)).status).toBe('pending')
    expect((await cancel(server, id, { key })).status).toBe(200)
    expect((await get(server, id)).status).toBe('cancelled')
  })

  it('cannot be approved by its creator without bypass permission, but can be rejected', async () => {
    const [strict, free] = [await begin(), await begin(true)]
    const refused = await review(strict.server, await requestThatIs(strict.server, 'pending'), 'approved', {}, {})
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'only other users with feature:publish may approve a change request with status pending'
    ])
    const [{ _id }] = (await call(strict.server, 'listPendingChangeRequests', { params: ofCheckout })).body
    expect((await review(strict.server, _id, 'rejected', {}, {})).status).toBe(200)
    const id = await requestThatIs(free.server, 'pending')
    expect((await review(free.server, id, 'approved', { apply: 'true' }, {})).status).toBe(200)
    expect((await feature(free.server)).name).toBe('New name')
  })

  it('is applied without approval only if the project allows it', async () => {
    const [strict, free] = [await begin(), await begin(true)]
    const refused = await apply(strict.server, await requestThatIs(strict.server, 'draft'))
    expect(refused.status).toBe(403)
    expect((await feature(strict.server)).name).toBe('The checkout')
    const id = await requestThatIs(free.server, 'pending')
    const silent = await apply(free.server, id, ' ')
    expect([silent.status, silent.body.message]).toEqual([
      400,
      ['description should say why the change is made without approval, for a change request that is pending']
    ])
    expect((await apply(free.server, id, 'Urgent.')).status).toBe(200)
    expect(await get(free.server, id)).toMatchObject({ status: 'applied', description: 'Urgent.' })
    expect((await feature(free.server)).name).toBe('New name')
  })

  it('is rejected with a reason', async () => {
    const { server } = await begin()
    const id = await requestThatIs(server, 'pending')
    const body = { action: 'rejected', comment: ' ' }
    const refused = await call(server, 'reviewChangeRequest', { params: { ...ofCheckout, id }, body })
    expect(refused.status).toBe(400)
    expect((await review(server, id, 'rejected', { apply: 'true' })).status).toBe(200)
    expect((await get(server, id)).status).toBe('rejected')
    expect((await feature(server)).name).toBe('The checkout')
  })

  test.each([
    ['submit', { description: 'a', reviewers: [], status: 'approved' }, 'property status should not exist'],
    ['submit', { description: 'a'.repeat(1001), reviewers: [] }, /^description should have at most 1000 characters/],
    ['submit', { description: 'a' }, /^reviewers should be/],
    ['review', { action: 'applied', comment: '' }, /^action should be one of approved, rejected/],
    ['apply', { action: 'approved', description: '' }, /^action should be/]
  ] as const)('refuses a body of %s such as %j', async (action, body, message) => {
    // Bodies are validated before anything else.
    const id = idOf('any')
    const refused = await call(shared, `${action}ChangeRequest`, { params: { ...ofCheckout, id }, body })
    expect(refused.status).toBe(400)
    expect(refused.body.message).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)])
  })

  const ended = ['applied', 'rejected', 'cancelled'] as const
  test.each(ended)('does not change once it is %s', async (status) => {
    const id = await requestThatIs(shared, status)
    const before = await get(shared, id)
    const answers = [
      await submit(shared, id),
      await review(shared, id),
      await review(shared, id, 'rejected'),
      await apply(shared, id),
      await cancel(shared, id),
      await edit(shared, id, rename.body),
      await rebase(shared, id),
      await schedule(shared, id, '2027-01-01T00:00:00.000Z')
    ]
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(405))
    expect(answers[0]?.body.message).toBe(
      `cannot submit a change request with status ${status}; its status should be draft`
    )
    expect(await get(shared, id)).toEqual(before)
  })

  it('is found under its own feature only', async () => {
    const { server } = await begin()
    const id = await requestThatIs(server, 'draft')
    for (const other of [{ feature: 'search' }, { id: idOf('none') }, { project: 'nowhere' }]) {
      const params = { ...ofCheckout, id, ...other }
      const answers = [
        await call(server, 'getChangeRequest', { params }),
        await call(server, 'cancelChangeRequest', { params }),
        await call(server, 'updateChangeRequest', { params, body: { body: rename.body } }),
        await call(server, 'rebaseChangeRequest', { params }),
        await call(server, 'scheduleChangeRequest', { params, body: { applyAt: null } })
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    }
    const ids = { project: idOf('shop'), feature: idOf('checkout') }
    expect((await call(server, 'getChangeRequest', { params: { ...ids, id } })).body._id).toBe(id)
  })
})

describe('an approval', () => {
  /** A change request by a member, with the approval of the reviewer. */
  async function approved(): Promise<LimitedClient & { readonly id: string }> {
    const team = await begin()
    return { ...team, id: await requestThatIs(team.server, 'approved', { key: team.key }) }
  }

  it('does not survive an edit of the change request', async () => {
    const { server, key, id } = await approved()
    const before = await get(server, id)
    const edited = await edit(server, id, { name: 'Another name' }, { key })
    expect(edited.status).toBe(200)
    expect(edited.body).toMatchObject({ status: 'draft', reviews: before.reviews, _updatedBy: 'limited@clients' })
    expect(edited.body.changes).toEqual([
      { type: 'modifiedFeature', newContents: { name: 'Another name' }, previousContents: { name: 'The checkout' } }
    ])
    expect(edited.body.contentHash).not.toBe(before.contentHash)
    expect((await apply(server, id, '', { key })).status).toBe(403)
    await submit(server, id, { key })
    expect((await apply(server, id, '', { key })).status).toBe(403)
    expect((await feature(server)).name).toBe('The checkout')
    await review(server, id)
    expect((await apply(server, id, '', { key })).status).toBe(200)
    expect((await feature(server)).name).toBe('Another name')
  })

  it('applies to the content hash that the reviewer sends', async () => {
    const { server, key } = await begin()
    const id = await requestThatIs(server, 'pending', { key })
    const { contentHash } = await get(server, id)
    await edit(server, id, { name: 'Another name' }, { key })
    await submit(server, id, { key })
    const say = async (hash: string) => {
      const body = { action: 'approved', comment: '', contentHash: hash }
      const reviewer = await tokenFor(server, 'reviewer')
      return call(server, 'reviewChangeRequest', { params: { ...ofCheckout, id }, body, key: reviewer })
    }
    const refused = await say(contentHash)
    const present = (await get(server, id)).contentHash
    expect([refused.status, refused.body.message]).toEqual([
      412,
      `the change request has changed since it was read: its contentHash is ${present}, got ${contentHash}`
    ])
    expect((await say('nonsense')).status).toBe(400)
    expect((await get(server, id)).status).toBe('pending')
    expect((await say(present)).status).toBe(200)
    expect((await get(server, id)).reviews).toHaveLength(1)
  })

  it.each<[string, (store: Store) => Promise<unknown>]>([
    [
      'lost the right',
      (store) => store.collection('clients').update(idOf('reviewer'), { permissions: ['feature:write'] })
    ],
    ['is gone', (store) => store.collection('clients').remove(idOf('reviewer'))],
    [
      'is of another organization',
      (store) => store.collection('clients').update(idOf('reviewer'), { _organization: 'x' })
    ]
  ])('is not valid once the approver %s', async (_, work) => {
    const { server: first, id } = await approved()
    const server = await restarted(first, work)
    const key = await tokenFor(server, 'limited')
    const message = `change request ${id} needs a new approval: reviewer@clients approved it but may no longer do so. PATCH /v2/projects/shop/features/checkout/change-requests/${id} turns it into a draft, which can be submitted again`
    for (const attempt of [apply(server, id, '', { key }), schedule(server, id, '2027-01-01T00:00:00Z', { key })]) {
      const { status, body } = await attempt
      expect([status, body.message]).toEqual([412, message])
    }
    expect(await get(server, id)).toMatchObject({ status: 'approved' })
    expect((await feature(server)).name).toBe('The checkout')
    // The path in the message.
    expect((await edit(server, id, rename.body, { key })).status).toBe(200)
    await submit(server, id, { key })
    expect((await review(server, id, 'approved', { apply: 'true' }, {})).status).toBe(200)
  })

  it('without a content hash is not valid', async () => {
    const { server: first, id } = await approved()
    const server = await restarted(first, async (store) => {
      const { reviews = [] } = (await store.collection('changeRequests').get({ _id: id })) ?? {}
      const former = reviews.map(({ contentHash, ...each }) => each)
      await store.collection('changeRequests').update(id, { reviews: former })
    })
    const refused = await apply(server, id)
    expect([refused.status, refused.body.message]).toEqual([
      412,
      expect.stringMatching(/needs a new approval: no approval covers its current content\. PATCH/)
    ])
    expect((await feature(server)).name).toBe('The checkout')
  })

  it('by the creator is valid while the project allows bypassing approval', async () => {
    const { server } = await begin(true)
    const id = await requestThatIs(server, 'pending')
    expect((await review(server, id, 'approved', {}, {})).status).toBe(200)
    const allow = (allowPublisherBypass: boolean) => {
      return changeSettings(server, { featureApprovalWorkflow: { ...workflow, allowPublisherBypass } })
    }
    await allow(false)
    expect((await apply(server, id)).status).toBe(412)
    await allow(true)
    expect((await apply(server, id)).status).toBe(200)
  })

  it('is not required from callers who may bypass approval', async () => {
    const { server: first, key } = await begin(true)
    const id = await requestThatIs(first, 'approved', { key })
    const server = await restarted(first, (store) => store.collection('clients').remove(idOf('reviewer')))
    expect((await apply(server, id, '', { key: await tokenFor(server, 'limited') })).status).toBe(412)
    expect((await apply(server, id)).status).toBe(200)
  })
})

describe('an edit of a change request', () => {
  it('is restricted to the creator, and validated like a new change request', async () => {
    const { server, key } = await begin()
    const id = await requestThatIs(server, 'pending', { key })
    const before = await get(server, id)
    const refused = await edit(server, id, { name: 'Mine' })
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'only its creator may edit a change request with status pending'
    ])
    const wrong = await edit(server, id, { name: '' }, { key })
    expect([wrong.status, wrong.body.message]).toEqual([400, ['name should not be empty, got ""']])
    expect((await edit(server, id, { key: 'search' }, { key })).status).toBe(409)
    const params = { ...ofCheckout, id }
    expect((await call(server, 'updateChangeRequest', { params, body: rename, key })).status).toBe(400)
    expect(await get(server, id)).toEqual(before)
  })

  it('unlocks the feature, and starts from its current state', async () => {
    const { server } = await begin(true)
    const id = await requestThatIs(server, 'approved')
    const direct = () => call(server, 'updateFeature', { params: ofCheckout, body: { name: 'Direct' } })
    expect((await direct()).status).toBe(409)
    await edit(server, id, { name: 'Another' })
    expect((await direct()).status).toBe(200)
    const { body } = await edit(server, id, { name: 'Another' })
    expect(body.changes[0].previousContents).toEqual({ name: 'Direct' })
    await submit(server, id)
    expect((await review(server, id, 'approved', { apply: 'true' })).status).toBe(200)
    expect((await feature(server)).name).toBe('Another')
  })
})

describe('a rebase', () => {
  /** An approved change request of the administrator, for a feature that was turned off afterwards. */
  async function outdated(body: object = { description: 'New' }): Promise<{ server: TestServer; id: string }> {
    const { server } = await begin()
    const { _id: id } = (await create(server, { ...rename, body })).body
    await submit(server, id)
    await review(server, id)
    expect((await call(server, 'killFeature', { params: ofCheckout })).status).toBe(200)
    return { server, id }
  }

  it('makes a draft from the current feature, which requires a new approval', async () => {
    const { server, id } = await outdated({ configurations: { production: { status: 'active' } } })
    const before = await get(server, id)
    expect(before.changes).toEqual([])
    const { status, body } = await rebase(server, id)
    expect([status, body.status]).toEqual([200, 'draft'])
    const [entry] = (await call(server, 'getFeatureAudit', { params: ofCheckout })).body
    expect(body._baseFeatureSnapshot).toBe(entry._id)
    expect(body.changes.map(({ type }: { type: string }) => type)).toEqual(['enabledEnvironment'])
    expect(body.contentHash).not.toBe(before.contentHash)
    expect(await get(server, id)).toEqual(body)
    await submit(server, id)
    expect((await apply(server, id)).status).toBe(403)
    expect((await review(server, id, 'approved', { apply: 'true' })).status).toBe(200)
    expect((await feature(server)).configurations[0].status).toBe('active')
  })

  it('is restricted to the creator, and requires that the feature has changed', async () => {
    const { server, id } = await outdated()
    expect((await rebase(server, id, { key: await tokenFor(server, 'reviewer') })).status).toBe(403)
    expect((await rebase(server, id)).status).toBe(200)
    const again = await rebase(server, id)
    expect([again.status, again.body.errorType, again.body.message]).toEqual([
      409,
      'ERR_FEATURE_UNCHANGED',
      'feature "checkout" has not changed since the change request was created, so it needs no rebase'
    ])
  })

  it('explains why the change is no longer possible', async () => {
    const { server } = await begin(true)
    const distribution = [{ _variation: 'third', percentage: 1 }]
    const target = { audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } }, distribution }
    const third = { key: 'third', name: 'Third' }
    await call(server, 'createVariation', { params: ofCheckout, body: third })
    const body = { configurations: { production: { targets: [target] } } }
    const { _id: id } = (await create(server, { ...rename, body })).body
    const { variations } = await feature(server)
    const others = variations.filter(({ key }: { key: string }) => key !== 'third')
    const removal = await call(server, 'updateFeature', { params: ofCheckout, body: { variations: others } })
    expect(removal.status).toBe(200)
    const before = await get(server, id)
    const refused = await rebase(server, id)
    expect([refused.status, refused.body.message]).toEqual([
      412,
      expect.stringMatching(/^the change is no longer possible: .*third/)
    ])
    expect(await get(server, id)).toEqual(before)
    // An edit can make it applicable.
    expect((await edit(server, id, { name: 'Something else' })).status).toBe(200)
  })

  it('explains that a key is taken by now', async () => {
    const { server } = await begin(true)
    const { _id: id } = (await create(server, { ...rename, body: { key: 'basket' } })).body
    await call(server, 'createFeature', { params: { project: 'shop' }, body: { key: 'basket', name: 'Basket' } })
    await call(server, 'updateFeature', { params: ofCheckout, body: { name: 'Direct' } })
    const refused = await rebase(server, id)
    expect([refused.status, refused.body.message]).toEqual([
      412,
      expect.stringMatching(/^the change is no longer possible: .*"basket"/)
    ])
  })
})

async function requestThatIsAfterCancelling(server: TestServer, id: string): Promise<string> {
  await cancel(server, id)
  const body = { ...rename, body: { name: 'Yet another name' } }
  const { _id } = (await create(server, body)).body
  await submit(server, _id)
  return _id
}

describe('listing change requests', () => {
  let team: LimitedClient
  let ids: Record<'rejected' | 'draft' | 'pending' | 'other', string>

  beforeAll(async () => {
    team = await begin()
    const { server, key } = team
    const rejected = await requestThatIs(server, 'rejected')
    const draft = await requestThatIs(server, 'draft', { key })
    const pending = await requestThatIs(server, 'pending')
    const path = '/v2/projects/shop/features/search'
    const other = (await create(server, { ...rename, path }, {}, { feature: 'search' })).body._id
    ids = { rejected, draft, pending, other }
  })

  async function list(query: Record<string, string> = {}, as: As = {}): Promise<unknown[]> {
    const { body, headers } = await call(team.server, 'listChangeRequests', {
      params: { project: 'shop' },
      query,
      ...as
    })
    return [
      headers.count,
      ...body.map(({ _id }: { _id: string }) => Object.entries(ids).find(([, id]) => id === _id)?.[0])
    ]
  }

  it('shows drafts to their creators only', async () => {
    expect(await list()).toEqual(['3', 'other', 'pending', 'rejected'])
    expect(await list({}, { key: team.key })).toEqual(['3', 'pending', 'draft', 'rejected'])
  })

  test.each([
    [{ status: 'pending' }, ['1', 'pending']],
    [{ status: 'draft' }, ['1', 'other']],
    [{ status: 'applied' }, ['0']],
    [{ reviewer: 'bob' }, ['2', 'pending', 'rejected']],
    [{ reviewer: 'eve' }, ['0']],
    [{ perPage: '1', page: '2' }, ['3', 'pending']],
    [{ sortOrder: 'asc', perPage: '2' }, ['3', 'rejected', 'pending']],
    [{ search: 'BECAUSE' }, ['2', 'pending', 'rejected']],
    [{ createdBy: 'limited@clients' }, ['0']],
    [{ page: '7' }, ['3']]
  ])('with %j returns %j', async (query, expected) => {
    expect(await list(query)).toEqual(expected)
  })

  it('includes the name of each feature', async () => {
    const { body } = await call(team.server, 'listChangeRequests', { params: { project: idOf('shop') } })
    expect(body[0].feature).toEqual({ key: 'search', name: 'The search', id: idOf('search') })
  })

  it('refuses an unknown status', async () => {
    const query = { status: 'open' }
    expect((await call(team.server, 'listChangeRequests', { params: { project: 'shop' }, query })).status).toBe(400)
  })

  it('of a feature returns pending ones, as does the feature', async () => {
    const { body } = await call(team.server, 'listPendingChangeRequests', { params: ofCheckout })
    expect(body.map(({ _id }: { _id: string }) => _id)).toEqual([ids.pending])
    expect((await feature(team.server)).changeRequests).toEqual(body)
    const params = { project: 'shop', feature: 'search' }
    expect((await call(team.server, 'listPendingChangeRequests', { params })).body).toEqual([])
  })

  it('returns the latest that is not a draft', async () => {
    const { body } = await call(team.server, 'getLatestChangeRequest', { params: ofCheckout })
    expect(body._id).toBe(ids.pending)
    const none = await call(team.server, 'getLatestChangeRequest', { params: { project: 'shop', feature: 'search' } })
    expect(none.status).toBe(404)
  })
})

describe('with the approval workflow', () => {
  const direct = [
    ['updateFeature', { name: 'Direct' }],
    ['updateFeatureV1', { name: 'Direct' }],
    ['updateFeatureStatus', { status: 'archived' }],
    ['updateFeatureStatusV1', { status: 'archived' }],
    ['updateFeatureConfiguration', { status: 'inactive' }],
    ['createVariation', { key: 'third', name: 'Third' }],
    ['updateVariation', { name: 'Other' }]
  ] as const
  const params = { ...ofCheckout, key: 'variation-on' }
  const query = { environment: 'production' }
  let free: TestServer
  let locked: TestServer

  beforeAll(async () => {
    free = (await begin()).server
    locked = (await begin(true)).server
    await requestThatIs(locked, 'pending')
  })

  test.each(direct)('%s is refused with a hint to create a change request', async (id, body) => {
    const before = await feature(free)
    const end = id.startsWith('updateFeatureStatus') ? '/status' : ''
    const refused = await call(free, id, { params, query: id === 'updateFeatureConfiguration' ? query : {}, body })
    expect([refused.status, refused.body.errorType]).toEqual([403, 'ERR_APPROVAL_REQUIRED'])
    expect(refused.body.message).toBe(
      `changes of feature "checkout" that affect protected environments need approval: create a change request for PATCH /v2/projects/shop/features/checkout${end} with POST /v2/projects/shop/features/checkout/change-requests`
    )
    expect(await feature(free)).toEqual(before)
  })

  test.each(direct)('%s is refused for everyone while a change request is open', async (id, body) => {
    const refused = await call(locked, id, { params, query: id === 'updateFeatureConfiguration' ? query : {}, body })
    expect(refused.status).toBe(409)
    expect(refused.body.message).toMatch(/^feature "checkout" is locked by change request/)
  })

  it('a static configuration is changed by change requests too', async () => {
    const answer = await call(free, 'updateStaticConfiguration', {
      params: { project: 'shop', feature: 'done' },
      body: { variables: { done: false } }
    })
    expect(answer.status).toBe(403)
    expect(answer.body.message).toContain('PATCH /v2/projects/shop/features/done/static-configuration with')
  })

  it('variables of features are changed by change requests too', async () => {
    const at = { project: 'shop', key: 'checkout' }
    expect((await call(free, 'updateVariable', { params: at, body: { name: 'Direct' } })).status).toBe(403)
    const body = { key: 'joins', type: 'String', _feature: 'checkout' }
    expect((await call(free, 'createVariable', { params: { project: 'shop' }, body })).status).toBe(403)
    const unbound = { key: 'unbound', type: 'String' }
    expect((await call(free, 'createVariable', { params: { project: 'shop' }, body: unbound })).status).toBe(201)
  })

  it('opt-in targets are added to a locked feature when its change request is applied', async () => {
    const features = plan.features?.map((each) => ({ ...each, isOptIn: true, targets: [{}] })) ?? []
    const { server } = await begin(false, { features })
    const id = await requestThatIs(server, 'pending')
    await changeSettings(server, { optIn: { enabled: true } })
    const names = async (key: string) => {
      return (await feature(server, key)).configurations[0].targets.map(({ name }: { name?: string }) => name)
    }
    expect(await names('search')).toContain('Opt-In Users')
    expect(await names('checkout')).not.toContain('Opt-In Users')
    const refused = await review(server, id, 'approved', { apply: 'true' })
    expect([refused.status, refused.body.errorType]).toEqual([409, 'ERR_EFFECT_CHANGED'])
    const rebased = await rebase(server, id)
    expect(rebased.body.changes.map(({ type }: { type: string }) => type)).toContain('addedTarget')
    await submit(server, id)
    expect((await review(server, id, 'approved', { apply: 'true' })).status).toBe(200)
    expect(await names('checkout')).toContain('Opt-In Users')
  })

  it('a change request cannot take a variable of a locked archived feature', async () => {
    const team = await begin(true)
    const params = { project: 'shop', feature: 'search' }
    await call(team.server, 'updateFeatureStatus', { params, body: { status: 'archived' } })
    const body = { variables: [{ key: 'search', type: 'Boolean' }] }
    const draft = (await create(team.server, { ...rename, body })).body
    expect(draft.changes.map(({ type }: { type: string }) => type)).toEqual([
      'addedVariable',
      'removedVariable',
      'modifiedVariation'
    ])
    const path = '/v2/projects/shop/features/search/status'
    const request = { path, method: 'PATCH', body: { status: 'active' } }
    const { _id: id } = (await create(team.server, request, {}, params)).body
    const submission = { description: 'Back', reviewers: [] }
    await call(team.server, 'submitChangeRequest', { params: { ...params, id }, body: submission })
    const direct = await call(team.server, 'updateFeature', { params: ofCheckout, body })
    expect([direct.status, direct.body.message]).toEqual([
      409,
      expect.stringContaining('feature "search" is locked by change request')
    ])
  })

  it('a variable of an archived feature that serves no users can move to a new feature', async () => {
    const features: Plan['features'] = [{ key: 'old', status: 'archived' }]
    const { server } = await begin(false, { features })
    const body = { key: 'new', name: 'New', variables: [{ key: 'old', type: 'Boolean' }] }
    expect((await call(server, 'createFeature', { params: { project: 'shop' }, body })).status).toBe(201)
  })

  it('a revert cannot bypass approval, but a feature can be turned off, and deleted unless it is locked', async () => {
    const { server } = await begin()
    const id = await requestThatIs(server, 'applied')
    const [{ _id: entry }] = (await call(server, 'getFeatureAudit', { params: ofCheckout })).body
    expect((await call(server, 'revertFeature', { params: { ...ofCheckout, entry } })).status).toBe(403)
    await requestThatIs(server, 'pending')
    expect((await call(server, 'deleteFeature', { params: ofCheckout })).status).toBe(409)
    expect((await call(server, 'killFeature', { params: ofCheckout })).status).toBe(200)
    const other = { project: 'shop', feature: 'search' }
    expect((await call(server, 'killFeature', { params: other })).status).toBe(200)
    expect((await call(server, 'deleteFeature', { params: other })).status).toBe(200)
    expect((await get(server, id)).status).toBe('applied')
  })

  it('publishers bypass approval if the project allows it', async () => {
    const { server, key } = await begin(true)
    const body = { name: 'Direct' }
    expect((await call(server, 'updateFeature', { params: ofCheckout, body })).body.name).toBe('Direct')
    const refused = await call(server, 'updateFeature', { params: ofCheckout, body: { name: 'Other' }, key })
    expect(refused.status).toBe(403)
  })

  it('other features and new ones are not locked', async () => {
    const at = { project: 'shop', feature: 'search' }
    expect((await call(locked, 'updateFeature', { params: at, body: { name: 'Free' } })).status).toBe(200)
    const body = { key: 'new', name: 'New' }
    expect((await call(locked, 'createFeature', { params: { project: 'shop' }, body })).status).toBe(201)
  })
})

describe('without the approval workflow', () => {
  it('the routes of change requests return an error', async () => {
    const { server } = await begin()
    const id = await requestThatIs(server, 'pending')
    await changeSettings(server, { featureApprovalWorkflow: { enabled: false } })
    const message =
      'change requests are disabled in project "shop": set settings.featureApprovalWorkflow.enabled to true in its protected settings'
    const created = await create(server)
    expect([created.status, created.body.message]).toEqual([412, message])
    const answers = [
      await call(server, 'listChangeRequests', { params: { project: 'shop' } }),
      await call(server, 'listPendingChangeRequests', { params: ofCheckout }),
      await call(server, 'getLatestChangeRequest', { params: ofCheckout }),
      await call(server, 'getChangeRequest', { params: { ...ofCheckout, id } }),
      await submit(server, id),
      await review(server, id),
      await apply(server, id),
      await cancel(server, id),
      await edit(server, id, rename.body),
      await rebase(server, id),
      await schedule(server, id, null)
    ]
    for (const { status, body } of answers) expect([status, body.message]).toEqual([405, message])
    const direct = await call(server, 'updateFeature', { params: ofCheckout, body: { name: 'Direct' } })
    expect(direct.status).toBe(200)
  })
})

test('the audit entry of an applied change request and the request name each other, and who made and approved it', async () => {
  const { server, key } = await begin()
  const headers = {
    'burgee-referrer': 'mcp',
    'burgee-referrer-metadata': JSON.stringify({ assistant: 'helpful-editor' })
  }
  const { body: request } = await call(server, 'createChangeRequest', {
    params: ofCheckout,
    body: rename,
    key,
    headers
  })
  await submit(server, request._id, { key })
  await review(server, request._id)
  expect((await apply(server, request._id)).status).toBeLessThan(300)
  const { body: applied } = await call(server, 'getChangeRequest', { params: { ...ofCheckout, id: request._id } })
  const [entry] = (await call(server, 'getFeatureAudit', { params: ofCheckout })).body
  expect(entry.changeRequest).toEqual({
    _id: request._id,
    _feature: applied._feature,
    _createdBy: 'limited@clients',
    assistant: 'helpful-editor',
    clientId: 'limited',
    reviewers: ['reviewer@clients']
  })
  expect(applied._appliedEntry).toBe(entry._id)
  expect((await call(server, 'verifyAudit')).body.isIntact).toBe(true)
})

describe('countWaitingReviews', () => {
  const waiting = async (server: TestServer, client: string) =>
    (await call(server, 'countWaitingReviews', { key: await tokenFor(server, client) })).body

  it('counts pending requests of all projects for those who may approve them', async () => {
    const { server, key } = await begin()
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    await call(server, 'createFeature', { params: { project: 'other' }, body: { key: 'basket', name: 'Basket' } })
    const settings = { disablePassthroughRollouts: false, featureApprovalWorkflow: workflow }
    await call(server, 'updateProjectSettings', { params: { key: 'other' }, body: { settings } })
    await requestThatIs(server, 'pending', { key })
    await create(server, rename, { key })
    const params = { project: 'other', feature: 'basket' }
    const inOther = { path: '/v2/projects/other/features/basket', method: 'PATCH', body: { name: 'Cart' } }
    const { _id: id } = (await create(server, inOther, { key }, params)).body
    const body = { description: 'Because.', reviewers: [] }
    await call(server, 'submitChangeRequest', { params: { ...params, id }, body, key })
    const counts = (await waiting(server, 'reviewer')).map((row: { project: { key: string }; count: number }) => [
      row.project.key,
      row.count
    ])
    expect(counts.toSorted()).toEqual([
      ['other', 1],
      ['shop', 1]
    ])
    expect(await waiting(server, 'limited')).toEqual([])
  })

  it('leaves out own requests, and those that the caller approved', async () => {
    const settings = { featureApprovalWorkflow: { ...workflow, requiredApprovals: 2 } }
    const { server, key } = await begin(false, { settings })
    const id = await requestThatIs(server, 'pending', { key })
    expect(await waiting(server, 'reviewer')).toHaveLength(1)
    await review(server, id)
    expect((await get(server, id)).status).toBe('pending')
    expect(await waiting(server, 'reviewer')).toEqual([])
    const own = await begin()
    await requestThatIs(own.server, 'pending', { key: await tokenFor(own.server, 'reviewer') })
    expect(await waiting(own.server, 'reviewer')).toEqual([])
  })

  it('counts approved requests when the project requires more approvals afterwards', async () => {
    const { server, key } = await begin()
    const id = await requestThatIs(server, 'pending', { key })
    await review(server, id, 'approved', {}, {})
    expect(await waiting(server, 'reviewer')).toEqual([])
    const body = { settings: { featureApprovalWorkflow: { requiredApprovals: 2 } } }
    await call(server, 'updateProtectedSettings', { params: { key: 'shop' }, body })
    expect((await get(server, id)).status).toBe('approved')
    expect(await waiting(server, 'reviewer')).toHaveLength(1)
  })
})
