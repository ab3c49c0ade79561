import type { ChangeRequestAction } from '@burgee/contract/rules'
// Long because it covers every kind of change that needs approval, with all participants.

import { permissions } from '@burgee/contract'
import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { changeInEmergency } from '@burgee/testing/approvals'
import { type ApiResponse, call, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf, keyOf, makeProject, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { fullAccess } from '../../src/access/permissions/access.ts'
import { getNextStatus } from '../../src/flags/approvals/transitions.ts'
import type { StoredChangeRequest } from '../../src/storage/resources/history.ts'

const workflow = { enabled: true, allowPublisherBypass: false, defaultReviewers: [] }
const inShop = { project: 'shop' }
const all = { operator: 'and', filters: [{ type: 'all' }] } as const
const nobody = { operator: 'and', filters: [{ type: 'user', subType: 'user_id', comparator: '=', values: ['-'] }] }
const uses = (key: string) => {
  return { operator: 'and', filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [idOf(key)] }] } as const
}
const reason = 'the shop is down'

const plan: Plan = {
  environments: { production: {}, staging: {} },
  audiences: { direct: all, nested: all, outer: uses('nested'), unused: all },
  features: [
    { key: 'checkout', targets: [{ filters: uses('direct').filters }, { filters: uses('outer').filters }] },
    { key: 'search' }
  ]
}

/** A server with approvals. The administrator, `ada` and `bob` may do everything; they are three people. */
async function begin(settings: object = {}): Promise<TestServer> {
  const directory = await storeWith({
    ...plan,
    settings: { featureApprovalWorkflow: { ...workflow, ...settings } }
  })
  const writing = ['project:read', 'feature:read', 'feature:write', 'audience:read', 'audience:write'] as const
  await addClients(directory, { ada: permissions, bob: permissions, writer: writing })
  const server = await serve(directory)
  let time = NOW
  server.clock.now = () => {
    time += 1000
    return time
  }
  return server
}

type Person = 'administrator' | 'ada' | 'bob' | 'writer'

async function as(server: TestServer, person: Person): Promise<{ key?: string }> {
  return person === 'administrator' ? {} : { key: await tokenFor(server, person) }
}

const switchOff = {
  path: '/v1/projects/shop/settings/protected',
  method: 'PATCH',
  body: { settings: { featureApprovalWorkflow: { enabled: false } } }
}

/** Creates and submits a change request of the administrator. */
async function submitted(server: TestServer, body: object = switchOff, by: object = {}): Promise<string> {
  const created = await call(server, 'createProjectChangeRequest', { params: inShop, body, ...by })
  expect([created.status, created.body.message]).toEqual([201, undefined])
  const params = { ...inShop, id: created.body._id }
  const submission = { description: 'Please.', reviewers: [] }
  expect((await call(server, 'submitProjectChangeRequest', { params, body: submission, ...by })).status).toBe(200)
  return created.body._id
}

async function review(server: TestServer, id: string, by: object, query = {}): Promise<ApiResponse> {
  const body = { action: 'approved', comment: 'Fine.' }
  return call(server, 'reviewProjectChangeRequest', { params: { ...inShop, id }, body, query, ...by })
}

async function apply(
  server: TestServer,
  id: string,
  more: object = {},
  by: object = {},
  query = {}
): Promise<ApiResponse> {
  const body = { description: '', action: 'applied', ...more }
  return call(server, 'applyProjectChangeRequest', { params: { ...inShop, id }, body, query, ...by })
}

async function statusOf(server: TestServer, id: string): Promise<string> {
  return (await call(server, 'getProjectChangeRequest', { params: { ...inShop, id } })).body.status
}

const settingsOf = async (server: TestServer) => {
  return (await call(server, 'getProject', { params: { key: 'shop' } })).body.settings
}

function outcome({ status, body }: ApiResponse): unknown[] {
  return [status, body?.errorType]
}

const required = [403, 'ERR_APPROVAL_REQUIRED']

