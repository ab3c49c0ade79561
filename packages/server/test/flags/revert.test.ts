import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call } from '@burgee/testing/harness'
import { attributeFilter, idOf } from '@burgee/testing/plan'
import { runs } from '@burgee/testing/scale'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { expectRefusal, type Features, serveFeatures, serving } from '../support/features.ts'

let web: Features
let count = 0
let key: string
let made: ApiResponse

beforeAll(async () => {
  web = await serveFeatures()
})

beforeEach(async () => {
  key = `feature-${++count}`
  made = await createAt(key)
})

/** A feature with two variables and two variations, the first of which is served to all users in production. */
async function createAt(name: string): Promise<ApiResponse> {
  const answer = await web.create({
    key: name,
    name: 'Feature',
    variables: [
      { key: `${name}-one`, type: 'String' },
      { key: `${name}-two`, type: 'Number' }
    ],
    variations: [
      { key: 'a', name: 'A', variables: { [`${name}-one`]: 'x', [`${name}-two`]: 1 } },
      { key: 'b', name: 'B' }
    ],
    configurations: { production: { status: 'active', targets: [serving('a', { name: 'All' })] } }
  })
  expect(answer.status).toBe(201)
  return answer
}

/** The ids of the audit entries of a feature, newest first. */
async function entries(feature = key): Promise<string[]> {
  return (await web.call('getFeatureAudit', { feature })).body.map(({ _id }: ApiResponse['body']) => _id)
}

function revert(entry: string, feature = key): Promise<ApiResponse> {
  return web.call('revertFeature', { feature, entry })
}

/** Reverts the last change. */
async function revertLast(): Promise<ApiResponse> {
  return revert((await entries())[0] ?? '')
}

/** A feature without its dates, and with its variables in any order. */
function essence({ updatedAt, prodTargetingUpdatedAt, ...feature }: ApiResponse['body']): object {
  const untimed = (items: ApiResponse['body'][]) => items.map(({ updatedAt: _, ...item }) => item)
  const variables = untimed(feature.variables).sort((one, other) => (one.key < other.key ? -1 : 1))
  return { ...feature, variables, configurations: untimed(feature.configurations) }
}

type Step = (key: string) => Promise<ApiResponse>

const steps: Record<string, Step> = {
  'a new name': (name) => web.update(name, { name: 'New', description: 'More', tags: ['x'] }),
  'a new key': (name) => web.update(made.body._id, { key: `${name}-new` }),
  'another target': (name) => web.configure(name, 'production', { targets: [serving('b')] }),
  'a first target': (name) => web.configure(name, 'staging', { status: 'active', targets: [serving('b')] }),
  'turning off': (name) => web.configure(name, 'production', { status: 'inactive' }),
  'a new variation': (name) => {
    return web.call('createVariation', { feature: name }, { body: { key: 'c', name: 'C' } })
  },
  'a variation that went': (name) => web.update(name, { variations: [{ key: 'a', name: 'A' }] }),
  'a new value': (name) => {
    const body = { variables: { [`${name}-one`]: 'y' } }
    return web.call('updateVariation', { feature: name, key: 'a' }, { body })
  },
  'a freed variable': (name) => web.update(name, { variables: [{ key: `${name}-two`, type: 'Number' }] }),
  'no variables': (name) => web.update(name, { variables: [] }),
  'a new variable': (name) => {
    return web.call('createVariable', {}, { body: { key: `${name}-new`, type: 'Boolean', _feature: name } })
  },
  'a changed variable': (name) => {
    const body = { key: `${name}-renamed`, name: 'Renamed', tags: ['x'] }
    return web.call('updateVariable', { key: `${name}-one` }, { body })
  },
  completion: (name) => web.setStatus(name, 'complete', 'b'),
  archiving: (name) => web.setStatus(name, 'archived'),
  killing: (name) => web.call('killFeature', { feature: name }),
  snoozing: (name) => web.call('updateFeatureStaleness', { feature: name }, { body: { disabled: true } })
}

