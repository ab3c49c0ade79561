import { type ApiResponse, call } from '@burgee/testing/harness'
import { idOf } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { expectRefusal, type Features, serveFeatures, serving } from '../../support/features.ts'

let web: Features
let count = 0
let key: string

beforeAll(async () => {
  web = await serveFeatures()
  await call(web.server, 'createProject', { body: { key: 'other', name: 'Other' } })
})

beforeEach(() => {
  key = `feature-${++count}`
})

function keysOf({ body }: ApiResponse): string[] {
  return body.map((each: { key: string }) => each.key)
}

describe('the v1 operations of features', () => {
  it('return the same features as v2', async () => {
    const made = await web.call('createFeatureV1', {}, { body: { key, name: 'Feature' } })
    expect(made.status).toBe(201)
    expect((await web.get(key)).body).toEqual(made.body)
    expect((await web.call('getFeatureV1', { feature: key })).body).toEqual(made.body)
    const listed = await web.call('listFeaturesV1', {}, { query: { search: key } })
    expect([listed.body, listed.headers.count]).toEqual([[made.body], '1'])
    const updated = await web.call('updateFeatureV1', { feature: key }, { body: { name: 'New' } })
    expect(updated.body).toEqual({ ...made.body, name: 'New' })
    const body = { status: 'complete', staticVariation: 'variation-on' }
    const complete = await web.call('updateFeatureStatusV1', { feature: key }, { body })
    expect(complete.body).toMatchObject({ status: 'complete', staticVariation: 'variation-on' })
    const changed = { variables: { [key]: false } }
    const answer = await web.call('updateStaticConfigurationV1', { feature: key }, { body: changed })
    expect(answer.body).toMatchObject(changed)
    expect((await web.call('getStaticConfigurationV1', { feature: key })).body).toEqual(answer.body)
    expect((await web.call('getStaticConfiguration', { feature: key })).body).toEqual(answer.body)
  })

  it.each<[Parameters<Features['call']>[0], object | undefined]>([
    ['getFeatureV1', undefined],
    ['updateFeatureV1', {}],
    ['deleteFeature', undefined],
    ['updateFeatureStatusV1', { status: 'active' }],
    ['getStaticConfigurationV1', undefined],
    ['updateStaticConfigurationV1', {}]
  ])('return 404 for %s where there is none', async (operation, body) => {
    const answer = await web.call(operation, { feature: 'nothing' }, { body })
    expectRefusal(answer, 404, "Item with key 'nothing' not found")
    const params = { project: 'nowhere', feature: 'nothing' }
    expectRefusal(await call(web.server, operation, { params, body }), 404, "Item with key 'nowhere' not found")
  })
})

describe('creating several features', () => {
  const create = (body: unknown) => web.call('createFeatures', {}, { body })

  it('creates them in order, each with its own audit entry', async () => {
    const answer = await create([`${key}-b`, { key: `${key}-a`, name: 'A', type: 'ops' }])
    expect(answer.status).toBe(201)
    expect(keysOf(answer)).toEqual([`${key}-b`, `${key}-a`])
    const [plain, full] = answer.body
    expect(plain).toMatchObject({
      name: `${key}-b`,
      variables: [{ key: `${key}-b` }],
      controlVariation: 'variation-on'
    })
    expect(full).toMatchObject({ name: 'A', type: 'ops' })
    for (const feature of answer.body) {
      expect((await web.get(feature.key)).body).toEqual(feature)
      const { body: entries } = await web.call('getFeatureAudit', { feature: feature.key })
      expect(entries).toMatchObject([{ _feature: feature._id, changes: [{ type: 'createdFeature' }] }])
    }
  })

  test.each<[(key: string) => unknown[], number, string]>([
    [(name) => [`${name}-a`, `${name}-a`], 409, 'Duplicate key'],
    [
      (name) => [`${name}-a`, { key: `${name}-b`, name: 'B', controlVariation: 'x' }],
      400,
      'controlVariation should be'
    ],
    [
      (name) => [`${name}-a`, { key: `${name}-b`, name: 'B', variables: [{ key: `${name}-a`, type: 'Boolean' }] }],
      409,
      'belongs to'
    ],
    [(name) => [`${name}-a`, { key: `${name}-b` }], 400, '1.name should be a string'],
    [(name) => [`${name}-a`, 'Big Letters'], 400, 'should have only'],
    [(name) => [`${name}-a`, 7], 400, 'should be a feature to create, or the key of one'],
    [() => [], 400, 'should have at least one feature'],
    [(name) => Array(101).fill(`${name}-a`), 400, 'should have at most 100 features']
  ])('creates none of them if one is invalid: %#', async (bodyOf, status, message) => {
    expectRefusal(await create(bodyOf(key)), status, message)
    expect((await web.get(`${key}-a`)).status).toBe(404)
    expect((await web.call('getVariable', { key: `${key}-a` })).status).toBe(404)
  })

  it('is refused in an unknown project', async () => {
    const answer = await call(web.server, 'createFeatures', { params: { project: 'nowhere' }, body: [key] })
    expectRefusal(answer, 404, "Item with key 'nowhere' not found")
  })
})