const settings = (path: string, given: object) => ({ path, method: 'PATCH', body: { settings: given } })
const workflowSetting = (given: object) =>
  settings('/v1/projects/shop/settings/protected', { featureApprovalWorkflow: given })

/** The changes that need approval. */
const guarded: readonly [string, { path: string; method: string; body?: object }][] = [
  ['turning approvals off', switchOff],
  ['allowing publishers to bypass', workflowSetting({ allowPublisherBypass: true })],
  ['lowering the number of approvals', workflowSetting({ requiredApprovals: 1 })],
  ['allowing emergencies', workflowSetting({ allowEmergency: true })],
  [
    'lowering the permission of overrides',
    settings('/v1/projects/shop/settings/protected', { overrides: { protectedPermission: 'read' } })
  ],
  [
    'the same through another operation',
    settings('/v1/projects/shop/settings', {
      disablePassthroughRollouts: false,
      featureApprovalWorkflow: { enabled: false }
    })
  ],
  ['passing through rollouts', settings('/v1/projects/shop/settings', { disablePassthroughRollouts: true })],
  ['trusting writes of clients', settings('/v1/projects/shop', { trustClientWrites: true })],
  ['opt-in', settings('/v1/projects/shop', { optIn: { enabled: true } })],
  ['edge data', settings('/v1/projects/shop', { edgeDB: { enabled: true } })],
  ['obfuscation', settings('/v1/projects/shop', { obfuscation: { enabled: true, required: false } })],
  ['required obfuscation', settings('/v1/projects/shop', { obfuscation: { enabled: true, required: true } })],
  ['off values in OFREP', settings('/v1/projects/shop/environments/production', { ofrepOffValues: true })],
  ['signed users', settings('/v1/projects/shop/environments/production', { signedUsers: 'required' })],
  [
    'anonymous users without a signature',
    settings('/v1/projects/shop/environments/production', { unsignedAnonymousUsers: true })
  ],
  ['deleting the project', { path: '/v1/projects/shop', method: 'DELETE' }],
  ['unprotecting', { path: '/v1/projects/shop/environments/production', method: 'PATCH', body: { type: 'staging' } }],
  [
    'another protected type',
    { path: '/v1/projects/shop/environments/production', method: 'PATCH', body: { type: 'disaster_recovery' } }
  ],
  ['deleting an environment', { path: '/v1/projects/shop/environments/production', method: 'DELETE' }],
  ['an audience', { path: '/v1/projects/shop/audiences/direct', method: 'PATCH', body: { filters: nobody } }],
  ['a nested audience', { path: '/v1/projects/shop/audiences/nested', method: 'PATCH', body: { filters: nobody } }],
  [
    'an audience by id',
    { path: `/v1/projects/shop/audiences/${idOf('direct')}`, method: 'PATCH', body: { filters: nobody } }
  ]
]

/** The changes that need none. */
const free: readonly [string, { path: string; method: string; body?: object }][] = [
  ['asking for more approvals', workflowSetting({ requiredApprovals: 5 })],
  ['a default reviewer', workflowSetting({ defaultReviewers: ['ada@clients'] })],
  ['signed users elsewhere', settings('/v1/projects/shop/environments/preview', { signedUsers: 'required' })],
  ['staleness', settings('/v1/projects/shop/settings/protected', { staleness: { enabled: true } })],
  ['the name of the project', { path: '/v1/projects/shop', method: 'PATCH', body: { name: 'Store' } }],
  [
    'the name of production',
    { path: '/v1/projects/shop/environments/production', method: 'PATCH', body: { name: 'P' } }
  ],
  ['protecting', { path: '/v1/projects/shop/environments/staging', method: 'PATCH', body: { type: 'production' } }],
  ['an unused audience', { path: '/v1/projects/shop/audiences/unused', method: 'PATCH', body: { filters: nobody } }],
  ['the name of an audience', { path: '/v1/projects/shop/audiences/direct', method: 'PATCH', body: { name: 'D' } }]
]

async function direct(server: TestServer, { path, method, body }: { path: string; method: string; body?: object }) {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${await tokenFor(server, 'ada')}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {})
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

