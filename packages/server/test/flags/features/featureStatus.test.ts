import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, send, tokenOf } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { expectRefusal, type Features, serveFeatures, serving } from '../../support/features.ts'

let web: Features
let count = 0
/** The key of a feature that is new in each test: on in production for all users, and off in staging. */
let key: string
let made: ApiResponse

beforeAll(async () => {
  web = await serveFeatures()
})

beforeEach(async () => {
  key = `feature-${++count}`
  made = await web.create({
    key,
    name: 'Feature',
    configurations: {
      production: {
        status: 'active',
        targets: [serving({ 'variation-on': 0.5, 'variation-off': 0.5 }), serving('variation-on')]
      },
      staging: { targets: [serving('variation-off')] }
    }
  })
  expect(made.status).toBe(201)
})

function variationId(variation: string): string {
  return made.body.variations.find((each: ApiResponse['body']) => each.key === variation)._id
}

/** The configurations of a feature, by environment key. */
function byEnvironment({ body }: ApiResponse): Record<string, ApiResponse['body']> {
  const entries = Object.entries(web.environments).map(([environment, _id]) => [
    environment,
    body.configurations.find(({ _environment }: ApiResponse['body']) => _environment === _id)
  ])
  return Object.fromEntries(entries)
}

const everybody = (variation: string) => [
  {
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'All Users',
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation: variation, percentage: 1 }]
  }
]

describe('a complete feature', () => {
  it.each(['key', 'id'])('serves the variation that its %s names to all users where it is turned on', async (kind) => {
    const reference = kind === 'key' ? 'variation-off' : variationId('variation-off')
    const answer = await web.setStatus(key, 'complete', reference)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'complete', staticVariation: 'variation-off' })
    const { development, staging, production } = byEnvironment(answer)
    for (const configuration of [development, staging, production]) {
      expect(configuration.targets).toEqual(everybody(variationId('variation-off')))
      expect(configuration.hasStaticConfig).toBe(true)
    }
    expect([development.status, staging.status, production.status]).toEqual(['inactive', 'inactive', 'active'])
    for (const user_id of ['ada', 'bob', 'eve', 'joe']) {
      expect(await web.evaluate(key, 'production', { user_id })).toBe(false)
    }
    expect(await web.evaluate(key, 'staging')).toMatch(key)
    expect((await web.get(key)).body).toEqual(answer.body)
  })

  test.each([
    [undefined, 'staticVariation should name the variation that all users get'],
    ['variation-of', 'staticVariation should be the key or id of a variation of feature']
  ])('cannot serve %j', async (variation, message) => {
    expectRefusal(await web.setStatus(key, 'complete', variation), 400, message)
    expect((await web.get(key)).body).toEqual(made.body)
  })

  it('can switch to another variation', async () => {
    await web.setStatus(key, 'complete', 'variation-off')
    await web.setStatus(key, 'complete', 'variation-on')
    expect(await web.evaluate(key)).toBe(true)
  })

  it('is unchanged if it is completed again', async () => {
    const first = await web.setStatus(key, 'complete', 'variation-off')
    const entries = await web.entries(key)
    expect((await web.setStatus(key, 'complete', 'variation-off')).body).toEqual(first.body)
    expect(await web.entries(key)).toBe(entries)
  })

  it('keeps its targets and variations', async () => {
    await web.setStatus(key, 'complete', 'variation-on')
    const targets = [serving('variation-off')]
    const variations = [{ key: 'variation-on', name: 'On' }]
    const message = `feature "${key}" is complete: its `
    expectRefusal(await web.update(key, { variations }), 412, `${message}variations`)
    expectRefusal(await web.update(key, { configurations: { staging: { targets } } }), 412, `${message}targets`)
    expectRefusal(await web.configure(key, 'staging', { targets }), 412, `${message}targets`)
    const params = { feature: key, key: 'variation-on' }
    expectRefusal(await web.call('updateVariation', params, { body: { name: 'On' } }), 412, `${message}variations`)
    const body = { key: 'variation-new', name: 'New' }
    expectRefusal(await web.call('createVariation', { feature: key }, { body }), 412, `${message}variations`)
  })

  it('can be turned on and off, described, and lose its variables', async () => {
    await web.setStatus(key, 'complete', 'variation-on')
    await web.configure(key, 'staging', { status: 'active' })
    expect(await web.evaluate(key, 'staging')).toBe(true)
    await web.update(key, { name: 'Done', configurations: { production: { status: 'inactive' } } })
    expect(await web.evaluate(key, 'production')).toMatch(key)
    const { body } = await web.update(key, { variables: [] })
    expect([body.name, body.variables]).toEqual(['Done', []])
  })

  it('serves its variation in an environment created later', async () => {
    await web.setStatus(key, 'complete', 'variation-on')
    await web.call('createEnvironment', {}, { body: { key: `e-${count}`, name: 'New', type: 'staging' } })
    const { body } = await web.configure(key, `e-${count}`, { status: 'active' })
    expect(body).toMatchObject({ status: 'active', targets: everybody(variationId('variation-on')) })
    await web.call('deleteEnvironment', { key: `e-${count}` })
  })
})

