import { gzipSync } from 'node:zlib'
import { type ApiResponse, call, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { attributeFilter, DAY, fillStore, idOf, makeProject, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { defaultSettings } from '../../src/flags/projects/defaultSettings.ts'
import { listFeatureSummaries } from '../../src/flags/summaries/listFeatureSummaries.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { Store } from '../../src/storage/store.ts'
import { testAuditEntry } from '../store/conformance/fixtures.ts'

const params = { project: 'shop' }
const iso = (time: number) => new Date(time).toISOString()
const gradual = {
  type: 'gradual',
  startDate: iso(NOW - DAY),
  startPercentage: 0,
  stages: [{ type: 'linear', date: iso(NOW + DAY), percentage: 1 }]
} as const

const plan: Plan = {
  environments: { production: {}, staging: {} },
  features: [
    { key: 'everybody' },
    { key: 'divided', targets: [{ serves: { 'variation-on': 0.3, 'variation-off': 0.7 } }] },
    { key: 'rising', type: 'ops', targets: [{ rollout: gradual }] },
    { key: 'canada', targets: [{ filters: [attributeFilter('country', 'CA')] }], offIn: ['staging'] },
    { key: 'later', targets: [{ rollout: { type: 'schedule', startDate: iso(NOW + DAY) } }] },
    { key: 'done', status: 'complete', staticVariation: 'variation-off' },
    { key: 'untargeted', targets: [] }
  ]
}

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

const list = (query: Record<string, string | string[]> = {}, of = server): Promise<ApiResponse> =>
  call(of, 'listFeatureSummaries', { params, query })
const keysOf = async (query: Record<string, string | string[]>) => {
  const { status, body } = await list(query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.map(({ key }: { key: string }) => key)
}
const statusOf = async (key: string, environment = 'production') => {
  const { body } = await list({ perPage: '1000' })
  return body.find((row: { key: string }) => row.key === key).environments[environment]
}

describe('the status in an environment', () => {
  it.each([
    ['everybody', { status: 'on', variations: ['variation-on'], variationName: 'variation-on' }],
    ['divided', { status: 'split', variations: ['variation-on', 'variation-off'] }],
    ['rising', { status: 'partly', share: 0.5, trend: 'rising', isFiltered: false }],
    ['canada', { status: 'partly', share: 1, trend: 'steady', isFiltered: true }],
    ['later', { status: 'scheduled', from: iso(NOW + DAY) }],
    ['done', { status: 'on', variations: ['variation-off'], variationName: 'variation-off' }],
    ['untargeted', { status: 'partly', share: 0, trend: 'steady', isFiltered: false }]
  ])('%s', async (key, expected) => {
    expect(await statusOf(key)).toEqual(expected)
  })

  it('is that of each environment', async () => {
    expect(await statusOf('canada', 'staging')).toEqual({ status: 'off' })
  })
})

describe('rows', () => {
  it('have no values, variables or targets', async () => {
    const { body } = await list({ search: 'everybody' })
    expect(body).toEqual([
      {
        _id: idOf('everybody'),
        key: 'everybody',
        name: 'The everybody',
        type: 'release',
        status: 'active',
        tags: [],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        revision: idOf('everybody'),
        pendingChangeRequests: 0,
        environments: { production: expect.any(Object), staging: expect.any(Object) }
      }
    ])
  })

  it('have the revision that the feature has as ETag, and the author of its last change', async () => {
    const feature = { ...params, feature: 'divided' }
    const { headers } = await call(server, 'updateFeature', { params: feature, body: { description: 'Anew.' } })
    const { body } = await list({ search: 'divided' })
    const [entry] = (await call(server, 'getFeatureAudit', { params: feature })).body
    expect([`"${body[0].revision}"`, body[0]._updatedBy]).toEqual([headers.etag, entry.idp_user])
  })
})

describe('filters', () => {
  beforeAll(async () => {
    for (const [feature, tags] of [
      ['later', ['web', 'mobile']],
      ['canada', ['web']]
    ] as const) {
      await call(server, 'updateFeature', { params: { ...params, feature }, body: { tags } })
    }
  })

  it('select by type, status, search and every tag', async () => {
    expect(await keysOf({ type: 'ops' })).toEqual(['rising'])
    expect(await keysOf({ status: 'complete' })).toEqual(['done'])
    expect(await keysOf({ search: 'ANAD' })).toEqual(['canada'])
    expect((await keysOf({ tags: 'web' })).sort()).toEqual(['canada', 'later'])
    expect(await keysOf({ tags: 'web,mobile' })).toEqual(['later'])
    expect(await keysOf({ tags: ['web', 'mobile'] })).toEqual(['later'])
  })

  it('select by the time of the last change, in any zone', async () => {
    expect(await keysOf({ updatedSince: '2026-03-01T00:00:00Z', type: 'ops' })).toEqual([])
    expect(await keysOf({ updatedSince: '2020-03-01T00:00:00+02:00', type: 'ops' })).toEqual(['rising'])
  })

  it('select by the creator, and count all pages', async () => {
    expect(await keysOf({ createdBy: 'nobody' })).toEqual([])
    const { headers, body } = await list({ sortBy: 'key', sortOrder: 'asc', perPage: '2', page: '2' })
    expect(body.map(({ key }: { key: string }) => key)).toEqual(['done', 'everybody'])
    expect(headers.count).toBe('7')
  })

  it.each([
    [{ perPage: '1001' }, 'perPage'],
    [{ updatedSince: 'yesterday' }, 'updatedSince'],
    [{ status: 'live' }, 'status'],
    [{ search: 'ab' }, 'search']
  ])('refuse %o', async (query, name) => {
    const { status, body } = await list(query)
    expect(status).toBe(400)
    expect(body.issues[0]).toMatchObject({ in: 'query', path: [name] })
  })
})

test('an unknown project is 404', async () => {
  const { status } = await call(server, 'listFeatureSummaries', { params: { project: 'nowhere' } })
  expect(status).toBe(404)
})

test('stale features have the reason, unless it is silenced', async () => {
  const staleness = { ...defaultSettings.staleness, enabled: true }
  const stale = await serve({ settings: { staleness }, features: [{ key: 'old' }] })
  const { body } = await list({}, stale)
  expect(body[0].staleness).toMatchObject({ reason: 'released', variation: 'variation-on' })
  await call(stale, 'updateFeatureStaleness', { params: { ...params, feature: 'old' }, body: { disabled: true } })
  expect((await list({}, stale)).body[0]).not.toHaveProperty('staleness')
})

describe('1,000 features in three environments', () => {
  const words = ['checkout', 'search', 'invoice', 'banner', 'profile', 'cart', 'login', 'export', 'mobile', 'pricing']
  const nameOf = (index: number) =>
    `${words[index % 10]}-${words[Math.floor(index / 10) % 10]}-${words[Math.floor(index / 100)]}`
  const features = Array.from({ length: 1000 }, (_, index) => ({
    key: nameOf(index),
    offIn: ['production', 'staging', 'development'].slice(0, index % 4),
    ...(index % 5 === 0 ? { targets: [{ rollout: gradual }] } : {})
  }))
  let large: TestServer

  beforeAll(async () => {
    const directory = await storeWith({ environments: { development: {}, staging: {}, production: {} }, features })
    const store = await openStore(toStoreUrl(directory))
    await store.transaction(async (transaction) => {
      for (const [index, { key }] of features.entries()) {
        for (const sequence of [1, 2, 3]) {
          await transaction.collection('auditEntries').insert({
            _id: idOf(`entry ${sequence} of ${key}`),
            createdAt: iso(NOW - index * 7919),
            updatedAt: iso(NOW - index * 7919),
            _organization: 'org_test',
            _project: idOf('shop'),
            _feature: idOf(key),
            _environments: [],
            idp_user: 'ada',
            changes: [{ type: 'modifiedFeature', newContents: null, previousContents: null }],
            sequence
          })
        }
        await transaction.collection('features').update(idOf(key), {
          tags: index % 2 ? ['checkout', 'web'] : ['mobile'],
          _createdBy: `user-${index % 7}`,
          updatedAt: iso(NOW - index * 7919)
        })
      }
    })
    await store.close()
    large = await serve(directory)
  })

  it('fit into 60 KiB of gzip', async () => {
    const { body } = await list({ perPage: '1000' }, large)
    expect(body).toHaveLength(1000)
    expect(body[0].revision).toBe(idOf(`entry 3 of ${body[0].key}`))
    expect(gzipSync(JSON.stringify(body)).length).toBeLessThanOrEqual(60 * 1024)
  })
})

test('a page of many rows takes as many reads of the store as one row', async () => {
  const store = await openStore('memory:')
  const plan = { features: Array.from({ length: 50 }, (_, index) => ({ key: `feature-${index}` })) }
  await fillStore(store, plan)
  const changes = [{ type: 'modifiedFeature', newContents: null, previousContents: null }] as const
  for (const { key } of plan.features) {
    await store.collection('auditEntries').insert(testAuditEntry({ _feature: idOf(key), changes }))
  }
  const inspector = { at: NOW, find: () => undefined, productionEnvironments: new Set<string>() }
  const readsOf = async (perPage: number) => {
    const counted = countReads(store)
    const dependencies = { store: counted.store, project: makeProject(plan), inspector }
    const { items } = await listFeatureSummaries(dependencies, { sortBy: 'key', perPage }, [])
    expect(items.filter(({ _id, revision }) => _id !== revision)).toHaveLength(perPage)
    return counted.reads()
  }
  expect(await readsOf(50)).toBe(await readsOf(1))
  await store.close()
})

/** Returns a store that counts its reads. */
function countReads(store: Store): { readonly store: Store; readonly reads: () => number } {
  let reads = 0
  const counted =
    <A extends readonly unknown[], R>(read: (...query: A) => R) =>
    (...query: A): R => {
      reads++
      return read(...query)
    }
  const collection: Store['collection'] = (name) => {
    const { get, list, scan, ...writes } = store.collection(name)
    return { ...writes, get: counted(get), list: counted(list), scan: counted(scan) }
  }
  return { store: Object.assign(Object.create(store), { collection }), reads: () => reads }
}
