import { type ApiResponse, call } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { expectRefusal, type Features, serveFeatures, serving } from '../support/features.ts'

const LATER = NOW + 3_600_000

let web: Features

beforeAll(async () => {
  web = await serveFeatures()
})

function log(feature: string, query: Record<string, string | number> = {}): Promise<ApiResponse> {
  return web.call('getFeatureAudit', { feature }, { query })
}

function typesOf({ body }: ApiResponse): string[][] {
  return body.map(({ changes }: ApiResponse['body']) => changes.map(({ type }: { type: string }) => type))
}

describe('the audit log of a feature', () => {
  beforeAll(async () => {
    await web.create({ key: 'told', name: 'Told' })
    await web.configure('told', 'staging', { targets: [serving('variation-on')] })
    web.server.clock.now = () => LATER
    await web.configure('told', 'production', { targets: [serving('variation-on')], status: 'active' })
    await web.update('told', { name: 'New', settings: { publicName: 'Try' } })
    web.server.clock.now = () => NOW
  })

  const all = [
    ['modifiedFeature', 'modifiedSettings'],
    ['addedTarget', 'enabledEnvironment'],
    ['addedTarget'],
    ['createdFeature']
  ]

  it('has an entry for each change, newest first, even within one moment', async () => {
    const answer = await log('told')
    expect([answer.status, answer.headers.count]).toEqual([200, '4'])
    expect(typesOf(answer)).toEqual(all)
    const { body: feature } = await web.get('told')
    expect(answer.body[0]).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      date: new Date(LATER).toISOString(),
      idp_user: 'test-admin@clients',
      _project: feature._project,
      _feature: feature._id,
      actor: 'client',
      clientId: 'test-admin',
      address: '127.0.0.1',
      source: 'api',
      changes: [
        { type: 'modifiedFeature', newContents: { name: 'New' }, previousContents: { name: 'Told' } },
        {
          type: 'modifiedSettings',
          newContents: { settings: { optInEnabled: false, publicName: 'Try', publicDescription: '' } },
          previousContents: { settings: { optInEnabled: false, publicName: '', publicDescription: '' } }
        }
      ]
    })
    expect((await log(feature._id)).body).toEqual(answer.body)
  })

  test.each<[Record<string, string | number>, string[][], number]>([
    [{ sortOrder: 'asc' }, [...all].reverse(), 4],
    [{ sortOrder: 'asc', sortBy: 'action' }, [...all].reverse(), 4],
    [{ perPage: 3 }, all.slice(0, 3), 4],
    [{ perPage: 3, page: 2 }, all.slice(3), 4],
    [{ environment: 'production' }, [all[1]!], 1],
    [{ environment: 'development' }, [], 0],
    [{ idp_user: 'test-admin@clients' }, all, 4],
    [{ idp_user: 'nobody' }, [], 0],
    [{ startDate: new Date(NOW + 1).toISOString() }, all.slice(0, 2), 2],
    [{ endDate: '2026-03-01T13:00:00.000+01:00' }, all.slice(2), 2],
    [{ startDate: new Date(NOW).toISOString(), endDate: new Date(LATER).toISOString() }, all, 4]
  ])('for %j is %j', async (query, types, count) => {
    const answer = await log('told', query)
    expect(typesOf(answer)).toEqual(types)
    expect(answer.headers.count).toBe(String(count))
  })

  it('accepts an environment by its id', async () => {
    expect(typesOf(await log('told', { environment: web.environments.staging ?? '' }))).toEqual([['addedTarget']])
  })

  test.each<[string, Record<string, string | number>, number, string]>([
    ['nothing', {}, 404, "Item with key 'nothing' not found"],
    ['told', { environment: 'moon' }, 404, "Item with key 'moon' not found"],
    ['told', { startDate: 'yesterday' }, 400, 'startDate should be a date-time'],
    ['told', { perPage: 0 }, 400, 'perPage should be at least 1']
  ])('of %s with %j is refused', async (feature, query, status, message) => {
    expectRefusal(await log(feature, query), status, message)
  })

  it('of another project returns 404', async () => {
    await call(web.server, 'createProject', { body: { key: 'other', name: 'Other' } })
    const { _id } = (await web.get('told')).body
    expect((await call(web.server, 'getFeatureAudit', { params: { project: 'other', feature: _id } })).status).toBe(404)
  })
})

