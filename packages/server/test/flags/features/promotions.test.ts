import { type ApiResponse, call } from '@burgee/testing/harness'
import { attributeFilter, DAY, NOW } from '@burgee/testing/plan'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configurationIn, expectRefusal, type Features, serveFeatures, serving } from '../../support/features.ts'

type Body = ApiResponse['body']

let web: Features
let count = 0
let key: string

beforeAll(async () => {
  web = await serveFeatures()
})

beforeEach(async () => {
  key = `feature-${++count}`
  await web.create({ key, name: 'Feature' })
})

function promote(body: object = {}, as: object = {}): Promise<ApiResponse> {
  const base = { from: { environment: 'staging' }, to: [{ environment: 'production' }], features: [key] }
  return web.call('createPromotion', {}, { body: { ...base, ...body }, ...as })
}

/** A server on which changes of protected environments need approval, with a feature that has a target in staging. */
async function serveApprovals(): Promise<Features> {
  const other = await serveFeatures()
  const settings = { disablePassthroughRollouts: false, featureApprovalWorkflow: { enabled: true } }
  await call(other.server, 'updateProjectSettings', { params: { key: 'web' }, body: { settings } })
  await other.call('createEnvironment', {}, { body: { key: 'eu', name: 'Europe', type: 'production' } })
  await other.create({ key: 'checkout', name: 'Checkout' })
  await other.configure('checkout', 'staging', { targets: [on] })
  return other
}

/** Previews a promotion and applies it. */
async function apply(body: object = {}): Promise<ApiResponse> {
  const { digest } = (await promote(body)).body
  return promote({ ...body, preview: false, digest })
}

async function compare(query: Record<string, string> = {}): Promise<Body> {
  const all = { a: 'staging', b: 'production', feature: key, ...query }
  return (await web.call('compareEnvironments', {}, { query: all })).body.features[0]
}

async function targetsIn(environment: string): Promise<Body> {
  return configurationIn(await web.get(key), web.environments[environment] ?? '').targets
}

const first = ({ body }: ApiResponse): Body => body.items[0]
const on = serving('variation-on', { name: 'Everyone' })
const canada = {
  ...serving({ 'variation-on': 0.5, 'variation-off': 0.5 }, { name: 'Canada' }),
  audience: { filters: { operator: 'and', filters: [attributeFilter('country', 'CA')] } }
}
const plan = (last: number) => ({
  type: 'stepped',
  startDate: new Date(NOW - DAY).toISOString(),
  startPercentage: 0.1,
  stages: [{ type: 'discrete', percentage: 0.6, date: new Date(last).toISOString() }]
})