describe('a feature that is active again', () => {
  it('has its variations but not its former targets', async () => {
    const complete = await web.setStatus(key, 'complete', 'variation-off')
    await web.call('updateStaticConfiguration', { feature: key }, { body: { environments: { staging: 'active' } } })
    const answer = await web.setStatus(key, 'active')
    expect(answer.body).toMatchObject({ status: 'active', variations: made.body.variations })
    expect(answer.body).not.toHaveProperty('staticVariation')
    const { staging, production } = byEnvironment(answer)
    expect(production).toEqual({ ...byEnvironment(complete).production, hasStaticConfig: false })
    expect(staging.status).toBe('active')
    expect(await web.evaluate(key)).toBe(false)
    expect((await web.configure(key, 'production', { targets: [serving('variation-on')] })).status).toBe(200)
  })

  it('can be opted in to as before', async () => {
    const open = await serveFeatures({ optIn: { enabled: true } })
    await open.create({ key: 'a', name: 'A', settings: { optInEnabled: true } })
    await open.setStatus('a', 'complete', 'variation-on')
    const { body } = await open.setStatus('a', 'active')
    expect(body.configurations[0].targets).toMatchObject([{ name: 'Opt-In Users' }, { name: 'All Users' }])
  })
})

describe('an archived feature', () => {
  it('serves no users, and its variables are archived', async () => {
    const { status, body } = await web.setStatus(key, 'archived')
    expect([status, body.status, body.variables[0].status]).toEqual([200, 'archived', 'archived'])
    expect(await web.evaluate(key)).toMatch(key)
    expect((await web.call('getVariable', { key })).body.status).toBe('archived')
  })

  it('is restored unchanged', async () => {
    await web.setStatus(key, 'archived')
    const { body } = await web.setStatus(key, 'active')
    expect(body).toEqual(made.body)
    expect((await web.call('getVariable', { key })).body.status).toBe('active')
    expect(await web.evaluate(key, 'production', { user_id: 'ada' })).toEqual(expect.any(Boolean))
  })

  it('can be restored as complete', async () => {
    await web.setStatus(key, 'archived')
    const { body } = await web.setStatus(key, 'complete', 'variation-on')
    expect(body).toMatchObject({
      status: 'complete',
      staticVariation: 'variation-on',
      variables: [{ status: 'active' }]
    })
    expect(await web.evaluate(key)).toBe(true)
  })

  it('is no longer complete', async () => {
    await web.setStatus(key, 'complete', 'variation-on')
    const { body } = await web.setStatus(key, 'archived')
    expect(body).not.toHaveProperty('staticVariation')
    expect(body.configurations[0].hasStaticConfig).toBe(false)
  })
})

describe('an update of the status', () => {
  test.each<[object, number, string]>([
    [{}, 400, 'status should be one of active, complete, archived'],
    [{ status: 'live' }, 400, 'status should be one of active, complete, archived'],
    [{ status: 'active', note: 'x' }, 400, 'property note should not exist'],
    ...['active', 'archived'].map((status): [object, number, string] => [
      { status, staticVariation: 'variation-on' },
      400,
      `staticVariation should be omitted when status is ${status}: only complete features`
    ])
  ])('with %j is refused', async (body, status, message) => {
    expectRefusal(await web.call('updateFeatureStatus', { feature: key }, { body }), status, message)
  })

  it('of an unknown feature, or one of another project, is refused', async () => {
    expectRefusal(await web.setStatus('nothing', 'archived'), 404, "Item with key 'nothing' not found")
    await call(web.server, 'createProject', { body: { key: `p-${count}`, name: 'P' } })
    const params = { project: `p-${count}`, feature: made.body._id }
    expect((await call(web.server, 'updateFeatureStatus', { params, body: { status: 'archived' } })).status).toBe(404)
  })

  it('accepts the id of the feature', async () => {
    expect((await web.setStatus(made.body._id, 'archived')).status).toBe(200)
  })

  it('is recorded in the audit log with its changes', async () => {
    await web.setStatus(key, 'archived')
    const [status, variables] = await web.lastChanges(key)
    expect(status).toEqual({
      type: 'modifiedFeatureStatus',
      newContents: { status: 'archived' },
      previousContents: { status: 'active' }
    })
    expect(variables).toMatchObject({ type: 'modifiedVariable', newContents: { variables: [{ status: 'archived' }] } })
  })

  it.each([
    ['complete', 403],
    ['archived', 403],
    ['active', 200]
  ])('to %s without the permission to publish is answered with %i', async (status, expected) => {
    const { server, key: token } = await serveLimited({ features: [{ key: 'a' }] }, ['feature:read', 'feature:write'])
    const params = { project: 'shop', feature: 'a' }
    const body = { status, ...(status === 'complete' ? { staticVariation: 'variation-on' } : {}) }
    expect((await call(server, 'updateFeatureStatus', { params, body, key: token })).status).toBe(expected)
  })
})

