import { compile } from '@burgee/core'
import { type ApiResponse, call, send, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, DAY, type FeaturePlan, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { runs, seed } from '@burgee/testing/scale'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'

import { ResultFingerprints } from '../../src/api/handlers/evaluation/resultFingerprints.ts'
import { clientUser } from '../support/clientUser.ts'

const features: readonly FeaturePlan[] = [
  { key: 'on' },
  { key: 'canada', targets: [{ filters: [attributeFilter('country', 'CA')] }] },
  { key: 'pro', targets: [{ filters: [attributeFilter('customData.plan', 'pro')] }] },
  { key: 'half', targets: [{ serves: { 'variation-on': 0.5, 'variation-off': 0.5 } }] },
  { key: 'beta', isOptIn: true, targets: [{ filters: [{ type: 'optIn' }] }] }
]

const plan: Plan = {
  settings: {
    edgeDB: { enabled: true },
    optIn: { enabled: true },
    obfuscation: { enabled: true, required: false }
  },
  features
}

const later: FeaturePlan = {
  key: 'later',
  targets: [{ rollout: { type: 'schedule', startDate: new Date(NOW + DAY).toISOString() } }]
}

type Query = Readonly<Record<string, string>>

/** A client that polls its config with the ETag of its last response. */
function pollAt(server: TestServer, query: Query): () => Promise<ApiResponse> {
  let etag = '"none"'
  return async () => {
    const key = keyOf('client')
    const response = await call(server, 'getClientConfig', { query, key, headers: { 'if-none-match': etag } })
    etag = String(response.headers.etag)
    return response
  }
}

async function statuses(poll: () => Promise<ApiResponse>, count: number): Promise<number[]> {
  const found: number[] = []
  for (let index = 0; index < count; index++) found.push((await poll()).status)
  return found
}

describe('a client config that is polled', () => {
  it('has the ETag and the body of an unconditional request, evaluated or cached', async () => {
    const server = await serve(plan)
    const query = clientUser('ada', { country: 'CA', customData: '{"plan":"pro"}' })
    const fresh = await call(server, 'getClientConfig', { query, key: keyOf('client') })
    for (const poll of [1, 2, 3]) {
      const ask = (etag: string) =>
        call(server, 'getClientConfig', { query, key: keyOf('client'), headers: { 'if-none-match': etag } })
      const unchanged = await ask(String(fresh.headers.etag))
      expect([poll, unchanged.status, unchanged.headers.etag]).toEqual([poll, 304, fresh.headers.etag])
      const changed = await ask('"other"')
      expect([changed.status, changed.headers.etag, changed.body]).toEqual([200, fresh.headers.etag, fresh.body])
    }
  })

  it('is returned again when a flag changes', async () => {
    const server = await serve(plan)
    const poll = pollAt(server, clientUser('ada'))
    expect(await statuses(poll, 3)).toEqual([200, 304, 304])
    const params = { project: 'shop', feature: 'on' }
    const query = { environment: 'production' }
    await call(server, 'updateFeatureConfiguration', { params, query, body: { status: 'inactive' } })
    const { status, body } = await poll()
    expect([status, Object.keys(body.variables).includes('on')]).toEqual([200, false])
    expect(await statuses(poll, 2)).toEqual([304, 304])
  })

  it('differs between users, and between the obfuscated and the plain form', async () => {
    const server = await serve(plan)
    const queries = [
      clientUser('ada'),
      clientUser('ada', { country: 'CA' }),
      clientUser('ada', { customData: '{"plan":"pro"}' }),
      clientUser('ada', { obfuscated: '1' })
    ]
    const etags = new Set<string>()
    for (const query of queries) {
      const poll = pollAt(server, query)
      expect(await statuses(poll, 2)).toEqual([200, 304])
      etags.add(String((await poll()).headers.etag))
    }
    expect(etags.size).toBe(queries.length)
  })

  it('is returned again when a rollout begins, and while its user has an override', async () => {
    const server = await serve({ ...plan, features: [...features, later] })
    const poll = pollAt(server, clientUser('ada'))
    expect(await statuses(poll, 3)).toEqual([200, 304, 304])
    server.clock.now = () => NOW + 2 * DAY
    expect(await statuses(poll, 3)).toEqual([200, 304, 304])
    await call(server, 'updateUserProfile', { params: { project: 'shop' }, body: { svcUserId: 'ada' } })
    const body = { environment: 'production', variation: 'variation-off' }
    await call(server, 'updateFeatureOverride', { params: { project: 'shop', feature: 'on' }, body })
    expect(await statuses(poll, 2)).toEqual([200, 304])
    await call(server, 'deleteCurrentOverrides', { params: { project: 'shop' } })
    expect(await statuses(poll, 2)).toEqual([200, 304])
    server.clock.now = () => NOW
    expect(await statuses(poll, 2)).toEqual([200, 304])
  })

  it('is returned again when stored data or the opt-in of its user changes', async () => {
    const server = await serve(plan)
    const poll = pollAt(server, clientUser('ada', { enableEdgeDB: 'true' }))
    expect(await statuses(poll, 3)).toEqual([200, 304, 304])
    const edge = { user_id: 'ada', customData: { plan: 'pro' } }
    expect((await call(server, 'updateEdgeUser', { params: { user_id: 'ada' }, body: edge })).status).toBeLessThan(300)
    expect(await statuses(poll, 2)).toEqual([200, 304])
    await call(server, 'updateOptIns', { params: { user_id: 'ada' }, body: { [idOf('beta')]: true } })
    expect(await statuses(poll, 2)).toEqual([200, 304])
  })

  it.each(['getClientConfig', 'ofrepEvaluateFlags'] as const)('reports each problem: %s', async (id) => {
    const undecidable = { key: 'undecidable', targets: [{ serves: { 'variation-on': 0 } }] }
    const server = await serve({ ...plan, features: [...features, undecidable] })
    const input = id === 'getClientConfig' ? { query: clientUser('ada') } : { body: { context: { targetingKey: 'a' } } }
    const ask = (etag: string) =>
      call(server, id, { ...input, key: keyOf('client'), headers: { 'if-none-match': etag } })
    const { headers } = await ask('"none"')
    for (const poll of [1, 2]) expect([poll, (await ask(String(headers.etag))).status]).toEqual([poll, 304])
    const lines = String((await send(server, { path: '/metrics' })).body).split('\n')
    const counts = lines.filter((line) => /^burgee_evaluation_problems_total\{.* [1-9]/.test(line))
    expect(counts.map((line) => line.split(' ')[1])).toEqual(['3'])
  })
})

test('a cached client config equals an evaluated one, for random users, times and changes', async () => {
  const server = await serve({ ...plan, features: [...features, later] })
  await call(server, 'updateUserProfile', { params: { project: 'shop' }, body: { svcUserId: 'ada' } })
  const inProject = { project: 'shop' }
  const environment = 'production'
  const configure = (feature: string, body: object) =>
    call(server, 'updateFeatureConfiguration', { params: { ...inProject, feature }, query: { environment }, body })
  const override = (variation: string) =>
    call(server, 'updateFeatureOverride', { params: { ...inProject, feature: 'on' }, body: { environment, variation } })
  const changes: readonly (() => unknown)[] = [
    () => configure('on', { status: 'active' }),
    () => configure('on', { status: 'inactive' }),
    () => override('variation-off'),
    () => override('variation-on'),
    () => call(server, 'deleteCurrentOverrides', { params: inProject }),
    () => call(server, 'updateEdgeUser', { params: { user_id: 'ada' }, body: { user_id: 'ada', country: 'CA' } }),
    () => call(server, 'updateEdgeUser', { params: { user_id: 'ada' }, body: { user_id: 'ada', country: 'US' } }),
    () => call(server, 'updateOptIns', { params: { user_id: 'bob' }, body: { [idOf('beta')]: true } }),
    () => call(server, 'updateOptIns', { params: { user_id: 'bob' }, body: { [idOf('beta')]: false } })
  ]
  const step = fc.record({
    change: fc.option(fc.constantFrom(...changes)),
    days: fc.constantFrom(0, 0.5, 2),
    user: fc.constantFrom('ada', 'bob'),
    more: fc.constantFrom<Query>(
      {},
      { country: 'CA' },
      { customData: '{"plan":"pro"}' },
      { enableEdgeDB: 'true' },
      { obfuscated: '1' }
    )
  })
  const steps = fc.array(step, { minLength: 4, maxLength: 12 })
  const property = fc.asyncProperty(steps, async (list) => {
    for (const { change, days, user, more } of list) {
      await change?.()
      server.clock.now = () => NOW + days * DAY
      const input = { query: clientUser(user, more), key: keyOf('client') }
      const evaluated = await call(server, 'getClientConfig', input)
      const known = String(evaluated.headers.etag)
      const polled = await call(server, 'getClientConfig', { ...input, headers: { 'if-none-match': '"other"' } })
      expect([polled.headers.etag, polled.body]).toEqual([known, evaluated.body])
      expect((await call(server, 'getClientConfig', { ...input, headers: { 'if-none-match': known } })).status).toBe(
        304
      )
    }
  })
  await fc.assert(property, { numRuns: runs({ quick: 10, full: 100 }), seed })
})

test('the cache keeps the 20,000 fingerprints that were used last', () => {
  const config = { project: { _id: 'p', key: 'p' }, environment: { _id: 'e', key: 'e' }, features: [], variables: [] }
  const caller = { config, evaluator: compile(config) }
  const fingerprints = new ResultFingerprints()
  const evaluated: string[] = []
  const ask = (user_id: string) => {
    const evaluate = () => {
      evaluated.push(user_id)
      return user_id
    }
    expect(fingerprints.find({ caller, user: { user_id }, options: { now: NOW }, evaluate })).toBe(user_id)
  }
  for (let user = 0; user < 20_000; user++) ask(String(user))
  ask('0')
  ask('another')
  expect(evaluated.length).toBe(20_001)
  evaluated.length = 0
  for (const user of ['0', 'another', '2', '1']) ask(user)
  expect(evaluated).toEqual(['1'])
})
