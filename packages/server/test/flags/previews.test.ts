import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, idOf, keyOf, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

const params = { project: 'shop', feature: 'checkout' }
const canada = attributeFilter('country', 'CA')

const plan: Plan = {
  environments: { production: {}, staging: {} },
  audiences: { beta: { operator: 'and', filters: [attributeFilter('user_id', 'user-0')] } },
  features: [
    { key: 'checkout', targets: [{ filters: [canada], serves: { 'variation-on': 1 } }] },
    { key: 'search', targets: [{ filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [idOf('beta')] }] }] }
  ]
}

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
  const users = Array.from({ length: 120 }, (_, index) => ({
    user_id: `user-${index}`,
    email: `user-${index}@example.com`,
    country: index % 4 === 0 ? 'CA' : 'FR',
    customData: { plan: 'pro' },
    privateCustomData: { salary: 12 }
  }))
  await Promise.all(users.map((body) => call(server, 'evaluateVariables', { body })))
})

function to(variation: string, filters: readonly object[]): object {
  return {
    audience: { filters: { operator: 'and', filters } },
    distribution: [{ _variation: variation, percentage: 1 }]
  }
}

function preview(body: object, of = server): Promise<ApiResponse> {
  return call(of, 'previewFeature', { params, body })
}

const france = attributeFilter('country', 'FR')
const forFrance = { configurations: { production: { targets: [to('variation-on', [france])] } } }

describe('listSampleUsers', () => {
  const sampled = (query: Record<string, string> = {}, key = 'production') =>
    call(server, 'listSampleUsers', { params: { project: 'shop', key }, query })

  it('lists recent users with public attributes only', async () => {
    const { status, body } = await sampled({ search: 'USER-11@' })
    expect(status).toBe(200)
    const attributes = { email: 'user-11@example.com', country: 'FR', customData: { plan: 'pro' } }
    expect(body).toEqual([{ user_id: 'user-11', ...attributes }])
    const all = await sampled()
    expect(all.body).toHaveLength(100)
    expect(JSON.stringify(all.body)).not.toContain('salary')
    expect((await sampled({}, 'staging')).body).toEqual([])
  })

  it('samples OFREP contexts and client configs', async () => {
    const staging = { key: keyOf('server', 'staging') }
    const context = { targetingKey: 'ofrep-user', country: 'CA' }
    await call(server, 'ofrepEvaluateFlags', { ...staging, body: { context } })
    const query = {
      sdkKey: keyOf('client', 'staging'),
      user_id: 'browser-user',
      createdDate: '0',
      lastSeenDate: '0',
      platform: 'web',
      platformVersion: '1',
      deviceModel: 'desktop',
      sdkType: 'client',
      sdkVersion: '1.0.0',
      isAnonymous: 'false'
    }
    const { body: config } = await call(server, 'getClientConfig', { key: null, query })
    expect(config).toMatchObject({ features: {} })
    const { body } = await sampled({}, 'staging')
    expect(body.map(({ user_id }: { user_id: string }) => user_id)).toEqual(['browser-user', 'ofrep-user'])
  })

  it('forgets an erased user', async () => {
    await call(server, 'evaluateVariables', { body: { user_id: 'gone', email: 'gone@example.com' } })
    await call(server, 'evaluateVariables', { body: { user_id: 'friend', customData: { invitedBy: 'gone' } } })
    expect((await sampled({ search: 'gone' })).body).toHaveLength(1)
    expect((await call(server, 'eraseUserData', { params: { project: 'shop', user_id: 'gone' } })).status).toBe(200)
    expect((await sampled({ search: 'gone' })).body).toEqual([])
    expect((await sampled({ search: 'friend' })).body).toEqual([])
  })

  it('leaves out users with many attributes', async () => {
    const customData = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`name${index}`, 'value']))
    await call(server, 'evaluateVariables', { body: { user_id: 'large', customData } })
    expect((await sampled({ search: 'large' })).body).toEqual([])
  })

  it('is empty if the setting is 0, and previews use synthetic users', async () => {
    const without = await serve(plan, { sampleUsers: 0 })
    await call(without, 'evaluateVariables', { body: { user_id: 'ada' } })
    const { body } = await call(without, 'listSampleUsers', { params: { project: 'shop', key: 'production' } })
    expect(body).toEqual([])
    const { body: previewed } = await preview({ update: forFrance, environments: ['production'] }, without)
    const { source, sampleSize, moved } = previewed.environments.production
    expect([source, sampleSize]).toEqual(['synthetic', 1000])
    // Some synthetic users are Canadian, some French, and some neither.
    expect(moved.share).toBeGreaterThan(0.3)
    expect(moved.share).toBeLessThan(0.9)
  })

  it('needs a permission to write features, and refuses other input', async () => {
    expect((await sampled({ search: 'x'.repeat(101) })).status).toBe(400)
    expect((await sampled({}, 'nowhere')).status).toBe(404)
    const { server: limited, key } = await serveLimited(plan, ['project:read', 'feature:read', 'environment:read'])
    const refused = { params: { project: 'shop', key: 'production' }, key }
    expect((await call(limited, 'listSampleUsers', refused)).status).toBe(403)
    expect((await call(limited, 'previewFeature', { params, body: { update: {} }, key })).status).toBe(403)
  })
})