describe('a variable taken from an archived feature', () => {
  async function taken(): Promise<string> {
    const former = `${key}-former`
    await createAt(former)
    await web.setStatus(former, 'archived')
    await web.update(key, { variables: [{ key: `${former}-one`, type: 'String' }] })
    return former
  }

  async function owner(variable: string): Promise<unknown> {
    const { status, body } = await web.call('getVariable', { key: variable })
    expect(status).toBe(200)
    return [body._feature, body.status]
  }

  it('is recorded in the audit log of that feature', async () => {
    const former = await taken()
    expect(await web.lastChanges(former)).toMatchObject([
      { type: 'removedVariable', previousContents: { variables: [{ key: `${former}-one` }] } },
      { type: 'modifiedVariation' }
    ])
    expect(await web.entries(former)).toBe(3)
    expect(await web.lastChanges(key)).toMatchObject([{ type: 'addedVariable' }, {}, {}])
  })

  it('leaves no values behind, and has none when that feature takes it back', async () => {
    const former = await taken()
    await web.update(key, { variables: [] })
    await web.setStatus(former, 'active')
    const variables = ['one', 'two'].map((name, at) => ({ key: `${former}-${name}`, type: ['String', 'Number'][at] }))
    const { body } = await web.update(former, { variables })
    expect(body.variations[0].variables).toEqual({ [`${former}-one`]: '', [`${former}-two`]: 1 })
  })

  it.each(['archived', 'active', 'deleted'])('becomes free if that feature is %s by now', async (end) => {
    const former = await taken()
    if (end === 'active') await web.setStatus(former, 'active')
    if (end === 'deleted') await web.call('deleteFeature', { feature: former })
    expect((await revertLast()).status).toBe(200)
    expect(await owner(`${former}-one`)).toEqual([undefined, 'active'])
  })

  it('returns to that feature, with its values, when the entry of the taking is reverted', async () => {
    const former = await taken()
    const [entry = ''] = await entries(former)
    expectRefusal(await revert(entry, former), 412, `variable "${former}-one" belongs to feature "${key}"`)
    await revertLast()
    const { status, body } = await revert(entry, former)
    expect([status, body.variations[0].variables]).toEqual([200, { [`${former}-one`]: 'x', [`${former}-two`]: 1 }])
    expect(await owner(`${former}-one`)).toEqual([body._id, 'archived'])
  })

  it('returns to that feature when one request took several of its variables', async () => {
    const former = `${key}-former`
    await createAt(former)
    await web.setStatus(former, 'archived')
    const before = (await web.get(former)).body
    const heirs = ['one', 'two'].map((name, at) => {
      const variables = [{ key: `${former}-${name}`, type: ['String', 'Number'][at] }]
      return { key: `${key}-heir-${name}`, name, variables, variations: [] }
    })
    expect((await web.call('createFeatures', {}, { body: heirs })).status).toBe(201)
    expect((await web.get(former)).body.variables).toEqual([])
    for (const heir of heirs) await web.call('deleteFeature', { feature: heir.key })
    const { status, body } = await revert((await entries(former))[0] ?? '', former)
    expect([status, essence(body)]).toEqual([200, essence(before)])
  })
})

it('a revert restores keys that other variables of the feature use now', async () => {
  const rename = (from: string, to: string) =>
    web.call('updateVariable', { key: `${key}-${from}` }, { body: { key: `${key}-${to}` } })
  await rename('one', 'three')
  await rename('two', 'one')
  const [, first = ''] = await entries()
  expect((await revert(first)).status).toBe(200)
  expect(essence((await web.get(key)).body)).toEqual(essence(made.body))
})

