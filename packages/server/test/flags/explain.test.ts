import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

const params = { project: 'shop', environment: 'production' }
const canada = attributeFilter('country', 'CA')

const plan: Plan = {
  environments: { production: {}, staging: {} },
  audiences: { beta: { operator: 'and', filters: [attributeFilter('user_id', 'ada')] } },
  features: [
    {
      key: 'checkout',
      targets: [
        {
          name: 'Canada first',
          filters: [
            { operator: 'or', filters: [canada, attributeFilter('country', 'US')] },
            { type: 'audienceMatch', comparator: '=', _audiences: [idOf('beta')] },
            { operator: 'or', filters: [attributeFilter('user_id', 'ada'), attributeFilter('user_id', 'bob')] }
          ],
          serves: { 'variation-on': 1 }
        },
        { name: 'Others', serves: { 'variation-on': 0.5, 'variation-off': 0.5 } }
      ]
    },
    { key: 'banner', offIn: ['production'] },
    { key: 'hidden', visibleTo: [] },
    { key: 'nobody', targets: [{ filters: [attributeFilter('user_id', 'zoe')] }] }
  ]
}

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

function explain(body: object, of = params): Promise<ApiResponse> {
  return call(server, 'explain', { params: of, body })
}

const ada = { user_id: 'ada', country: 'CA' }
const all = { operator: 'and', filters: [{ type: 'all' }] }