it('requires signed users once a second person has approved it, with a secret that exists', async () => {
  const server = await begin()
  const path = '/v1/projects/shop/environments/production'
  const body = settings(path, { signedUsers: 'required' })
  const refused = await call(server, 'createProjectChangeRequest', { params: inShop, body })
  expect([refused.status, refused.body.message]).toEqual([
    412,
    expect.stringContaining('environment "production" has no user signing secret: add one with POST ')
  ])
  await addSigningSecret(server)
  const evaluate = async () => {
    const body = { context: { targetingKey: 'eve' } }
    return (await call(server, 'ofrepEvaluateFlags', { body, key: keyOf('client') })).status
  }
  expect(await evaluate()).toBe(200)
  const id = await submitted(server, body)
  expect((await apply(server, id)).status).not.toBe(200)
  expect(await evaluate()).toBe(200)
  expect((await review(server, id, await as(server, 'ada'), { apply: true })).status).toBe(200)
  expect(await evaluate()).toBe(401)
  const { status, body: off } = await direct(server, settings(path, { signedUsers: 'off' }))
  expect([status, off.errorType]).toEqual(required)
})

async function addSigningSecret(server: TestServer): Promise<void> {
  const params = { ...inShop, environment: 'production' }
  expect((await call(server, 'createUserSigningSecret', { params })).status).toBe(201)
}

describe('in a project with approvals', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await begin({ requiredApprovals: 3, allowEmergency: false })
    // The last project cannot be deleted.
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    await addSigningSecret(server)
    const preview = { key: 'preview', name: 'Preview', type: 'development' }
    expect((await call(server, 'createEnvironment', { params: inShop, body: preview })).status).toBe(201)
  })

  test.each(guarded)('a direct change is refused: %s', async (_, request) => {
    const { status, body } = await direct(server, request)
    expect([status, body.errorType]).toEqual(required)
    expect(body.message).toContain('with POST /v2/projects/shop/change-requests')
  })

  test.each(guarded)('a change request can be created and lists its changes: %s', async (_, request) => {
    const { status, body } = await call(server, 'createProjectChangeRequest', { params: inShop, body: request })
    expect([status, body.message]).toEqual([201, undefined])
    expect(body).toMatchObject({ status: 'draft', method: request.method, path: request.path })
    expect(body.changes.length).toBeGreaterThan(0)
  })

  test.each([
    ['another project', { path: '/v1/projects/other/settings/protected', method: 'PATCH', body: {} }, 400],
    ['a feature', { path: '/v2/projects/shop/features/checkout', method: 'PATCH', body: { name: 'x' } }, 400],
    ['a body of a deletion', { path: '/v1/projects/shop', method: 'DELETE', body: {} }, 400],
    ['no body', { path: '/v1/projects/shop', method: 'PATCH' }, 400],
    [
      'an invalid body',
      { ...switchOff, body: { settings: { featureApprovalWorkflow: { requiredApprovals: 6 } } } },
      400
    ],
    ['an unknown audience', { path: '/v1/projects/shop/audiences/x', method: 'PATCH', body: { name: 'x' } }, 404]
  ])('a change request is refused for %s', async (_, body, expected) => {
    expect((await call(server, 'createProjectChangeRequest', { params: inShop, body })).status).toBe(expected)
  })

  it('a change request requires the permission of the change', async () => {
    const writer = await as(server, 'writer')
    const wanted = await call(server, 'createProjectChangeRequest', { params: inShop, body: switchOff, ...writer })
    expect([wanted.status, wanted.body.missingPermission]).toEqual([403, 'project:write:settings'])
    const id = await submitted(server, guarded.find(([name]) => name === 'an audience')?.[1], writer)
    expect((await review(server, id, writer)).status).toBe(403)
    expect((await apply(server, id, {}, writer)).status).toBe(403)
  })

  it('requests of the project are listed apart from those of features', async () => {
    const id = await submitted(server)
    const ids = async (query: Record<string, string>) => {
      const { body } = await call(server, 'listChangeRequests', { params: inShop, query })
      return body.map(({ _id }: { _id: string }) => _id)
    }
    expect(await ids({ scope: 'project' })).toContain(id)
    expect(await ids({})).not.toContain(id)
  })

  it('an audience cannot change while an open change request refers to it', async () => {
    const targets = [
      { audience: { filters: uses('unused') }, distribution: [{ _variation: 'variation-on', percentage: 1 }] }
    ]
    const params = { ...inShop, feature: 'search' }
    const body = {
      path: '/v2/projects/shop/features/search',
      method: 'PATCH',
      body: { configurations: { production: { targets } } }
    }
    const { _id: id } = (await call(server, 'createChangeRequest', { params, body })).body
    const submission = { description: '', reviewers: [] }
    await call(server, 'submitChangeRequest', { params: { ...params, id }, body: submission })
    const changed = { params: { ...inShop, key: 'unused' }, body: { filters: nobody } }
    expect(outcome(await call(server, 'updateAudience', changed))).toEqual(required)
    await call(server, 'cancelChangeRequest', { params: { ...params, id } })
  })

  test.each(free)('a direct change is made: %s', async (_, request) => {
    const { status, body } = await direct(server, request)
    expect([status, body?.message]).toEqual([200, undefined])
  })
})