describe('a revert', () => {
  it.each(Object.keys(steps))('of %s restores the former state, and its own revert the later one', async (step) => {
    const before = made.body
    const { status } = await (steps[step] as Step)(key)
    expect([200, 201]).toContain(status)
    const after = (await web.get(made.body._id)).body
    const { body: log } = await web.call('getFeatureAudit', { feature: made.body._id })
    const reverted = await revert(log[0]._id, made.body._id)
    expect(reverted.status).toBe(200)
    expect(essence(reverted.body)).toEqual(essence(before))
    expect((await web.get(key)).body).toEqual(reverted.body)
    expect(await entries()).toHaveLength(log.length + 1)
    const again = await revertLast()
    expect(essence(again.body)).toEqual(essence(after))
  })

  it('of an old entry reverts all later changes too', async () => {
    for (const step of ['a first target', 'a new variation', 'a freed variable', 'snoozing', 'killing']) {
      await (steps[step] as Step)(key)
    }
    const [, , , , oldest] = await entries()
    const { body } = await revert(oldest ?? '')
    expect(essence(body)).toEqual(essence(made.body))
    expect(await web.evaluate(`${key}-one`)).toBe('x')
    expect(await web.evaluate(`${key}-one`, 'staging')).toMatch(key)
  })

  it('of any entry restores the state before it, for random changes', async () => {
    const names = Object.keys(steps).filter((name) => name !== 'a new key')
    const plan = fc.record({ taken: fc.array(fc.constantFrom(...names), { maxLength: 8 }), back: fc.nat() })
    let run = 0
    const property = fc.asyncProperty(plan, async ({ taken, back }) => {
      const name = `${key}-${++run}`
      await createAt(name)
      const snapshots = new Map<string, object>()
      for (const step of taken) {
        const before = (await web.get(name)).body
        await (steps[step] as Step)(name)
        const [latest = ''] = await entries(name)
        if (snapshots.size + 1 < (await entries(name)).length) snapshots.set(latest, essence(before))
      }
      if (snapshots.size === 0) return
      const entry = [...snapshots.keys()][back % snapshots.size] ?? ''
      expect(essence((await revert(entry, name)).body)).toEqual(snapshots.get(entry))
    })
    await fc.assert(property, { numRuns: runs({ quick: 3, full: 25 }) })
  })

  it('takes effect on evaluations', async () => {
    await web.configure(key, 'production', { targets: [serving('b')] })
    expect(await web.evaluate(`${key}-one`)).toBe('')
    await revertLast()
    expect(await web.evaluate(`${key}-one`)).toBe('x')
  })

  it('does not change the variations of users', async () => {
    const users = Array.from({ length: 30 }, (_, index) => ({ user_id: `user-${index}` }))
    const values = () => Promise.all(users.map((user) => web.evaluate(`${key}-one`, 'production', user)))
    await web.configure(key, 'production', { targets: [serving({ a: 0.5, b: 0.5 })] })
    const before = await values()
    await web.configure(key, 'production', { targets: [] })
    await revertLast()
    expect(await values()).toEqual(before)
  })

  it('without an effect changes nothing', async () => {
    await web.configure(key, 'staging', { targets: [serving('a')] })
    await web.configure(key, 'staging', { status: 'active' })
    await web.configure(key, 'staging', { status: 'inactive' })
    const before = (await web.get(key)).body
    const log = await entries()
    expect((await revert(log[1] ?? '')).body).toEqual(before)
    expect(await entries()).toEqual(log)
  })

  it('is recorded in the audit log with its changes', async () => {
    await web.update(key, { name: 'New' })
    await revertLast()
    expect(await web.lastChanges(key)).toEqual([
      { type: 'modifiedFeature', newContents: { name: 'Feature' }, previousContents: { name: 'New' } }
    ])
  })

  it('removes a new variable, and frees one that was free', async () => {
    await web.call('createVariable', {}, { body: { key: `${key}-free`, type: 'String', name: 'Free' } })
    const variables = [
      { key: `${key}-one`, type: 'String' },
      { key: `${key}-two`, type: 'Number' },
      { key: `${key}-new`, type: 'Boolean' },
      { key: `${key}-free`, type: 'String', name: 'Taken' }
    ]
    await web.update(key, { variables })
    await revertLast()
    expect((await web.call('getVariable', { key: `${key}-new` })).status).toBe(404)
    const free = (await web.call('getVariable', { key: `${key}-free` })).body
    expect(free).toMatchObject({ name: 'Free', status: 'active' })
    expect(free).not.toHaveProperty('_feature')
  })

  it('restores a variable that was deleted meanwhile', async () => {
    await web.update(key, { variables: [{ key: `${key}-two`, type: 'Number' }] })
    await web.call('deleteVariable', { key: `${key}-one` })
    const { body } = await revertLast()
    expect(essence(body)).toEqual(essence(made.body))
  })

  it('does not change a variable that another feature uses meanwhile', async () => {
    await web.call('createVariable', {}, { body: { key: `${key}-new`, type: 'Boolean', _feature: key } })
    await web.update(key, {
      variables: [
        { key: `${key}-one`, type: 'String' },
        { key: `${key}-two`, type: 'Number' }
      ]
    })
    const heir = await web.create({
      key: `${key}-heir`,
      name: 'H',
      variables: [{ key: `${key}-new`, type: 'Boolean' }]
    })
    const { status, body } = await revert((await entries())[1] ?? '')
    expect(status).toBe(200)
    expect(essence(body)).toEqual(essence(made.body))
    expect((await web.call('getVariable', { key: `${key}-new` })).body._feature).toBe(heir.body._id)
  })

  it('omits a deleted environment', async () => {
    await web.call('createEnvironment', {}, { body: { key: `e-${count}`, name: 'E', type: 'staging' } })
    await web.configure(key, `e-${count}`, { targets: [serving('a')] })
    await web.configure(key, `e-${count}`, { targets: [] })
    await web.call('deleteEnvironment', { key: `e-${count}` })
    const { status, body } = await revertLast()
    expect([status, essence(body)]).toEqual([200, essence(made.body)])
  })
})