describe('an audit entry', () => {
  it('of a creation lists all initial members', async () => {
    const configurations = { staging: { status: 'active', targets: [serving('variation-on')] } }
    const { body } = await web.create({ key: 'begun', name: 'Begun', configurations })
    const [creation, target, enabled] = await web.lastChanges('begun')
    expect(creation).toEqual({
      type: 'createdFeature',
      previousContents: null,
      newContents: {
        _id: body._id,
        _project: body._project,
        source: 'api',
        key: 'begun',
        name: 'Begun',
        type: 'release',
        status: 'active',
        settings: body.settings,
        sdkVisibility: body.sdkVisibility,
        controlVariation: 'variation-on',
        tags: [],
        summary: body.summary,
        variables: [expect.objectContaining({ key: 'begun', type: 'Boolean' })],
        variations: [
          expect.objectContaining({ key: 'variation-on', variables: [{ _var: body.variables[0]._id, value: true }] }),
          expect.objectContaining({ key: 'variation-off', variables: [{ _var: body.variables[0]._id, value: false }] })
        ]
      }
    })
    const { _id } = body.configurations.find(({ status }: ApiResponse['body']) => status === 'active').targets[0]
    const _environments = [web.environments.staging]
    expect(target).toMatchObject({ type: 'addedTarget', newContents: { targets: [{ _id }] }, _environments })
    expect(enabled).toMatchObject({ type: 'enabledEnvironment', _environments })
  })

  it('lists variables and variations that are added, changed or removed', async () => {
    await web.create({
      key: 'changing',
      name: 'C',
      variables: [
        { key: 'c-one', type: 'String' },
        { key: 'c-two', type: 'String' }
      ],
      variations: [
        { key: 'a', name: 'A' },
        { key: 'b', name: 'B' }
      ]
    })
    await web.update('changing', {
      variables: [
        { key: 'c-one', type: 'String', name: 'One' },
        { key: 'c-three', type: 'Number' }
      ],
      variations: [
        { key: 'a', name: 'First' },
        { key: 'c', name: 'C' }
      ]
    })
    const contents = (list: string, ...items: object[]) => ({
      [list]: items.map((item) => expect.objectContaining(item))
    })
    expect(await web.lastChanges('changing')).toEqual([
      { type: 'addedVariable', newContents: contents('variables', { key: 'c-three' }), previousContents: null },
      {
        type: 'modifiedVariable',
        newContents: contents('variables', { name: 'One' }),
        previousContents: contents('variables', { name: 'c-one' })
      },
      { type: 'removedVariable', newContents: null, previousContents: contents('variables', { key: 'c-two' }) },
      { type: 'addedVariation', newContents: contents('variations', { key: 'c' }), previousContents: null },
      {
        type: 'modifiedVariation',
        newContents: contents('variations', { name: 'First' }),
        previousContents: contents('variations', { name: 'A' })
      },
      { type: 'removedVariation', newContents: null, previousContents: contents('variations', { key: 'b' }) }
    ])
  })

  it('lists targets that are removed or moved', async () => {
    await web.create({ key: 'moving', name: 'M' })
    const targets = ['One', 'Two', 'Three'].map((name) => serving('variation-on', { name }))
    const { body } = await web.configure('moving', 'staging', { targets })
    const [one, two, three] = body.targets
    await web.configure('moving', 'staging', { targets: [three, one] })
    const _environments = [web.environments.staging]
    expect(await web.lastChanges('moving')).toEqual([
      { type: 'removedTarget', newContents: null, previousContents: { targets: [two] }, _environments },
      {
        type: 'reorderedTargets',
        newContents: { targets: [three._id, one._id] },
        previousContents: { targets: [one._id, two._id, three._id] },
        _environments
      }
    ])
  })
})