describe('the approvals of a change request', () => {
  let server: TestServer

  beforeEach(async () => {
    server = await begin({ requiredApprovals: 2 })
  })

  it('must reach the number that the project requires when it is applied', async () => {
    const [ada, bob] = [await as(server, 'ada'), await as(server, 'bob')]
    const id = await submitted(server, workflowSetting({ requiredApprovals: 1 }))
    expect((await review(server, id, ada, { apply: true })).status).toBe(200)
    expect(await statusOf(server, id)).toBe('pending')
    const again = await review(server, id, ada)
    expect([again.status, again.body.message]).toEqual([
      409,
      `ada@clients has approved change request ${id} already: it needs 1 more approval by others`
    ])
    const early = await apply(server, id)
    expect([early.status, early.body.message]).toEqual([
      403,
      `change request ${id} cannot be applied: it has 1 of 2 required approvals and needs 1 more`
    ])
    expect((await review(server, id, bob)).status).toBe(200)
    expect(await statusOf(server, id)).toBe('approved')

    // More are required now, and fewer only once the change is made.
    await call(server, 'updateProtectedSettings', {
      params: { key: 'shop' },
      body: { settings: { featureApprovalWorkflow: { requiredApprovals: 3 } } }
    })
    const { status, body } = await apply(server, id)
    expect([status, body.message]).toEqual([
      412,
      expect.stringContaining('has 2 of 3 required approvals and needs 1 more')
    ])
    expect((await settingsOf(server)).featureApprovalWorkflow.requiredApprovals).toBe(3)
  })

  it('count only while the reviewers may still approve, and are required again when the effect has changed', async () => {
    const [ada, bob] = [await as(server, 'ada'), await as(server, 'bob')]
    const id = await submitted(server)
    await review(server, id, ada)
    await review(server, id, bob)
    await call(server, 'updateApiClient', { params: { client: 'bob' }, body: { permissions: ['project:read'] } })
    expect((await apply(server, id)).status).toBe(412)
    await call(server, 'updateApiClient', { params: { client: 'bob' }, body: { permissions } })
    await direct(server, settings('/v1/projects/shop/settings/protected', { staleness: { enabled: true } }))
    expect(outcome(await apply(server, id))).toEqual([409, 'ERR_EFFECT_CHANGED'])
    expect((await call(server, 'rebaseProjectChangeRequest', { params: { ...inShop, id } })).status).toBe(200)
    expect(await statusOf(server, id)).toBe('draft')
  })

  it('apply the change, whose audit entry names the request, its author and its reviewers', async () => {
    const [ada, bob] = [await as(server, 'ada'), await as(server, 'bob')]
    const id = await submitted(server)
    await review(server, id, ada)
    expect((await review(server, id, bob, { apply: true })).status).toBe(200)
    expect((await settingsOf(server)).featureApprovalWorkflow.enabled).toBe(false)
    const { body } = await call(server, 'listAuditEntries', { query: { perPage: 1 } })
    expect(body[0].changeRequest).toEqual({
      _id: id,
      _createdBy: 'test-admin@clients',
      clientId: 'test-admin',
      reviewers: ['ada@clients', 'bob@clients']
    })
    expect(
      body[0].changes.findLast(({ type }: { type: string }) => type === 'modifiedChangeRequest').newContents
    ).toMatchObject({
      _appliedEntry: body[0]._id
    })
  })

  it('delete the project, with an entry in the log of the organization', async () => {
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    const id = await submitted(server, { path: '/v1/projects/shop', method: 'DELETE' })
    await review(server, id, await as(server, 'ada'))
    await review(server, id, await as(server, 'bob'))
    expect((await apply(server, id)).status).toBe(200)
    expect((await call(server, 'getProject', { params: { key: 'shop' } })).status).toBe(404)
    const [entry] = (await call(server, 'listAuditEntries', { query: { perPage: 1 } })).body
    expect(entry).toMatchObject({ changeRequest: { _id: id } })
    expect(entry).not.toHaveProperty('_project')
    expect(entry.changes.map(({ type }: { type: string }) => type)).toContain('deletedProject')
  })

  it('of clients of one person, and of that person, count as one', async () => {
    const client = async (name: string, by: object) => {
      const made = await call(server, 'createApiClient', { body: { name, clientId: name, permissions }, ...by })
      expect(made.status).toBe(201)
      return { key: await tokenWith(server, name, made.body.clientSecret) }
    }
    const ada = await as(server, 'ada')
    const first = await client('first', ada)
    const second = await client('second', first)
    // The chain of creators is known even if a client in between is deleted.
    await call(server, 'deleteApiClient', { params: { client: 'first' } })

    const own = await submitted(server, switchOff, ada)
    expect((await review(server, own, second)).status).toBe(403)
    const byClient = await submitted(server, switchOff, second)
    expect((await review(server, byClient, ada)).status).toBe(403)

    const id = await submitted(server)
    expect((await review(server, id, ada)).status).toBe(200)
    const repeated = await review(server, id, second)
    expect([repeated.status, repeated.body.message]).toEqual([
      409,
      expect.stringMatching(/^ada@clients has approved change request \S+ already, and \S+ counts as the same person: /)
    ])
    expect(await statusOf(server, id)).toBe('pending')

    // The holder of the new secret of bob's client is ada.
    const { body } = await call(server, 'rotateApiClientSecret', { params: { client: 'bob' }, ...ada })
    expect((await review(server, id, { key: await tokenWith(server, 'bob', body.clientSecret) })).status).toBe(409)
  })

  it('of a client and of its owner count as one, even after another person rotates the secret of the client', async () => {
    const ada = await as(server, 'ada')
    const made = await call(server, 'createApiClient', { body: { name: 'bot', clientId: 'bot', permissions }, ...ada })
    const id = await submitted(server)
    const bot = { key: await tokenWith(server, 'bot', made.body.clientSecret) }
    expect((await review(server, id, bot)).status).toBe(200)
    const { reviews } = (await call(server, 'getProjectChangeRequest', { params: { ...inShop, id } })).body
    expect(reviews).toEqual([expect.not.objectContaining({ _roots: expect.anything() })])
    await call(server, 'rotateApiClientSecret', { params: { client: 'bot' }, ...(await as(server, 'bob')) })
    expect((await review(server, id, ada)).status).toBe(409)
    expect(await statusOf(server, id)).toBe('pending')
  })
})