describe('explain', () => {
  it('has a row for every feature, without targets', async () => {
    const { status, body } = await explain({ user: ada })
    expect(status).toBe(200)
    expect(body.at).toBe(new Date(NOW).toISOString())
    expect(body.environment).toMatchObject({ _id: idOf('production'), key: 'production' })
    const rows = body.features.map(({ key, outcome, reason }: Record<string, { reason: string }>) => [
      key,
      outcome,
      reason?.reason
    ])
    expect(rows).toEqual([
      ['checkout', 'served', 'TARGETING_MATCH'],
      ['banner', 'disabled', 'DISABLED'],
      ['hidden', 'served', 'TARGETING_MATCH'],
      ['nobody', 'unserved', 'DEFAULT']
    ])
    expect(body.features.filter((row: object) => 'targets' in row)).toEqual([])
    expect(body.features[0]).toMatchObject({
      target: { name: 'Canada first' },
      variation: { key: 'variation-on' },
      variables: [{ key: 'checkout', type: 'Boolean', value: true }]
    })
  })

  it('names the first filter or the rollout that excludes the user, in rows without targets', async () => {
    const targets = async () => {
      const { body } = await explain({ user: ada })
      return body.features.map(({ missed }: { missed?: object }) => missed)
    }
    const zoe = { filter: attributeFilter('user_id', 'zoe'), isMatched: false }
    expect(await targets()).toEqual([
      undefined,
      undefined,
      undefined,
      expect.objectContaining({ filter: zoe, further: 0 })
    ])
    const distribution = [{ _variation: 'variation-on', percentage: 1 }]
    const any = { operator: 'or', filters: [attributeFilter('user_id', 'zoe'), attributeFilter('country', 'US')] }
    const rollout = { type: 'schedule', startDate: '2100-01-01T00:00:00.000Z' }
    const missed = async (...targets: object[]) => {
      const draft = { configurations: { production: { status: 'active', targets } } }
      const { status, body } = await explain({ user: ada, feature: 'nobody', draft })
      expect(status, JSON.stringify(body)).toBe(200)
      return body.features[0].missed
    }
    const excluded = { name: 'Nobody yet', audience: { filters: all }, distribution, rollout }
    const first = await missed(excluded, {
      audience: { filters: { operator: 'and', filters: [canada, any] } },
      distribution
    })
    expect(first).toMatchObject({ name: 'Nobody yet', rollout: { percentage: 0, isAdmitted: false }, further: 1 })
    expect(first).not.toHaveProperty('filter')
    const oneOf = await missed({ audience: { filters: { operator: 'and', filters: [canada, any] } }, distribution })
    expect(oneOf).toEqual({ _id: expect.any(String), further: 0 })
  })

  it('shows the path of named features with names, in the order of the stored filters', async () => {
    const { body } = await explain({ user: { user_id: 'ada', country: 'FR' }, feature: 'checkout' })
    const [feature, ...others] = body.features
    expect(others).toEqual([])
    const [first, second] = feature.targets
    expect(first).toMatchObject({ name: 'Canada first', isReached: true, isMatched: false, isChosen: false })
    expect(first.filters.filters).toMatchObject([
      { operator: 'or', isMatched: false, filters: [{ filter: canada, isMatched: false }, { isMatched: false }] },
      { isMatched: true, audiences: [{ _id: idOf('beta'), key: 'beta' }] },
      { operator: 'or', isMatched: true, filters: [{ isMatched: true }, { isMatched: false }] }
    ])
    expect(second).toMatchObject({ isReached: true, isChosen: true, bucketingValue: 'ada' })
    const hit = second.distribution.ranges.find((range: { isHit: boolean }) => range.isHit)
    expect([hit.key, hit.name, hit._variation]).toEqual([
      feature.variation.key,
      feature.variation.name,
      feature.variation._id
    ])
  })

  it('agrees with evaluation, and counts nothing', async () => {
    const user = { user_id: 'eve' }
    const { body } = await explain({ user, variable: 'checkout', keys: ['nobody', idOf('banner')] })
    const evaluated = await call(server, 'evaluateVariables', { body: user })
    const values = body.variables.map(({ key, outcome, value }: Record<string, unknown>) => [key, outcome, value])
    expect(values.sort()).toEqual([
      ['checkout', 'served', evaluated.body.checkout.value],
      ['nobody', 'unserved', undefined]
    ])
    expect(body.features.map(({ key }: { key: string }) => key)).toEqual(['checkout', 'banner', 'nobody'])
    const { body: totals } = await call(server, 'getFeatureTotalEvaluations', {
      params: { project: 'shop', feature: 'checkout' }
    })
    expect(JSON.stringify(totals)).not.toMatch(/"(count|total)":[1-9]/)
    const { body: sampled } = await call(server, 'listSampleUsers', { params: { project: 'shop', key: 'production' } })
    expect(sampled).toEqual([{ user_id: 'eve' }])
  })

  it('applies overrides', async () => {
    const inFeature = { project: 'shop', feature: 'nobody' }
    await call(server, 'updateUserProfile', { params: { project: 'shop' }, body: { svcUserId: 'tester' } })
    const on = { environment: 'production', variation: 'variation-on' }
    expect((await call(server, 'updateFeatureOverride', { params: inFeature, body: on })).status).toBe(200)
    const { body } = await explain({ user: { user_id: 'tester' }, feature: 'nobody' })
    expect(body.features[0]).toMatchObject({ outcome: 'overridden', reason: { reason: 'OVERRIDE' } })
    expect(body.features[0].variables).toMatchObject([{ value: true }])
    await call(server, 'deleteCurrentOverrides', { params: { project: 'shop' } })
  })

  it('explains a draft, which changes nothing', async () => {
    const target = { audience: { filters: all }, distribution: [{ _variation: 'variation-off', percentage: 1 }] }
    const draft = { key: 'renamed', configurations: { production: { targets: [target], status: 'active' } } }
    const { status, body } = await explain({ user: ada, feature: 'checkout', draft })
    expect(status).toBe(200)
    expect(body.features).toMatchObject([{ key: 'renamed', variation: { key: 'variation-off' } }])
    const stored = await call(server, 'getFeature', { params: { project: 'shop', feature: 'checkout' } })
    expect(stored.body).toMatchObject({ key: 'checkout' })
    const evaluated = await call(server, 'evaluateVariable', { params: { key: 'checkout' }, body: ada })
    expect(evaluated.body.value).toBe(true)
  })

  it('explains a feature as it was at a time, and as its schedule will serve it', async () => {
    const of = { project: 'shop', feature: 'schedule' }
    const everybody = () => ({
      audience: { filters: all },
      distribution: [{ _variation: 'variation-on', percentage: 1 }]
    })
    const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()
    server.clock.now = () => NOW + 60_000
    const rollout = { type: 'schedule', startDate: at(100) }
    const configurations = { production: { status: 'active', targets: [{ ...everybody(), rollout }] } }
    await call(server, 'createFeature', {
      params: { project: 'shop' },
      body: { key: 'schedule', name: 'Schedule', configurations }
    })
    server.clock.now = () => NOW + 3 * 60_000
    await call(server, 'updateFeature', {
      params: of,
      body: { key: 'renamed-later', configurations: { production: { targets: [everybody()] } } }
    })
    server.clock.now = () => NOW + 5 * 60_000
    await call(server, 'updateFeature', {
      params: { ...of, feature: 'renamed-later' },
      body: { configurations: { production: { status: 'inactive' } } }
    })
    const outcomes = []
    for (const minutes of [1, 2.5, 3, 4, 5, 200]) {
      const { body } = await explain({ user: ada, feature: 'renamed-later', at: at(minutes) })
      outcomes.push([body.at, body.features[0].key, body.features[0].outcome])
    }
    expect(outcomes).toEqual([
      [at(1), 'schedule', 'unserved'],
      [at(2.5), 'schedule', 'unserved'],
      [at(3), 'renamed-later', 'served'],
      [at(4), 'renamed-later', 'served'],
      [at(5), 'renamed-later', 'disabled'],
      [at(200), 'renamed-later', 'disabled']
    ])
    const early = await explain({ user: ada, feature: 'renamed-later', at: at(0) })
    expect([early.status, early.body.message]).toEqual([400, [expect.stringContaining('at should not be before')]])
    await call(server, 'updateFeature', { params: { ...of, feature: 'renamed-later' }, body: { configurations } })
    const later = await explain({ user: ada, feature: 'renamed-later', at: at(200) })
    expect(later.body.features[0].outcome).toBe('served')
    expect((await explain({ user: ada, feature: 'renamed-later' })).body.features[0].outcome).toBe('unserved')
    server.clock.now = () => NOW
  })

  it('refuses a draft like the update', async () => {
    const refused = [{ configurations: { nowhere: {} } }, { key: 'banner' }, { variations: [] }, { name: '' }]
    for (const draft of refused) {
      const updated = await call(server, 'updateFeature', {
        params: { project: 'shop', feature: 'checkout' },
        body: draft
      })
      const { status, body } = await explain({ user: ada, feature: 'checkout', draft })
      expect([status, body.errorType], JSON.stringify(draft)).toEqual([updated.status, updated.body.errorType])
      expect(status).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('a bad request', () => {
  test.each([
    [{}, 'user'],
    [{ user: { user_id: '' } }, 'user.user_id'],
    [{ user: ada, keys: [] }, 'keys'],
    [{ user: ada, at: '2026-01-01T00:00:00.000Z' }, 'feature should name the feature to explain at another time'],
    [{ user: ada, feature: 'checkout', at: 'yesterday' }, 'at should be a date-time'],
    [{ user: ada, feature: 'checkout', at: '2026-01-01T00:00:00Z', draft: {} }, 'at should be left out for a draft'],
    [{ user: ada, draft: {} }, 'feature should name the feature that draft updates'],
    [
      { user: ada, feature: 'nowhere' },
      'feature should be the key or id of a feature of project "shop", got "nowhere"'
    ],
    [{ user: ada, feature: 'nowhere', draft: {} }, 'feature should be the key or id'],
    [{ user: ada, variable: 'nowhere' }, 'variable should be the key or id of a variable'],
    [{ user: ada, feature: 'chekout' }, 'got "chekout"; did you mean "checkout"?'],
    [{ user: ada, variable: 'chekout' }, 'got "chekout"; did you mean "checkout"?'],
    [{ user: ada, keys: ['checkout', '__proto__'] }, 'keys.1 should be the key or id of a feature or variable']
  ])('%j is refused', async (body, message) => {
    const answer = await explain(body)
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body).replaceAll('\\"', '"')).toContain(message)
  })

  it('names unknown environments and projects', async () => {
    expect((await explain({ user: ada }, { ...params, environment: 'nowhere' })).status).toBe(404)
    expect((await explain({ user: ada }, { ...params, project: 'nowhere' })).status).toBe(404)
  })

  it('needs a token', async () => {
    const { status } = await call(server, 'explain', { params, body: { user: ada }, key: keyOf('server') })
    expect(status).toBe(401)
  })
})