describe('deleting a feature', () => {
  const remove = (query: Record<string, string | boolean> = {}, feature = key) => {
    return web.call('deleteFeature', { feature }, { query })
  }
  let made: ApiResponse

  beforeEach(async () => {
    const configurations = { production: { status: 'active', targets: [serving('variation-on')] } }
    made = await web.create({ key, name: 'Feature', configurations })
  })

  it('leaves its variables free', async () => {
    const { status, body } = await remove()
    expect([status, body]).toEqual([200, undefined])
    expect((await web.get(key)).status).toBe(404)
    const variable = (await web.call('getVariable', { key })).body
    expect(variable.status).toBe('active')
    expect(variable).not.toHaveProperty('_feature')
    expect(await web.evaluate(key)).toMatch(key)
    expect((await web.create({ key, name: 'Again' })).status).toBe(201)
  })

  it('leaves variables active that were archived with it', async () => {
    await web.setStatus(key, 'archived')
    await remove()
    expect((await web.call('getVariable', { key })).body.status).toBe('active')
  })

  it('deletes its variables on request', async () => {
    await remove({ deleteVariables: true }, made.body._id)
    expect((await web.get(key)).status).toBe(404)
    expect((await web.call('getVariable', { key })).status).toBe(404)
  })

  it('deletes its audit log, overrides, metric associations, issue links and webhooks', async () => {
    await web.call('updateUserProfile', {}, { body: { svcUserId: 'ada' } })
    const override = { environment: 'production', variation: 'variation-off' }
    await web.call('updateFeatureOverride', { feature: key }, { body: override })
    const metric = { key: `m-${count}`, name: 'M', event: 'e', dimension: 'TOTAL_SUM', optimize: 'increase' }
    await web.call('createMetric', {}, { body: metric })
    await web.call('createMetricAssociation', {}, { body: { metric: metric.key, feature: key } })
    await web.call('linkIssue', { feature: key, issue_tracker: 'jira' }, { body: { issueId: 'A-1' } })
    const hook = { name: 'H', url: 'https://hooks.invalid', events: ['modifiedFeature'], _feature: key }
    expect((await web.call('createWebhook', {}, { body: hook })).status).toBe(201)
    await remove()
    expect((await web.call('listCurrentOverrides')).body).toEqual([])
    expect((await web.call('listMetricAssociations', {}, { query: { metric: metric.key } })).body).toEqual([])
    expect((await web.call('listWebhooks')).body).toEqual([])
    await web.create({ key, name: 'Again' })
    expect(await web.entries(key)).toBe(1)
    const links = await web.call('listIssues', { feature: key, issue_tracker: 'jira' })
    expect(links.body).toEqual([])
  })

  it('is recorded in the audit log of the organization', async () => {
    const then = web.server.clock.now()
    web.server.clock.now = () => then + 1000
    await remove()
    const { body } = await call(web.server, 'listAuditEntries', { query: { project: 'web', perPage: 1 } })
    expect(body[0]).not.toHaveProperty('_feature')
    expect(body[0].changes).toEqual([
      {
        type: 'deletedFeature',
        newContents: null,
        previousContents: expect.objectContaining({
          _id: made.body._id,
          key,
          variables: [expect.objectContaining({ key })]
        })
      }
    ])
  })

  it('of another project, or with an invalid parameter, is refused', async () => {
    const params = { project: 'other', feature: made.body._id }
    expect((await call(web.server, 'deleteFeature', { params })).status).toBe(404)
    expectRefusal(await remove({ deleteVariables: 'perhaps' }), 400, 'deleteVariables should be')
    expect((await web.get(key)).body).toEqual(made.body)
  })
})

describe('the issues of a feature', () => {
  const link = (issueId: unknown, members: object = {}) => {
    return web.call('linkIssue', { feature: key, issue_tracker: 'jira' }, { body: { issueId, ...members } })
  }
  const list = (issue_tracker = 'jira') => web.call('listIssues', { feature: key, issue_tracker })
  const unlink = (issue_id: string) => web.call('unlinkIssue', { feature: key, issue_tracker: 'jira', issue_id })

  beforeEach(async () => {
    await web.create({ key, name: 'Feature' })
  })

  it('lists the linked issues of one tracker', async () => {
    const { status, body } = await link('SHOP-1')
    expect([status, body]).toEqual([201, { issueId: 'SHOP-1' }])
    await link('SHOP-2')
    expect((await list()).body).toHaveLength(2)
    expect((await list()).body).toEqual(expect.arrayContaining([{ issueId: 'SHOP-1' }, { issueId: 'SHOP-2' }]))
    expect((await list('linear')).body).toEqual([])
    expect((await unlink('SHOP-1')).status).toBe(200)
    expect((await list()).body).toEqual([{ issueId: 'SHOP-2' }])
  })

  it('are recorded in the audit log', async () => {
    await link('SHOP-1')
    expect(await web.lastChanges(key)).toMatchObject([{ type: 'createdIssueLink', newContents: { issueId: 'SHOP-1' } }])
    await unlink('SHOP-1')
    expect(await web.lastChanges(key)).toMatchObject([{ type: 'deletedIssueLink', newContents: null }])
  })

  it('are linked once', async () => {
    await link('SHOP-1')
    expectRefusal(await link('SHOP-1'), 409, 'SHOP-1')
    expect(await web.entries(key)).toBe(2)
  })

  test.each([
    ['', {}, 'issueId should not be empty'],
    [7, {}, 'issueId should be a string'],
    ['A-1', { _id: idOf('x') }, 'property _id should not exist']
  ])('are refused as %j with %j', async (issueId, members, message) => {
    expectRefusal(await link(issueId, members), 400, message)
  })

  it('return 404 for an unknown feature or link', async () => {
    expectRefusal(await unlink('SHOP-9'), 404, "Item with key 'SHOP-9' not found")
    key = 'nothing'
    for (const answer of [await link('A-1'), await list(), await unlink('A-1')]) {
      expectRefusal(answer, 404, "Item with key 'nothing' not found")
    }
  })
})