async function tokenWith(server: TestServer, client: string, secret: string): Promise<string> {
  const body = JSON.stringify({ grant_type: 'client_credentials', client_id: client, client_secret: secret })
  const headers = { 'content-type': 'application/json' }
  return (await send(server, { method: 'POST', path: '/oauth/token', headers, body })).body.access_token
}

describe('a dry run', () => {
  const dry = { dryRun: 'true' }

  it('of a review answers like the review, and changes nothing', async () => {
    const server = await begin()
    const ada = await as(server, 'ada')
    const id = await submitted(server)
    expect(outcome(await review(server, id, {}, dry))).toEqual(outcome(await review(server, id, {})))
    for (const query of [dry, { ...dry, apply: 'true' }]) {
      expect((await review(server, id, ada, query)).status).toBe(200)
      expect(await statusOf(server, id)).toBe('pending')
      expect((await settingsOf(server)).featureApprovalWorkflow.enabled).toBe(true)
    }
  })

  it('of an application answers like the application, and changes nothing', async () => {
    const server = await begin()
    const ada = await as(server, 'ada')
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    const id = await submitted(server, { path: '/v1/projects/shop', method: 'DELETE' })
    const refused = await apply(server, id, {}, {}, dry)
    expect(refused.status).toBe(403)
    expect((await apply(server, id)).body).toEqual(refused.body)
    expect((await review(server, id, ada)).status).toBe(200)
    expect((await apply(server, id, {}, {}, dry)).status).toBe(200)
    expect(await statusOf(server, id)).toBe('approved')
    expect((await call(server, 'getProject', { params: { key: 'shop' } })).status).toBe(200)
  })
})