describe('a promotion', () => {
  it('is a preview by default', async () => {
    await web.configure(key, 'staging', { status: 'active', targets: [on] })
    const { status, body } = await promote()
    expect([status, body.items[0].outcome]).toEqual([200, 'wouldApply'])
    expect(body.items[0].changes.map(({ type }: Body) => type)).toEqual(['addedTarget'])
    expect(await targetsIn('production')).toEqual([])
  })

  it('copies targets and turns nothing on', async () => {
    await web.configure(key, 'staging', { status: 'active', targets: [canada, on] })
    const item = first(await apply())
    expect(item).toMatchObject({ outcome: 'applied', admittedNow: { before: 0, after: 0 } })
    const made = configurationIn(await web.get(key), web.environments.production ?? '')
    expect([made.status, made.targets.map(({ name }: Body) => name)]).toEqual(['inactive', ['Canada', 'Everyone']])
    const [source] = await targetsIn('staging')
    expect([made.targets[0].copiedFrom, made.targets[0]._id === source._id]).toEqual([source._id, false])
    expect((await web.lastChanges(key))[0].metadata.promotedFrom).toMatchObject({ environment: 'staging' })
    expect(first(await promote()).outcome).toBe('unchanged')
  })

  it('keeps the id of a target of the destination, even after it was renamed', async () => {
    await web.configure(key, 'staging', { targets: [canada] })
    await apply()
    const [copied] = await targetsIn('production')
    const [source] = await targetsIn('staging')
    await web.configure(key, 'staging', { targets: [{ ...source, name: 'North', rollout: plan(NOW - 1000) }] })
    expect((await compare()).targets).toMatchObject([
      { change: 'modified', fields: [{ path: 'name' }, { path: 'rollout' }] }
    ])
    await apply()
    expect((await targetsIn('production'))[0]).toMatchObject({ _id: copied._id, name: 'North' })
    const { copiedFrom: _, ...sent } = copied
    await web.configure(key, 'production', { targets: [{ ...sent, name: 'South' }] })
    expect((await targetsIn('production'))[0]).toMatchObject({ copiedFrom: source._id, name: 'South' })
    expect((await compare()).targets).toMatchObject([{ name: 'South', change: 'modified' }])
  })

  it('uses the seeds of the source on request', async () => {
    await web.configure(key, 'staging', { targets: [on] })
    await apply({ seeds: 'source' })
    expect((await targetsIn('production'))[0]._id).toBe((await targetsIn('staging'))[0]._id)
  })

  it.each([
    ['append', ['Everyone', 'Canada'], { Everyone: 'variation-off' }],
    ['merge', ['Everyone', 'Canada'], { Everyone: 'variation-on' }],
    ['replace', ['Canada', 'Everyone'], { Everyone: 'variation-on' }]
  ])('in mode %s has the targets %s', async (mode, names, served) => {
    await web.configure(key, 'staging', { targets: [canada, on] })
    await web.configure(key, 'production', { targets: [serving('variation-off', { name: 'Everyone' })] })
    await apply({ mode })
    const targets = await targetsIn('production')
    expect(targets.map(({ name }: Body) => name)).toEqual(names)
    const variations = (await web.get(key)).body.variations
    const everyone = targets.find(({ name }: Body) => name === 'Everyone').distribution[0]._variation
    expect(variations.find(({ _id }: Body) => _id === everyone).key).toBe(served.Everyone)
  })

  it('refuses, keeps, shifts or drops unfinished rollouts', async () => {
    await web.configure(key, 'staging', { status: 'active', targets: [{ ...on, rollout: plan(NOW + DAY) }] })
    const include = ['targets', 'status']
    expect(first(await promote({ include }))).toMatchObject({ outcome: 'refused', error: { statusCode: 412 } })
    expect(first(await promote({ include, rollouts: 'keep' })).admittedNow).toEqual({ before: 0, after: 0.1 })
    expect(first(await promote({ include, rollouts: 'drop' })).admittedNow).toEqual({ before: 0, after: 1 })
    expect(first(await apply({ include, rollouts: 'shift' })).outcome).toBe('applied')
    expect((await targetsIn('production'))[0].rollout).toMatchObject({
      startDate: new Date(NOW).toISOString(),
      stages: [{ date: new Date(NOW + 2 * DAY).toISOString() }]
    })
  })

  it('drops or shifts an unfinished rollout that the destination has too', async () => {
    const rollout = plan(NOW + DAY)
    await web.configure(key, 'staging', { targets: [{ ...on, rollout }] })
    await apply({ rollouts: 'keep' })
    expect((await targetsIn('production'))[0].rollout).toMatchObject({ startDate: rollout.startDate })
    for (const options of [{}, { rollouts: 'keep' }]) expect(first(await promote(options)).outcome).toBe('unchanged')
    expect(first(await apply({ rollouts: 'shift' })).outcome).toBe('applied')
    expect((await targetsIn('production'))[0].rollout).toMatchObject({ startDate: new Date(NOW).toISOString() })
    expect(first(await apply({ rollouts: 'drop' })).outcome).toBe('applied')
    expect((await targetsIn('production'))[0].rollout).toBeUndefined()
    expect(first(await promote({ rollouts: 'drop' })).outcome).toBe('unchanged')
  })

  it('reports each item and applies the others', async () => {
    await web.configure(key, 'staging', { targets: [on] })
    const to = ['production', 'moon', 'development'].map((environment) => ({ environment }))
    const { body } = await apply({ to: [...to, { project: 'unseen', environment: 'production' }] })
    expect(body.items.map(({ outcome, error }: Body) => error?.statusCode ?? outcome)).toEqual([
      'applied',
      404,
      'applied',
      404
    ])
  })

  it('changes nothing if it is atomic and an item is refused', async () => {
    await web.configure(key, 'staging', { targets: [on] })
    const body = { to: [{ environment: 'production' }, { environment: 'moon' }], atomic: true }
    expectRefusal(await apply(body), 412, 'the promotion is atomic')
    expect(await targetsIn('production')).toEqual([])
    const both = { to: [{ environment: 'production' }, { environment: 'development' }], atomic: true }
    expect((await apply(both)).body.items.map(({ outcome }: Body) => outcome)).toEqual(['applied', 'applied'])
  })

  it('refuses an item whose preview is outdated, and a digest of other arguments', async () => {
    await web.configure(key, 'staging', { targets: [on] })
    const { digest } = (await promote()).body
    await web.configure(key, 'production', { targets: [canada] })
    const { body } = await promote({ preview: false, digest })
    expect(body.items[0]).toMatchObject({ outcome: 'refused', error: { errorType: 'ERR_FEATURE_CHANGED' } })
    expectRefusal(await promote({ preview: false, digest, mode: 'append' }), 400, 'digest should be that of a preview')
    expectRefusal(await promote({ preview: false }), 400, 'digest')
  })

  it.each([
    [{ include: ['prerequisites'] }, 400, 'include'],
    [{ features: [] }, 400, 'features'],
    [{ from: { environment: 'moon' } }, 404, "Item with key 'moon' not found"],
    [{ audiences: 'copy' }, 400, 'audiences'],
    [{ digest: 'short' }, 400, 'digest'],
    [{ to: [{ environment: 'production', region: 'eu' }] }, 400, 'region']
  ])('refuses %j', async (body, status, message) => {
    expectRefusal(await promote(body), status, message)
  })

  it('to another project finds variations and audiences by key', async () => {
    const params = { project: `other-${count}` }
    await call(web.server, 'createProject', { body: { key: params.project, name: 'Other' } })
    await call(web.server, 'createFeature', { params, body: { key, name: 'Feature' } })
    const audience = {
      key: `people-${count}`,
      name: 'People',
      filters: { operator: 'and', filters: [{ type: 'all' }] }
    }
    await web.call('createAudience', {}, { body: audience })
    const filters = [{ type: 'audienceMatch', comparator: '=', _audiences: [audience.key] }]
    await web.configure(key, 'staging', { targets: [{ ...on, audience: { filters: { operator: 'and', filters } } }] })
    const to = [{ ...params, environment: 'production' }]
    expect(first(await promote({ to })).error.message).toContain(`no audience "${audience.key}"`)
    await call(web.server, 'createAudience', { params, body: audience })
    expect(first(await apply({ to })).outcome).toBe('applied')
    expect((await compare({ bProject: params.project })).isDifferent).toBe(false)
  })

  it('becomes a change request where approvals are on', async () => {
    const other = await serveApprovals()
    const body = { from: { environment: 'staging' }, to: [{ environment: 'production' }], features: ['checkout'] }
    const preview = await other.call('createPromotion', {}, { body })
    expect(first(preview).outcome).toBe('wouldRequest')
    const sent = { ...body, preview: false, digest: preview.body.digest }
    const { digest } = (await other.call('createPromotion', {}, { body: { ...body, atomic: true } })).body
    const atomic = { ...sent, atomic: true, digest }
    expectRefusal(await other.call('createPromotion', {}, { body: atomic }), 412, 'it needs a change request')
    const made = first(await other.call('createPromotion', {}, { body: sent }))
    expect(made).toMatchObject({ outcome: 'changeRequest', changeRequest: { status: 'pending' } })
    expect(made.revision).toBe(first(preview).revision)
    const again = first(await other.call('createPromotion', {}, { body }))
    expect(again).toMatchObject({ outcome: 'refused', error: { statusCode: 409 } })
    const params = { feature: 'checkout', id: made.changeRequest._id }
    const emergency = { description: '', action: 'applied', emergency: { reason: 'The reviewer is away.' } }
    expect((await other.call('applyChangeRequest', params, { body: emergency })).status).toBe(200)
    const query = { a: 'staging', b: 'production', feature: 'checkout' }
    const compared = await other.call('compareEnvironments', {}, { query })
    expect(compared.body.features[0].targets).toMatchObject([{ name: 'Everyone', change: 'same' }])
    expect(first(await other.call('createPromotion', {}, { body })).outcome).toBe('unchanged')
  })

  it('needs one change request after another for protected destinations of one feature', async () => {
    const other = await serveApprovals()
    const to = [{ environment: 'production' }, { environment: 'eu' }]
    const body = { from: { environment: 'staging' }, to, features: ['checkout'] }
    const preview = await other.call('createPromotion', {}, { body })
    expect(preview.body.items.map(({ outcome }: Body) => outcome)).toEqual(['wouldRequest', 'wouldRequest'])
    const sent = { ...body, preview: false, digest: preview.body.digest }
    const [made, waiting] = (await other.call('createPromotion', {}, { body: sent })).body.items
    expect(made.outcome).toBe('changeRequest')
    expect(waiting).toMatchObject({
      outcome: 'refused',
      error: { statusCode: 409, message: expect.stringContaining(made.changeRequest._id) }
    })
  })

  it('leaves no difference, and is unchanged when repeated', async () => {
    const name = fc.constantFrom('A', 'B', 'C')
    const share = fc.constantFrom(0, 0.25, 1 / 3, 1)
    const target = fc.record({ name, share, country: fc.constantFrom('CA', 'GB'), isDone: fc.boolean() })
    const list = fc.array(target, { maxLength: 4 })
    const toTarget = ({ name, share, country, isDone }: Body) => ({
      ...serving({ 'variation-on': share, 'variation-off': 1 - share }, { name }),
      audience: { filters: { operator: 'and', filters: [attributeFilter('country', country)] } },
      ...(isDone ? { rollout: plan(NOW - 1000) } : {})
    })
    const isActive = fc.boolean()
    await fc.assert(
      fc.asyncProperty(list, list, isActive, async (source, destination, active) => {
        const status = active && source.length > 0 ? 'active' : 'inactive'
        await web.configure(key, 'staging', { targets: source.map(toTarget), status })
        await web.configure(key, 'production', { targets: destination.map(toTarget) })
        const before = await targetsIn('production')
        const body = { include: ['targets', 'status'] }
        expect(['applied', 'unchanged']).toContain(first(await apply(body)).outcome)
        expect((await compare()).isDifferent).toBe(false)
        expect(first(await promote(body)).outcome).toBe('unchanged')
        const ids = (await targetsIn('production')).map(({ _id }: Body) => _id)
        expect(new Set(ids).size).toBe(ids.length)
        const unique = (targets: Body[], wanted: string) => {
          const found = targets.filter((each) => each.name === wanted)
          return found.length === 1 ? found[0] : undefined
        }
        for (const wanted of ['A', 'B', 'C']) {
          const kept = unique(before, wanted)
          if (kept && unique(source, wanted)) expect(ids).toContain(kept._id)
        }
      }),
      { numRuns: 12 }
    )
  })
})

