import {
  type ApiResponse,
  call,
  jobsToCheck,
  options,
  send,
  serve,
  serveShared,
  type TestServer
} from '@burgee/testing/harness'
import { DAY, type FeaturePlan, idOf, NOW } from '@burgee/testing/plan'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { defaultSettings } from '../../src/flags/projects/defaultSettings.ts'

const staleness = { ...defaultSettings.staleness, enabled: true }
const half = { targets: [{ serves: { on: 0.5, off: 0.5 } }] }
const at = (moment: number) => new Date(moment).toISOString()

/** A feature that splits users, so that it is not released. */
function shared(key: string, members: Partial<FeaturePlan> = {}): FeaturePlan {
  return { key, variations: { on: { [key]: true }, off: { [key]: false } }, ...half, ...members }
}

/** Calls of a server with a token that is valid at its time. */
interface Traveller {
  readonly server: TestServer
  readonly to: (moment: number) => Promise<void>
  readonly call: (id: Parameters<typeof call>[1], given?: Parameters<typeof call>[2]) => Promise<ApiResponse>
}

function traveller(server: TestServer): Traveller {
  /** Requests a token at the current time of the server. */
  const tokens = new Map<number, string>()
  let key: string | undefined
  const token = async () => {
    const body = {
      grant_type: 'client_credentials',
      client_id: options.adminClientId,
      client_secret: options.adminClientSecret
    }
    const headers = { 'content-type': 'application/json' }
    return (await send(server, { method: 'POST', path: '/oauth/token', headers, body: JSON.stringify(body) })).body
  }
  return {
    server,
    to: async (moment) => {
      server.clock.now = () => moment
      key = tokens.get(moment) ?? (await token()).access_token
      tokens.set(moment, key ?? '')
    },
    call: (id, given = {}) => call(server, id, { ...(key ? { key } : {}), ...given })
  }
}

/** The keys of the features in a list, with its total count. */
async function keysOf(answer: Promise<ApiResponse>): Promise<readonly [readonly string[], number]> {
  const { status, headers, body } = await answer
  expect(status).toBe(200)
  return [body.map(({ key }: ApiResponse['body']) => key), Number(headers.count)]
}