describe('an application in an emergency', () => {
  it.each(['x', ' short ', 'x\u3164\u3164\u3164\u3164\u3164\u3164\u3164\u3164\u3164y'])(
    'is refused without a reason of ten visible characters: %j',
    async (reason) => {
      const body = { action: 'applied', description: '', emergency: { reason } } as const
      const params = { project: 'shop', id: 'x' }
      const { status, body: refusal } = await call(await serve({}), 'applyProjectChangeRequest', { params, body })
      expect([status, refusal.message]).toEqual([
        400,
        [expect.stringMatching(/^emergency\.reason should contain at least 10 visible characters, got "/)]
      ])
    }
  )

  let server: TestServer

  beforeEach(async () => {
    server = await begin()
    const body = { name: 'Alarm', url: 'https://hooks.invalid/', events: ['appliedInEmergency'] }
    expect((await call(server, 'createWebhook', { params: inShop, body })).status).toBe(201)
  })

  /** The events that were sent to the webhook, with the key of their subject. */
  async function sent(): Promise<unknown[]> {
    const { body } = await call(server, 'listWebhooks', { params: inShop })
    const deliveries = await call(server, 'listWebhookDeliveries', { params: { ...inShop, id: body[0]._id } })
    return deliveries.body.map(({ events }: { events: string[] }) => events)
  }

  it('needs no approval and a reason, and is reported', async () => {
    const id = await submitted(server)
    for (const [emergency, expected] of [
      [{ reason: 'because' }, 400],
      [{ reason: '\u200b'.repeat(12) }, 400],
      [{ reason: `short${'\u00ad\u2800 '.repeat(4)}` }, 400],
      [{}, 400],
      [true, 400]
    ]) {
      expect((await apply(server, id, { emergency })).status).toBe(expected)
    }
    expect((await apply(server, id, { emergency: { reason } }, await as(server, 'writer'))).status).toBe(403)
    expect((await apply(server, id, { emergency: { reason } })).status).toBe(200)

    expect((await settingsOf(server)).featureApprovalWorkflow.enabled).toBe(false)
    const [entry] = (await call(server, 'listAuditEntries', { query: { perPage: 1 } })).body
    expect(entry.changeRequest).toMatchObject({ _id: id, emergency: reason, reviewers: [] })
    const line = server.logs.map((each) => JSON.parse(each)).find(({ msg }) => /in an emergency/.test(msg))
    expect(line).toMatchObject({ level: 40, changeRequest: id, reason, auditEntry: entry._id })
    expect((await send(server, { path: '/metrics' })).body).toMatch(/^burgee_emergency_changes_total 1$/m)
    expect(await sent()).toEqual([['appliedInEmergency']])
  })

  it('that turned approvals off can still be read and approved by another person', async () => {
    const id = await submitted(server)
    const open = await submitted(server, workflowSetting({ allowPublisherBypass: true }))
    expect((await apply(server, id, { emergency: { reason } })).status).toBe(200)

    const [entry] = (await call(server, 'listAuditEntries', { query: { perPage: 1 } })).body
    const { body } = await call(server, 'getProjectChangeRequest', {
      params: { ...inShop, id: entry.changeRequest._id }
    })
    expect(body).toMatchObject({ _appliedEntry: entry._id, status: 'applied', emergency: { reason } })
    const { body: listed } = await call(server, 'listChangeRequests', { params: inShop, query: { scope: 'project' } })
    expect(listed.map(({ _id }: { _id: string }) => _id).sort()).toEqual([id, open].sort())

    expect((await review(server, id, {})).status).toBe(403)
    const ada = await as(server, 'ada')
    expect((await review(server, id, ada)).status).toBe(200)
    const approved = await call(server, 'getProjectChangeRequest', { params: { ...inShop, id } })
    expect(approved.body.reviews).toMatchObject([{ idp_user: 'ada@clients', action: 'approved' }])
    // Other requests can be read only.
    expect(await statusOf(server, open)).toBe('pending')
    expect((await review(server, open, ada)).status).toBe(405)
    expect((await apply(server, open, {}, ada)).status).toBe(405)
  })

  it('of a feature is reported with the feature, and can be approved later', async () => {
    const params = { ...inShop, feature: 'checkout' }
    const body = { path: '/v2/projects/shop/features/checkout', method: 'PATCH', body: { name: 'New' } }
    const { _id: id } = (await call(server, 'createChangeRequest', { params, body })).body
    const at = { params: { ...params, id } }
    const applied = { description: '', action: 'applied', emergency: { reason } }
    expect((await call(server, 'applyChangeRequest', { ...at, body: applied })).status).toBe(200)
    const [listed] = (await call(server, 'listChangeRequests', { params: inShop })).body
    expect(listed).toMatchObject({ status: 'applied', emergency: { reason, idp_user: 'test-admin@clients' } })
    const [entry] = (await call(server, 'getFeatureAudit', { params })).body
    expect(entry).toMatchObject({ _id: listed._appliedEntry, changeRequest: { _id: id, emergency: reason } })
    expect(await sent()).toEqual([['appliedInEmergency']])

    const later = { action: 'approved', comment: 'It was right.' }
    expect((await call(server, 'reviewChangeRequest', { ...at, body: later })).status).toBe(403)
    const ada = await as(server, 'ada')
    expect((await call(server, 'reviewChangeRequest', { ...at, body: later, ...ada })).status).toBe(200)
    const { reviews, status } = (await call(server, 'getChangeRequest', at)).body
    expect([status, reviews[0].idp_user]).toEqual(['applied', 'ada@clients'])
  })

  it('is refused if the project does not allow it, which only an approved request can change', async () => {
    const id = await submitted(server)
    const forbid = workflowSetting({ allowEmergency: false })
    expect((await direct(server, forbid)).status).toBe(200)
    const { status, body } = await apply(server, id, { emergency: { reason } })
    expect([status, body.message]).toEqual([403, expect.stringContaining('allowEmergency')])
    expect((await direct(server, workflowSetting({ allowEmergency: true }))).status).toBe(403)
  })
})

describe('the transitions of change requests of a project', () => {
  const states = ['draft', 'pending', 'approved', 'applied', 'rejected', 'cancelled'] as const
  const without = (name: string) => ({ ...fullAccess, allows: (permission: string) => permission !== name })
  const callers = {
    author: { id: 'author', access: fullAccess, isRequester: true },
    'client of the author': { id: 'other', access: fullAccess, isRequester: true },
    owner: { id: 'other', access: fullAccess, isRequester: false },
    publisher: { id: 'other', access: without('project:write:settings'), isRequester: false },
    administrator: { id: 'other', access: without('feature:publish'), isRequester: false }
  }
  const open = ['draft', 'pending', 'approved']
  /** For each action, the states that allow it and the callers who may take it. */
  const table: Record<ChangeRequestAction, [readonly string[], readonly (keyof typeof callers)[]]> = {
    submit: [['draft'], ['author']],
    approve: [['pending'], ['owner']],
    'approve in part': [['pending'], ['owner']],
    'approve later': [['applied'], ['owner']],
    reject: [['pending'], ['author', 'client of the author', 'owner']],
    apply: [['approved'], ['author', 'client of the author', 'owner']],
    'apply in an emergency': [open, ['author', 'client of the author', 'owner']],
    cancel: [open, ['author', 'client of the author', 'owner']],
    edit: [open, ['author']],
    rebase: [open, ['author']],
    schedule: [['approved'], ['author', 'client of the author', 'owner']]
  }
  const names = Object.keys(table) as ChangeRequestAction[]

  test.each(states.flatMap((status) => names.map((action) => [status, action] as const)))(
    '%s, then %s',
    (status, action) => {
      const request = { status, _createdBy: 'author', operation: 'protectedSettingsUpdate' } as StoredChangeRequest
      const project = makeProject({ settings: { featureApprovalWorkflow: workflow } })
      const [from, by] = table[action]
      for (const name of Object.keys(callers) as (keyof typeof callers)[]) {
        const attempt = () => getNextStatus(action, request, project, callers[name])
        // Before approval, applying takes a bypass, which the project does not allow.
        const refusal = action === 'apply' && open.includes(status) ? 403 : 405
        if (!from.includes(status)) expect(attempt).toThrow(expect.objectContaining({ status: refusal }))
        else if (by.includes(name)) expect(attempt).not.toThrow()
        else expect(attempt).toThrow(expect.objectContaining({ status: 403 }))
      }
    }
  )
})

test('one person alone, directly or through clients, cannot change what production serves', async () => {
  const server = await begin({ requiredApprovals: 1, allowEmergency: true })
  const people: object[] = [await as(server, 'ada')]
  for (const name of ['one', 'two']) {
    const body = { name, clientId: name, permissions }
    const made = await call(server, 'createApiClient', { body, ...people.at(-1) })
    people.push({ key: await tokenWith(server, name, made.body.clientSecret) })
  }
  const guardedState = async () => {
    const { featureApprovalWorkflow, overrides, optIn, edgeDB } = await settingsOf(server)
    const audiences = (await call(server, 'listAudiences', { params: inShop })).body
    const used = audiences.filter(({ key }: { key: string }) => key !== 'unused')
    const environment = await call(server, 'getEnvironment', { params: { ...inShop, key: 'production' } })
    const filters = used.map(({ key, filters }: { key: string; filters: object }) => [key, filters])
    return { featureApprovalWorkflow, overrides, optIn, edgeDB, filters, type: environment.body.type }
  }
  const before = await guardedState()
  // Every change, by each caller, reviewed and applied by each of the others.
  for (const [index, [, request]] of guarded.entries()) {
    const [author, reviewer, applier] = [0, 1, 2].map((turn) => people[(index + turn) % people.length] ?? {})
    expect((await direct(server, request)).status).toBeGreaterThan(199)
    const created = await call(server, 'createProjectChangeRequest', { params: inShop, body: request, ...author })
    if (created.status !== 201) continue
    const params = { ...inShop, id: created.body._id }
    await call(server, 'submitProjectChangeRequest', { params, body: { description: '', reviewers: [] }, ...author })
    await review(server, params.id, reviewer ?? {}, { apply: true })
    const refused = await review(server, params.id, applier ?? {})
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining(' counts as its creator')])
    await apply(server, params.id, {}, applier)
    await apply(server, params.id, {}, author)
    const applyAt = new Date(NOW + 3_600_000).toISOString()
    await call(server, 'scheduleProjectChangeRequest', { params, body: { applyAt }, ...applier })
    await call(server, 'cancelProjectChangeRequest', { params, ...author })
  }
  expect(await guardedState()).toEqual(before)
  await changeInEmergency(server, { path: '/settings/protected', body: switchOff.body })
  expect((await settingsOf(server)).featureApprovalWorkflow.enabled).toBe(false)
})