describe('a comparison', () => {
  it('names added, removed and moved targets', async () => {
    await web.configure(key, 'staging', {
      status: 'active',
      targets: [on, canada, serving('variation-on', { name: 'A' })]
    })
    await web.configure(key, 'production', { targets: [canada, on, serving('variation-on', { name: 'B' })] })
    const { status, admittedNow, isDifferent, targets } = await compare()
    expect({ status, admittedNow, isDifferent }).toEqual({
      status: ['active', 'inactive'],
      admittedNow: [1, 0],
      isDifferent: true
    })
    expect(targets.map(({ name, change }: Body) => [name, change])).toEqual([
      ['Canada', 'moved'],
      ['Everyone', 'moved'],
      ['B', 'added'],
      ['A', 'removed']
    ])
  })

  it('has all members of a target that one side lacks', async () => {
    await web.configure(key, 'staging', { targets: [canada] })
    await web.configure(key, 'production', { targets: [on] })
    const { targets } = await compare()
    const found = targets.map(({ change, fields }: Body) => [
      change,
      fields.map(({ path, a, b }: Body) => [path, a === null, b === null])
    ])
    const members = ['name', 'audience.filters', 'distribution']
    expect(found).toEqual([
      ['added', members.map((path) => [path, true, false])],
      ['removed', members.map((path) => [path, false, true])]
    ])
  })

  it('leaves out equal features', async () => {
    const query = { a: 'staging', b: 'production', feature: key, onlyDifferent: 'true' }
    expect((await web.call('compareEnvironments', {}, { query })).body.features).toEqual([])
  })

  it.each([
    [{ a: 'staging@2026-01-01T00:00:00Z' }, 400, 'moments are not supported'],
    [{ b: 'moon' }, 404, "Item with key 'moon' not found"],
    [{ bProject: 'unseen' }, 404, "Item with key 'unseen' not found"],
    [{ feature: 'nothing' }, 404, "Item with key 'nothing' not found"],
    [{ sample: '100' }, 400, 'sample should not exist: the query parameters are a, b, bProject, feature, onlyDifferent']
  ])('refuses %j', async (query, status, message) => {
    const all = { a: 'staging', b: 'production', ...query }
    expectRefusal(await web.call('compareEnvironments', {}, { query: all }), status, message)
  })
})

describe('a large promotion', () => {
  const names = (length: number) => Array.from({ length }, (_, index) => `many-${index}`)

  it('is refused above 500 items', async () => {
    const to = Array.from({ length: 11 }, (_, index) => ({ environment: `environment-${index}` }))
    const { status, body } = await promote({ features: names(50), to })
    expect([status, body.message]).toEqual([
      400,
      [expect.stringContaining('features should make at most 500 items, one per feature and destination, not 550')]
    ])
  })

  it('lets evaluations run between its items', async () => {
    const created = await Promise.all(names(60).map((name) => web.create({ key: name, name })))
    expect(created.every(({ status }) => status === 201)).toBe(true)
    let isDone = false
    const report = promote({ features: names(60) }).finally(() => {
      isDone = true
    })
    let evaluations = 0
    while (!isDone) {
      await web.evaluate('many-0')
      evaluations += 1
    }
    expect((await report).body.items).toHaveLength(60)
    expect(evaluations).toBeGreaterThan(5)
  })

  it('waits in the queue of previews', async () => {
    const reports = await Promise.all(Array.from({ length: 20 }, () => promote({ features: names(60) })))
    expect(new Set(reports.map(({ status }) => status))).toEqual(new Set([200, 429]))
  })
})