describe('the static configuration of a feature', () => {
  const get = () => web.call('getStaticConfiguration', { feature: key })
  const update = (body: object) => web.call('updateStaticConfiguration', { feature: key }, { body })

  it('has the served values and the environments', async () => {
    await web.setStatus(key, 'complete', 'variation-on')
    const { status, body } = await get()
    expect(status).toBe(200)
    expect(body).toEqual({
      key,
      name: 'Feature',
      type: 'release',
      tags: [],
      controlVariation: 'variation-on',
      settings: made.body.settings,
      sdkVisibility: made.body.sdkVisibility,
      summary: made.body.summary,
      variables: { [key]: true },
      environments: {
        development: { status: 'inactive' },
        staging: { status: 'inactive' },
        production: { status: 'active' }
      },
      readonly: false
    })
  })

  it('can change the values of its variation, environments, and other members', async () => {
    await web.setStatus(key, 'complete', 'variation-on')
    const { status, body } = await update({
      name: 'New',
      variables: { [key]: false },
      environments: { staging: 'active', [web.environments.production ?? '']: { status: 'inactive' } }
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'New',
      variables: { [key]: false },
      environments: { staging: { status: 'active' }, production: { status: 'inactive' } }
    })
    expect((await get()).body).toEqual(body)
    expect(await web.evaluate(key, 'staging')).toBe(false)
    const back = await web.setStatus(key, 'active')
    expect(back.body.variations.map(({ variables }: ApiResponse['body']) => variables[key])).toEqual([false, false])
  })

  test.each<[(key: string) => object, number, string]>([
    [(name) => ({ variables: { [name]: 'yes' } }), 400, 'should be a boolean, got "yes"'],
    [() => ({ variables: { gone: true } }), 412, 'Variable does not belong to Feature: feature'],
    [() => ({ environments: { moon: 'active' } }), 400, 'got "moon"'],
    [() => ({ environments: { staging: 'on' } }), 400, 'environments.staging should be one of active, inactive'],
    [() => ({ variations: [] }), 400, 'property variations should not exist'],
    [() => ({ configurations: {} }), 400, 'property configurations should not exist'],
    [() => ({ readonly: true }), 400, 'property readonly should not exist']
  ])('is unchanged after an invalid request: %#', async (bodyOf, status, message) => {
    await web.setStatus(key, 'complete', 'variation-on')
    const before = (await web.get(key)).body
    expectRefusal(await update({ name: 'Half-written', ...bodyOf(key) }), status, message)
    expect((await web.get(key)).body).toEqual(before)
  })

  it.each(['active', 'archived'])('returns an error while the feature is %s', async (status) => {
    await web.setStatus(key, status)
    const message = `feature "${key}" is ${status}; only a complete feature has a static configuration`
    expectRefusal(await get(), 412, message)
    expectRefusal(await update({ name: 'New' }), 412, message)
  })

  it('of an unknown feature returns 404', async () => {
    const answer = await web.call('getStaticConfiguration', { feature: 'nothing' })
    expectRefusal(answer, 404, "Item with key 'nothing' not found")
    const refused = await web.call('updateStaticConfiguration', { feature: 'nothing' }, { body: {} })
    expectRefusal(refused, 404, "Item with key 'nothing' not found")
  })
})