describe('a change that cannot be reverted', () => {
  it('has a key that is taken meanwhile', async () => {
    await web.update(key, { key: `${key}-new` })
    await web.create({ key, name: 'Other' })
    const [entry] = await entries(`${key}-new`)
    expectRefusal(await revert(entry ?? '', `${key}-new`), 412, `another feature has the key "${key}"`)
  })

  it('moved a variable that another feature uses now', async () => {
    await web.update(key, { variables: [] })
    await web.create({ key: `${key}-heir`, name: 'H', variables: [{ key: `${key}-one`, type: 'String' }] })
    const before = (await web.get(key)).body
    expectRefusal(await revertLast(), 412, `variable "${key}-one" belongs to feature "${key}-heir"`)
    expect((await web.get(key)).body).toEqual(before)
  })

  it('has a variable whose key is taken by another one', async () => {
    await web.update(key, { variables: [] })
    await web.call('deleteVariable', { key: `${key}-one` })
    await web.call('createVariable', {}, { body: { key: `${key}-one`, type: 'Boolean' } })
    expectRefusal(await revertLast(), 412, `another variable has the key "${key}-one"`)
  })

  it('refers to a deleted audience', async () => {
    const filters = { operator: 'and', filters: [attributeFilter('country', 'CA')] }
    const audience = await web.call('createAudience', {}, { body: { key: `a-${count}`, name: 'A', filters } })
    const match = { operator: 'and', filters: [{ type: 'audienceMatch', _audiences: [`a-${count}`] }] }
    await web.configure(key, 'production', { targets: [serving('a', { audience: { filters: match } })] })
    await web.configure(key, 'production', { targets: [] })
    expect((await web.call('deleteAudience', { key: `a-${count}` })).status).toBe(200)
    expectRefusal(await revertLast(), 412, `audience ${audience.body._id}, which a target references, no longer exists`)
  })

  it('is the creation', async () => {
    expectRefusal(await revertLast(), 412, `is the creation of feature "${key}"; delete it instead`)
  })

  it('is not of the feature itself', async () => {
    await web.call('linkIssue', { feature: key, issue_tracker: 'jira' }, { body: { issueId: 'A-1' } })
    expectRefusal(await revertLast(), 412, `did not change feature "${key}" itself`)
  })

  test.each([
    ['nothing', idOf('x'), 404, "Item with key 'nothing' not found"],
    ['', idOf('x'), 404, `Item with key '${idOf('x')}' not found`],
    ['', 'latest', 400, 'entry should be an id']
  ])('is of feature %j with id %s', async (feature, entry, status, message) => {
    expectRefusal(await revert(entry, feature || key), status, message)
  })

  it('is of another feature', async () => {
    await web.create({ key: `${key}-other`, name: 'O' })
    await web.update(`${key}-other`, { name: 'P' })
    const [entry] = await entries(`${key}-other`)
    expect((await revert(entry ?? '')).status).toBe(404)
  })

  it.each([
    ['complete', { staticVariation: 'variation-on' }],
    ['archived', {}]
  ])('is from %s to active, without the permission to publish', async (end, served) => {
    const permissions = ['feature:read', 'feature:write'] as const
    const { server, key: token } = await serveLimited({ features: [{ key: 'a', offIn: ['production'] }] }, permissions)
    const params = { project: 'shop', feature: 'a' }
    await call(server, 'updateFeatureStatus', { params, body: { status: end, ...served } })
    expect((await call(server, 'updateFeatureStatus', { params, body: { status: 'active' }, key: token })).status).toBe(
      200
    )
    const { body } = await call(server, 'getFeatureAudit', { params })
    const answer = await call(server, 'revertFeature', { params: { ...params, entry: body[0]._id }, key: token })
    expectRefusal(answer, 403, 'feature:publish')
    expect((await call(server, 'getFeature', { params })).body.status).toBe('active')
  })

  it('is in production, without the permission to publish', async () => {
    const permissions = ['feature:read', 'feature:write'] as const
    const { server, key: token } = await serveLimited({ features: [{ key: 'a' }] }, permissions)
    const params = { project: 'shop', feature: 'a' }
    await call(server, 'updateFeatureConfiguration', {
      params,
      query: { environment: 'production' },
      body: { targets: [] }
    })
    const { body } = await call(server, 'getFeatureAudit', { params })
    const answer = await call(server, 'revertFeature', { params: { ...params, entry: body[0]._id }, key: token })
    expectRefusal(answer, 403, 'feature:publish')
  })
})