describe('previewFeature', () => {
  it('counts who would get another variation, and changes nothing', async () => {
    const { status, body } = await preview({ update: forFrance, sample: { size: 5000, seed: 7 } })
    expect(status).toBe(200)
    expect(body.changes.map(({ type }: { type: string }) => type)).toContain('addedTarget')
    const { production, staging } = body.environments
    expect(production.source).toBe('recent')
    expect(production.sampleSize).toBeGreaterThanOrEqual(120)
    const cells = new Map(
      production.matrix.map((cell: Record<string, unknown>) => [`${cell.from} ${cell.to}`, cell.count])
    )
    expect(cells.get('variation-on null')).toBe(30)
    expect(cells.get('null variation-on')).toBe(90)
    expect(production.moved).toEqual({ count: 120, share: 120 / production.sampleSize })
    expect(production.examples).toHaveLength(20)
    expect(production.examples[0].user.user_id).toMatch(/^user-/)
    expect(staging.moved.count).toBe(0)
    const evaluated = await call(server, 'evaluateVariable', {
      params: { key: 'checkout' },
      body: { user_id: 'user-0', country: 'CA' }
    })
    expect(evaluated.status).toBe(200)
    const { body: entries } = await call(server, 'getFeatureAudit', { params })
    expect(entries).toEqual([])
  })

  it('selects the same users for the same seed', async () => {
    const request = { update: forFrance, environments: ['production'], sample: { size: 40, seed: 3 } }
    const [one, same] = [await preview(request), await preview(request)]
    expect(one.body).toEqual(same.body)
    expect(one.body.environments.production.sampleSize).toBe(40)
    const other = await preview({ ...request, sample: { size: 40, seed: 4 } })
    expect(other.body.environments.production.examples).not.toEqual(one.body.environments.production.examples)
  })

  test.each([
    [{ configurations: { nowhere: {} } }],
    [{ key: 'search' }],
    [{ variations: [] }],
    [{ configurations: { production: { targets: [to('variation-new', [france])] } } }],
    [{ variables: [{ key: 'search', type: 'Boolean' }] }]
  ])('refuses %j like the update', async (update) => {
    const updated = await call(server, 'updateFeature', { params, body: update })
    const { status, body } = await preview({ update })
    expect([status, body.message, body.errorType]).toEqual([
      updated.status,
      updated.body.message,
      updated.body.errorType
    ])
    expect(status).toBeGreaterThanOrEqual(400)
  })

  test.each([
    [{}, 'update should be given if changeRequest is not'],
    [{ update: {}, changeRequest: { id: '0'.repeat(24) } }, 'omitted if it is'],
    [{ update: { nonsense: 1 } }, 'update'],
    [{ update: {}, sample: { size: 5001 } }, 'sample.size'],
    [{ update: {}, sample: { size: 0 } }, 'sample.size'],
    [{ update: {}, sample: { seed: -1 } }, 'sample.seed'],
    [{ update: {}, environments: [] }, 'environments'],
    [
      { update: {}, environments: ['production', 'nowhere'] },
      'environments.1 should be the key or id of an environment'
    ]
  ])('%j is refused', async (body, message) => {
    const answer = await preview(body)
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain(message)
  })

  it('needs no approval where the update does', async () => {
    const approved = await serve({ ...plan, settings: { featureApprovalWorkflow: { enabled: true } } as never })
    const refused = await call(approved, 'updateFeature', { params, body: forFrance })
    const { status } = await preview({ update: forFrance, sample: { size: 10 } }, approved)
    expect([refused.status, status]).toEqual([403, 200])
  })

  it('computes the change of a change request, for the content that was read', async () => {
    const approved = await serve({ ...plan, settings: { featureApprovalWorkflow: { enabled: true } } as never })
    const created = await call(approved, 'createChangeRequest', {
      params,
      body: { path: '/v2/projects/shop/features/checkout', method: 'PATCH', body: forFrance }
    })
    const { _id: id, contentHash, changes } = created.body
    const sample = { size: 10 }
    const ofUpdate = await preview({ update: forFrance, sample }, approved)
    // A pending request locks the feature for all other changes.
    const submission = { description: 'Because.', reviewers: [] }
    await call(approved, 'submitChangeRequest', { params: { ...params, id }, body: submission })
    const ofRequest = await preview({ changeRequest: { id, contentHash }, sample }, approved)
    expect(ofRequest.status).toBe(200)
    expect(ofRequest.body.environments).toEqual(ofUpdate.body.environments)
    expect(ofRequest.body.changes.map(({ type }: { type: string }) => type)).toEqual(
      changes.map(({ type }: { type: string }) => type)
    )
    const other = await preview({ changeRequest: { id, contentHash: '0'.repeat(64) } }, approved)
    expect([other.status, other.body.message]).toEqual([412, expect.stringContaining('has changed since it was read')])
    expect((await preview({ changeRequest: { id: '0'.repeat(24) } }, approved)).status).toBe(404)
  })

  it('refuses a change request whose change is no longer possible', async () => {
    const approved = await serve({ ...plan, settings: { featureApprovalWorkflow: { enabled: true } } as never })
    await call(approved, 'createEnvironment', {
      params: { project: 'shop' },
      body: { key: 'lab', name: 'Lab', type: 'development' }
    })
    const body = { configurations: { lab: { targets: [to('variation-on', [france])] } } }
    const path = '/v2/projects/shop/features/checkout'
    const created = await call(approved, 'createChangeRequest', { params, body: { path, method: 'PATCH', body } })
    await call(approved, 'deleteEnvironment', { params: { project: 'shop', key: 'lab' } })
    const { status, body: answer } = await preview({ changeRequest: { id: created.body._id } }, approved)
    expect([status, answer.message]).toEqual([412, expect.stringContaining('no longer possible')])
  })

  it('does not delay evaluations', async () => {
    const heavy = await serve({
      features: [
        {
          key: 'checkout',
          targets: [
            {
              filters: [
                {
                  type: 'user',
                  subType: 'email',
                  comparator: 'contain',
                  values: Array.from({ length: 10_000 }, (_, index) => `nobody${index}@`)
                }
              ]
            }
          ]
        }
      ]
    })
    const sample = { size: 5000, seed: 1 }
    let isOver = false
    const previewed = preview({ update: { name: 'Slow' }, sample }, heavy).finally(() => {
      isOver = true
    })
    let evaluated = 0
    while (!isOver && evaluated < 200) {
      await call(heavy, 'evaluateVariables', { body: { user_id: 'ada' } })
      if (!isOver) evaluated++
    }
    expect((await previewed).status).toBe(200)
    expect(evaluated).toBeGreaterThan(10)
  })
})