describe('turning a feature off everywhere', () => {
  const kill = (feature: string) => web.call('killFeature', { feature })

  it('takes effect in every environment at once, and keeps the targets', async () => {
    await web.configure(key, 'staging', { status: 'active' })
    web.server.clock.now = () => NOW + 1000
    const answer = await kill(key)
    web.server.clock.now = () => NOW
    expect(answer.status).toBe(200)
    const before = byEnvironment(made)
    const after = byEnvironment(answer)
    for (const environment of ['development', 'staging', 'production']) {
      expect(after[environment]).toMatchObject({ status: 'inactive', targets: before[environment].targets })
      expect(await web.evaluate(key, environment)).toMatch(key)
    }
    const changes = await web.lastChanges(key)
    expect(changes).toHaveLength(3)
    for (const environment of ['staging', 'production']) {
      expect(changes).toContainEqual({
        type: 'disabledEnvironment',
        newContents: { status: 'inactive' },
        previousContents: { status: 'active' },
        _environments: [web.environments[environment]]
      })
    }
    expect(answer.body.prodTargetingUpdatedAt).toBe(new Date(NOW + 1000).toISOString())
  })

  it('is recorded as a kill, with its reason if there is one', async () => {
    await web.configure(key, 'staging', { status: 'active' })
    const killed = { type: 'killedFeature', newContents: {}, previousContents: null }
    await kill(key)
    const changes = await web.lastChanges(key)
    expect(changes[0]).toEqual({ ...killed, _environments: expect.any(Array) })
    expect(new Set(changes[0]._environments)).toEqual(new Set([web.environments.staging, web.environments.production]))
    await web.configure(key, 'staging', { status: 'active' })
    await web.call('killFeature', { feature: key }, { body: { reason: ' Payments fail. ' } })
    expect((await web.lastChanges(key))[0]).toEqual({
      ...killed,
      newContents: { reason: 'Payments fail.' },
      _environments: [web.environments.staging]
    })
  })

  it('needs no body, and refuses an empty reason', async () => {
    const path = `/v1/projects/web/features/${key}/kill`
    const headers = { authorization: await tokenOf(web.server) }
    expect((await send(web.server, { method: 'POST', path, headers })).status).toBe(200)
    const answer = await web.call('killFeature', { feature: key }, { body: { reason: ' ' } })
    expectRefusal(answer, 400, 'reason')
  })

  it('changes nothing if it is off already', async () => {
    await kill(key)
    const entries = await web.entries(key)
    expect((await kill(key)).status).toBe(200)
    expect(await web.entries(key)).toBe(entries)
  })

  it('works in any status, and where changes require approval', async () => {
    await web.setStatus(key, 'complete', 'variation-on')
    expect((await kill(key)).status).toBe(200)
    await web.setStatus(key, 'archived')
    expect((await kill(key)).status).toBe(200)
    const guarded = await serveFeatures()
    const configurations = { production: { status: 'active', targets: [serving('variation-on')] } }
    await guarded.create({ key: 'a', name: 'A', configurations })
    const settings = { featureApprovalWorkflow: { enabled: true }, staleness: {} }
    await call(guarded.server, 'updateProtectedSettings', { params: { key: 'web' }, body: { settings } })
    expect((await guarded.update('a', { name: 'B' })).status).toBe(403)
    expect((await guarded.call('killFeature', { feature: 'a' })).status).toBe(200)
    expect(await guarded.evaluate('a')).toMatch('a')
  })

  it('accepts the id of the feature, and returns 404 for an unknown one', async () => {
    expect((await kill(made.body._id)).status).toBe(200)
    expectRefusal(await kill('nothing'), 404, "Item with key 'nothing' not found")
  })
})

describe('a killed feature', () => {
  const at = new Date(NOW).toISOString()
  const statuses = async () => {
    const { body } = await web.call('listFeatureSummaries', {}, { query: { perPage: '1000' } })
    return (body as { key: string; environments: object }[]).find((row) => row.key === key)?.environments
  }

  it('is killed where it was on, and off elsewhere, in lists', async () => {
    expect((await web.call('killFeature', { feature: key })).status).toBe(200)
    expect(await statuses()).toMatchObject({
      production: { status: 'killed', since: at },
      staging: { status: 'off' },
      development: { status: 'off' }
    })
  })

  it('is no longer killed once it is on again', async () => {
    await web.call('killFeature', { feature: key })
    const production = { status: 'active' }
    const { body } = await web.update(key, { configurations: { production } })
    expect(body.configurations).not.toContainEqual(expect.objectContaining({ killedAt: expect.anything() }))
    await web.update(key, { configurations: { production: { status: 'inactive' } } })
    expect(await statuses()).toMatchObject({ production: { status: 'off' } })
  })

  it('is no longer killed after a revert', async () => {
    const { body } = await web.call('killFeature', { feature: key })
    expect(body.configurations).toContainEqual(expect.objectContaining({ status: 'inactive', killedAt: at }))
    const [{ _id }] = (await web.call('getFeatureAudit', { feature: key })).body as [{ _id: string }]
    expect((await web.call('revertFeature', { feature: key, entry: _id })).status).toBe(200)
    expect(await statuses()).toMatchObject({ production: { status: 'split' } })
  })
})