/** Polls until a condition holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds).toBe(true)
}

const project = 'shop'
const stale = (given: Traveller, query = {}) =>
  keysOf(
    given.call('getStaleFeatures', { params: { key: project }, query: { sortBy: 'key', sortOrder: 'asc', ...query } })
  )
const listed = (given: Traveller, query = {}) =>
  keysOf(given.call('listFeatures', { params: { project }, query: { sortBy: 'key', sortOrder: 'asc', ...query } }))
const stalenessOf = async (given: Traveller, feature: string): Promise<ApiResponse['body']> =>
  (await given.call('getFeatureStaleness', { params: { project, feature } })).body
const say = (given: Traveller, feature: string, body: object) =>
  given.call('updateFeatureStaleness', { params: { project, feature }, body })

describe('staleness over time', () => {
  let web: Traveller

  beforeAll(async () => {
    const features = [{ key: 'shipped' }, shared('busy'), shared('gate', { type: 'permission' })]
    web = traveller(
      await serve({ settings: { staleness }, features: [...features, shared('done', { status: 'archived' })] })
    )
  })

  it('has features listed by reason', async () => {
    // All items of the plan are 30 days old.
    await web.to(NOW)
    expect(await stale(web)).toEqual([['busy', 'shipped'], 2])
    expect((await stalenessOf(web, 'gate')).stale).toBe(false)
    await web.to(NOW + 1)
    expect(await stale(web)).toEqual([['busy', 'gate', 'shipped'], 3])
    expect(await listed(web, { staleness: 'released' })).toEqual([['shipped'], 1])
    expect(await listed(web, { staleness: 'unmodified' })).toEqual([['busy', 'gate'], 2])
    expect(await listed(web, { staleness: 'unused' })).toEqual([[], 0])
    expect(await listed(web, { staleness: 'notStale' })).toEqual([['done'], 1])
    expect((await listed(web))[1]).toBe(4)
  })

  it('has a reason, a start and the released variation', async () => {
    const { body } = await web.call('getFeature', { params: { project, feature: 'shipped' } })
    const expected = {
      stale: true,
      updatedAt: at(NOW + 1),
      disabled: false,
      reason: 'released',
      since: at(NOW - 30 * DAY),
      metaData: {
        releaseVariation: {
          _variation: body.variations[0]._id,
          variationKey: 'variation-on',
          variationName: 'variation-on'
        }
      }
    }
    expect(body.staleness).toEqual(expected)
    const about = { key: 'shipped', name: 'The shipped', _feature: idOf('shipped') }
    expect(await stalenessOf(web, 'shipped')).toEqual({ ...about, ...expected })
    const { body: list } = await web.call('getStaleFeatures', { params: { key: project }, query: { search: 'shipp' } })
    expect(list).toEqual([body])
  })

  it('is unused 14 days after counting began, unless the feature was evaluated', async () => {
    await web.to(NOW + 13 * DAY)
    const params = { key: 'busy' }
    const evaluated = await call(web.server, 'evaluateVariable', { params, body: { user_id: 'ada' } })
    expect(evaluated.status).toBe(200)
    await web.to(NOW + 14 * DAY - 1)
    expect(await listed(web, { staleness: 'unused' })).toEqual([[], 0])
    await web.to(NOW + 14 * DAY)
    await until(async () => (await stalenessOf(web, 'busy')).reason === 'unmodifiedShort')
    expect(await listed(web, { staleness: 'unused' })).toEqual([['gate'], 1])
    expect(await stalenessOf(web, 'gate')).toMatchObject({ reason: 'unused', since: at(NOW) })
    // The hour of an evaluation counts to its end.
    await web.to(NOW + 27 * DAY + 3_600_000 - 1)
    expect((await stalenessOf(web, 'busy')).reason).toBe('unmodifiedShort')
    await web.to(NOW + 27 * DAY + 3_600_000)
    expect(await stalenessOf(web, 'busy')).toMatchObject({ reason: 'unused', since: at(NOW + 13 * DAY + 3_600_000) })
  })

  it('counts evaluations to defaults as use', async () => {
    const params = { project, feature: 'gate' }
    const query = { environment: 'production' }
    await web.call('updateFeatureConfiguration', { params, query, body: { status: 'inactive' } })
    const { status } = await call(web.server, 'evaluateVariable', { params: { key: 'gate' }, body: { user_id: 'ada' } })
    expect(status).toBe(404)
    await until(async () => (await stalenessOf(web, 'gate')).stale === false)
  })

  it('ends when the feature is modified', async () => {
    await web.to(NOW + 50 * DAY)
    const before = await stale(web)
    expect(before[0]).toContain('gate')
    await call(web.server, 'evaluateVariable', { params: { key: 'gate' }, body: { user_id: 'ada' } })
    await until(async () => (await stalenessOf(web, 'gate')).reason !== 'unused')
    await web.call('updateFeature', { params: { project, feature: 'gate' }, body: { name: 'Gate 2' } })
    expect((await stalenessOf(web, 'gate')).stale).toBe(false)
  })
})

describe('silencing', () => {
  let web: Traveller

  beforeAll(async () => {
    web = traveller(await serve({ settings: { staleness }, features: [shared('quiet'), shared('loud')] }))
    await web.to(NOW)
  })

  it('hides the staleness of a feature, except with includeSilenced', async () => {
    const until = NOW + 5 * DAY
    const { body } = await say(web, 'quiet', { snoozedUntil: at(until), metaData: { why: 'busy' } })
    const expected = {
      stale: true,
      reason: 'unmodifiedShort',
      since: at(NOW - 30 * DAY),
      snoozedUntil: at(until),
      metaData: { why: 'busy' }
    }
    expect(body).toMatchObject(expected)
    expect(await stalenessOf(web, 'quiet')).toMatchObject(expected)
    expect(await stale(web)).toEqual([['loud'], 1])
    expect(await listed(web, { staleness: 'all' })).toEqual([['loud'], 1])
    expect(await listed(web, { staleness: 'notStale' })).toEqual([['quiet'], 1])
    expect(await stale(web, { includeSilenced: true })).toEqual([['loud', 'quiet'], 2])
    const shown = (await web.call('getFeature', { params: { project, feature: 'quiet' } })).body
    expect(shown).not.toHaveProperty('staleness')
    const all = await web.call('getStaleFeatures', { params: { key: project }, query: { includeSilenced: true } })
    const quiet = all.body.find(({ key }: ApiResponse['body']) => key === 'quiet')
    expect(quiet.staleness).toMatchObject(expected)
    expect(shown.updatedAt).toBe(at(NOW - 30 * DAY))
    await web.to(until - 1)
    expect(await stale(web)).toEqual([['loud'], 1])
    await web.to(until)
    expect(await stale(web)).toEqual([['loud', 'quiet'], 2])
  })

  it('ends with null, is permanent with disabled, and ignores a time in the past', async () => {
    await say(web, 'quiet', { snoozedUntil: at(NOW + 9 * DAY) })
    expect(await stale(web)).toEqual([['loud'], 1])
    await say(web, 'quiet', { snoozedUntil: null })
    expect(await stale(web)).toEqual([['loud', 'quiet'], 2])
    await say(web, 'quiet', { disabled: true })
    expect(await stale(web)).toEqual([['loud'], 1])
    expect(await stalenessOf(web, 'quiet')).toMatchObject({ stale: true, disabled: true })
    await say(web, 'quiet', { disabled: false, snoozedUntil: at(NOW - DAY) })
    expect(await stale(web)).toEqual([['loud', 'quiet'], 2])
  })

  it('is possible for completed features, and not for archived ones', async () => {
    const params = { project, feature: 'loud' }
    await web.call('updateFeatureStatus', { params, body: { status: 'complete', staticVariation: 'on' } })
    expect((await say(web, 'loud', { disabled: true })).body).toMatchObject({ stale: false, disabled: true })
    await web.call('updateFeatureStatus', { params, body: { status: 'archived' } })
    expect((await say(web, 'loud', { disabled: false })).status).toBe(412)
  })
})

describe('a list', () => {
  const keys = Array.from({ length: 7 }, (_, index) => `f${index}`)
  let web: Traveller

  beforeAll(async () => {
    const features = keys.map((key, index) => shared(key, { type: index % 3 === 0 ? 'ops' : 'release' }))
    web = traveller(await serve({ settings: { staleness }, features }))
    await web.to(NOW)
  })

  // Features of type release, because the threshold of ops is more than 30 days.
  test.each([
    [{}, ['f1', 'f2', 'f4', 'f5'], 4],
    [{ perPage: 3 }, ['f1', 'f2', 'f4'], 4],
    [{ perPage: 3, page: 2 }, ['f5'], 4],
    [{ perPage: 2, page: 3 }, [], 4],
    [{ perPage: 2, sortOrder: 'desc' }, ['f5', 'f4'], 4],
    [{ search: 'the f4' }, ['f4'], 1],
    [{ search: 'the f3' }, [], 0]
  ])('of stale features has, for %j, %j of %i', async (query, expected, count) => {
    expect(await stale(web, query)).toEqual([expected, count])
    expect(await listed(web, { ...query, staleness: 'all' })).toEqual([expected, count])
  })

  test.each([
    [{}, ['f0', 'f3', 'f6'], 3],
    [{ perPage: 2, page: 2 }, ['f6'], 3],
    [{ keys: 'f1,f3' }, ['f3'], 1],
    [{ type: 'release' }, [], 0],
    [{ status: 'complete' }, [], 0]
  ])('of other features has, for %j, %j of %i', async (query, expected, count) => {
    expect(await listed(web, { ...query, staleness: 'notStale' })).toEqual([expected, count])
  })
})

describe('a project', () => {
  it('without detection has no stale features', async () => {
    const web = traveller(await serve({ features: [{ key: 'shipped' }] }))
    await web.to(NOW)
    expect(await stale(web, { includeSilenced: true })).toEqual([[], 0])
    expect(await listed(web, { staleness: 'notStale' })).toEqual([['shipped'], 1])
    expect(await stalenessOf(web, 'shipped')).toMatchObject({ stale: false, updatedAt: at(NOW) })
    expect((await web.call('getFeature', { params: { project, feature: 'shipped' } })).body).not.toHaveProperty(
      'staleness'
    )
  })

  it('sets the reasons, and the days for each type', async () => {
    const features = [shared('a'), shared('b', { type: 'experiment' }), { key: 'shipped' }]
    const web = traveller(await serve({ settings: { staleness }, features }))
    await web.to(NOW)
    const set = async (given: object) => {
      const settings = { featureApprovalWorkflow: {}, staleness: given }
      const { status, body } = await web.call('updateProtectedSettings', {
        params: { key: project },
        body: { settings }
      })
      return status === 200 ? body.settings.staleness : body.message
    }
    expect(await set({ unmodifiedShort: { days: 40, types: { experiment: 20 } } })).toEqual({
      ...staleness,
      unmodifiedShort: { enabled: true, days: 40, types: { experiment: 20 } }
    })
    expect(await stale(web)).toEqual([['b', 'shipped'], 2])
    await set({ unmodifiedShort: { types: { release: 10 } }, released: { enabled: false } })
    expect(await stale(web)).toEqual([['a', 'b', 'shipped'], 3])
    expect(await listed(web, { staleness: 'released' })).toEqual([[], 0])
    expect(
      await set({ unmodifiedShort: { days: null, types: { experiment: null } }, released: { enabled: true } })
    ).toEqual({
      ...staleness,
      unmodifiedShort: { enabled: true, types: { release: 10 } }
    })
    const settings = { disablePassthroughRollouts: false, staleness: { released: { days: 31 } } }
    const { body } = await web.call('updateProjectSettings', { params: { key: project }, body: { settings } })
    expect(body.settings.staleness.released).toEqual({ enabled: true, days: 31 })
    expect(await listed(web, { staleness: 'released' })).toEqual([[], 0])
  })

  test.each([
    [{ unused: { days: 0 } }, 'settings.staleness.unused.days should be'],
    [{ unused: { days: 366 } }, 'settings.staleness.unused.days should be'],
    [{ released: { days: 3651 } }, 'settings.staleness.released.days should be'],
    [{ released: { days: 1.5 } }, 'settings.staleness.released.days should be'],
    [{ released: { types: { ops: 3 } } }, 'property settings.staleness.released.types.ops should not exist'],
    [{ unmodifiedLong: { types: { ops: 'x' } } }, 'settings.staleness.unmodifiedLong.types.ops should be']
  ])('cannot set %j', async (given, message) => {
    const settings = { featureApprovalWorkflow: {}, staleness: given }
    const answer = await call(await bare(), 'updateProtectedSettings', { params: { key: project }, body: { settings } })
    expect([answer.status, answer.body.message.join()]).toEqual([400, expect.stringContaining(message)])
  })

  let one: Promise<TestServer> | undefined
  const bare = () => {
    one ??= serveShared({})
    return one
  }
})

describe('the report at 00:00 UTC', () => {
  const midnight = NOW - (NOW % DAY) + DAY
  const lines = ({ server }: Traveller) =>
    server.logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'stale features')
  const gauge = async ({ server }: Traveller, reason: string) => {
    const { body } = await send(server, { path: '/metrics' })
    return new RegExp(`^burgee_stale_features\\{project="shop",reason="${reason}"\\} (\\d+)$`, 'm').exec(body)?.[1]
  }

  it('has the counts in the log and in a gauge', async () => {
    const features = [{ key: 'shipped' }, shared('a'), shared('gate', { type: 'ops' })]
    const web = traveller(await serve({ settings: { staleness }, features }))
    await until(async () => (await gauge(web, 'released')) === '1')
    expect(await gauge(web, 'unmodifiedShort')).toBe('1')
    expect(await gauge(web, 'unmodifiedLong')).toBe('0')
    await web.to(midnight - 1)
    await jobsToCheck(web.server)
    expect(lines(web)).toEqual([])
    await web.to(midnight)
    await until(async () => lines(web).length === 1)
    const counts = { released: 1, unused: 0, unmodifiedShort: 1, unmodifiedLong: 1 }
    expect(lines(web)).toMatchObject([{ level: 30, project, total: 3, ...counts, difference: 1 }])
    expect(await gauge(web, 'unmodifiedLong')).toBe('1')
    await say(web, 'gate', { disabled: true })
    await say(web, 'a', { disabled: true })
    await web.to(midnight + DAY)
    await until(async () => lines(web).length === 2)
    expect(lines(web)[1]).toMatchObject({ total: 1, unmodifiedShort: 0, unmodifiedLong: 0, difference: -2 })
    const settings = { featureApprovalWorkflow: {}, staleness: { enabled: false } }
    await web.call('updateProtectedSettings', { params: { key: project }, body: { settings } })
    await web.to(midnight + 2 * DAY)
    await until(async () => (await gauge(web, 'released')) === undefined)
    expect(lines(web)).toHaveLength(2)
  })
})

it('a list has silenced features only on request, and every other feature with exactly one filter', async () => {
  const begin = NOW - 41 * DAY
  const web = traveller(await serve({}, {}, begin))
  let count = 0
  const Made = fc.record({
    type: fc.constantFrom('release', 'experiment', 'ops', 'permission'),
    age: fc.constantFrom(0, 14, 15, 30, 31, 40),
    isUsed: fc.boolean(),
    isReleased: fc.boolean(),
    silence: fc.constantFrom({}, { disabled: true }, { snoozedUntil: at(NOW + DAY) }, { snoozedUntil: at(NOW - DAY) })
  })
  await fc.assert(
    fc.asyncProperty(fc.array(Made, { minLength: 1, maxLength: 6 }), async (plans) => {
      const key = `p${count++}`
      await web.to(begin)
      await web.call('createProject', { body: { key, name: key } })
      const settings = { featureApprovalWorkflow: {}, staleness: { enabled: true } }
      await web.call('updateProtectedSettings', { params: { key }, body: { settings } })
      const used: object[] = []
      for (const [index, { type, age, isUsed, isReleased, silence }] of plans.entries()) {
        const feature = `${key}-${index}`
        await web.to(NOW - age * DAY)
        const target = {
          audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
          distribution: [{ _variation: 'variation-on', percentage: 1 }]
        }
        const configurations = isReleased ? { production: { status: 'active', targets: [target] } } : {}
        const body = { key: feature, name: feature, type, configurations }
        expect((await web.call('createFeature', { params: { project: key }, body })).status).toBe(201)
        await web.call('updateFeatureStaleness', { params: { project: key, feature }, body: silence })
        if (isUsed) used.push({ type: 'aggVariableDefaulted', target: feature, value: 1 })
      }
      await web.to(NOW)
      const { body: environments } = await web.call('listEnvironments', { params: { project: key } })
      const body = { batch: [{ user: { user_id: 'program' }, events: used }] }
      const sent =
        used.length > 0 && (await web.call('sendEventBatches', { body, key: environments[0].sdkKeys.server[0].key }))
      if (sent) expect(sent.status).toBe(201)
      const by = async (wanted: string) => {
        const query = { staleness: wanted, perPage: 1000 }
        const { body } = await web.call('listFeatures', { params: { project: key }, query })
        return body as { key: string; staleness?: { reason: string } }[]
      }
      const parts = ['released', 'unused', 'unmodified', 'notStale']
      const lists = await Promise.all(parts.map(by))
      const every = (await web.call('listFeatures', { params: { project: key } })).body as { key: string }[]
      const names = (list: readonly { key: string }[]) => list.map((each) => each.key).sort()
      expect(names(lists.flat())).toEqual(names(every))
      expect(names(lists.slice(0, 3).flat())).toEqual(names(await by('all')))
      expect(
        lists.map((list) => list.map(({ staleness: actual }) => actual?.reason.replace(/(Short|Long)$/, '')))
      ).toEqual(lists.map((list, index) => list.map(() => (index < 3 ? parts[index] : undefined))))
      const loud = plans.flatMap(({ silence }, index) =>
        'disabled' in silence || silence.snoozedUntil === at(NOW + DAY) ? [] : [`${key}-${index}`]
      )
      const open = names((await web.call('getStaleFeatures', { params: { key } })).body)
      const all = names(
        (await web.call('getStaleFeatures', { params: { key }, query: { includeSilenced: true } })).body
      )
      expect(open).toEqual(all.filter((name) => loud.includes(name)))
      expect(open).toEqual(names(await by('all')))
    }),
    { numRuns: 8 }
  )
})