describe('previewAudience', () => {
  const previewAudience = (body: object) => call(server, 'previewAudience', { params: { project: 'shop' }, body })
  const of = (...filters: object[]) => ({ operator: 'and', filters })

  it('counts the users who match', async () => {
    const { status, body } = await previewAudience({ filters: of(canada), environment: 'production' })
    expect(status).toBe(200)
    expect([body.source, body.matched.count, body.examples.length]).toEqual(['recent', 30, 20])
    expect(body.usedBy).toEqual({ features: [], audiences: [] })
  })

  it('lists what uses an existing audience', async () => {
    const { body } = await previewAudience({ filters: of(canada), environment: idOf('production'), audience: 'beta' })
    expect(body.usedBy.features).toMatchObject([{ key: 'search' }])
  })

  it('follows references to audiences', async () => {
    const filters = of({ type: 'audienceMatch', _audiences: ['beta'] })
    const { body } = await previewAudience({ filters, environment: 'production' })
    expect(body.matched.count).toBe(1)
    expect(body.examples).toMatchObject([{ user_id: 'user-0' }])
  })

  test.each([
    [{ filters: of(canada) }, 'environment'],
    [{ filters: of(canada), environment: 'nowhere' }, 'environment should be the key or id of an environment'],
    [{ filters: of(canada), environment: 'production', audience: 'nowhere' }, 'audience should be the key or id'],
    [{ filters: of(), environment: 'production' }, 'filters'],
    [
      { filters: of({ type: 'audienceMatch', _audiences: ['nowhere'] }), environment: 'production' },
      'filters.filters.0._audiences.0 should be the key or id of an audience'
    ],
    [
      { filters: of({ type: 'audienceMatch', _audiences: ['beta'] }), environment: 'production', audience: 'beta' },
      'filters should not refer back'
    ]
  ])('%j is refused', async (body, message) => {
    const answer = await previewAudience(body)
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain(message)
  })
})

describe('a draft of an explanation', () => {
  const draft = { configurations: { production: { status: 'inactive' } } }
  const explain = (of: TestServer, rest: object = {}) =>
    call(of, 'explain', {
      params: { project: 'shop', environment: 'production' },
      body: { user: { user_id: 'ada' }, feature: 'checkout', draft },
      ...rest
    })

  it('needs the permission to write features', async () => {
    const { server: limited, key } = await serveLimited(plan, ['feature:read'])
    const refused = await explain(limited, { key })
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('feature:write')])
    const body = { user: { user_id: 'ada' }, feature: 'checkout' }
    expect((await explain(limited, { key, body })).status).toBe(200)
  })

  it('waits in the same queue as previews', async () => {
    const kept = ['variation-on', 'variation-off'].map((key) => ({ key, name: key }))
    const added = Array.from({ length: 20 }, (_, index) => ({ key: `variation-${index}`, name: 'Another' }))
    const large = {
      variables: Array.from({ length: 300 }, (_, index) => ({ key: `variable-${index}`, type: 'Number' })),
      variations: [...kept, ...added]
    }
    const body = { user: { user_id: 'ada' }, feature: 'checkout', draft: large }
    const requests = Array.from({ length: 30 }, () => explain(server, { body }))
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })
})
