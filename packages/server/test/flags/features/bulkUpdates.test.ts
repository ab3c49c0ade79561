import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { changeSettings } from '@burgee/testing/approvals'
import { type ApiResponse, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { keyOf } from '@burgee/testing/plan'
import { beforeEach, describe, expect, it } from 'vitest'
import { expectRefusal, serving } from '../../support/features.ts'

type Body = ApiResponse['body']

const reading = ['project:read', 'feature:read', 'environment:read'] as const
const writing = [...reading, 'feature:write'] as const
const params = { project: 'shop' }

let server: TestServer
let reader: string
let writer: string

beforeEach(async () => {
  const directory = await storeWith({
    features: [
      { key: 'one' },
      { key: 'two', offIn: ['production'] },
      { key: 'three' },
      { key: 'old', status: 'archived' }
    ]
  })
  await addClients(directory, { reader: reading, writer: writing })
  server = await serve(directory)
  const body = { key: 'development', name: 'Development', type: 'development' }
  await call(server, 'createEnvironment', { params, body })
  for (const feature of ['one', 'two']) {
    const given = { query: { environment: 'development' }, body: { targets: [serving('variation-on')] } }
    await call(server, 'updateFeatureConfiguration', { params: { ...params, feature }, ...given })
  }
  reader = await tokenFor(server, 'reader')
  writer = await tokenFor(server, 'writer')
})

function update(body: object, key?: string): Promise<ApiResponse> {
  const all = { features: ['one', 'two'], ...body }
  return call(server, 'updateFeatures', { params, body: all, ...(key === undefined ? {} : { key }) })
}

/** The outcome of each item, or the status of its error. */
async function outcomes(body: object, key?: string): Promise<unknown[]> {
  const answer = await update(body, key)
  expect(answer.status).toBe(200)
  return answer.body.items.map(({ outcome, error }: Body) => error?.statusCode ?? outcome)
}

async function read(feature: string): Promise<Body> {
  return (await call(server, 'getFeature', { params: { ...params, feature } })).body
}

async function statusIn(feature: string, environment: string): Promise<string> {
  const query = { environment }
  const { body } = await call(server, 'listFeatureConfigurations', { params: { ...params, feature }, query })
  return body[0].status
}

async function entries(feature: string): Promise<Body[]> {
  return (await call(server, 'getFeatureAudit', { params: { ...params, feature } })).body
}

async function etag(): Promise<unknown> {
  return (await call(server, 'getServerConfig', { params: { key: keyOf('server') }, key: null })).headers.etag
}

describe('changes of several features', () => {
  it('add and remove tags', async () => {
    expect(await outcomes({ action: 'addTags', tags: ['checkout', 'web', 'web'] })).toEqual(['applied', 'applied'])
    expect((await read('one')).tags).toEqual(['checkout', 'web'])
    expect(await outcomes({ action: 'removeTags', tags: ['web'] })).toEqual(['applied', 'applied'])
    expect((await read('two')).tags).toEqual(['checkout'])
  })

  it('turn on and off in one environment', async () => {
    expect(await outcomes({ action: 'enable', environment: 'production' })).toEqual(['unchanged', 'applied'])
    expect(await statusIn('two', 'production')).toBe('active')
    expect(await outcomes({ action: 'disable', environment: 'production' })).toEqual(['applied', 'applied'])
    expect(await statusIn('one', 'production')).toBe('inactive')
    expect(await statusIn('one', 'development')).toBe('inactive')
  })

  it('archive, and turn off everywhere', async () => {
    expect(await outcomes({ action: 'kill' })).toEqual(['applied', 'unchanged'])
    expect(await statusIn('one', 'production')).toBe('inactive')
    expect(await outcomes({ action: 'archive' })).toEqual(['applied', 'applied'])
    expect((await read('one')).status).toBe('archived')
    expect(await outcomes({ action: 'archive' })).toEqual(['unchanged', 'unchanged'])
  })

  it('are the same when repeated, without another entry or config', async () => {
    const body = { action: 'enable', environment: 'production' }
    await update(body)
    const before = [await etag(), (await entries('two')).length]
    expect(await outcomes(body)).toEqual(['unchanged', 'unchanged'])
    expect([await etag(), (await entries('two')).length]).toEqual(before)
  })

  it('change nothing in a dry run', async () => {
    const before = [await etag(), await entries('two')]
    const { body } = await update({ action: 'enable', environment: 'production', dryRun: true })
    expect(body.items.map(({ outcome }: Body) => outcome)).toEqual(['unchanged', 'wouldApply'])
    expect(body.items[1].changes.map(({ type }: Body) => type)).toEqual(['enabledEnvironment'])
    expect(await statusIn('two', 'production')).toBe('inactive')
    expect([await etag(), await entries('two')]).toEqual(before)
  })

  it('have one audit entry and one revision for each feature', async () => {
    const { body } = await update({ action: 'addTags', tags: ['web'] })
    for (const { feature, revision, changes } of body.items) {
      const log = await entries(feature)
      expect([log.length, log[0]._id]).toEqual([2, revision])
      expect(log[0].changes).toEqual(changes)
    }
  })

  it('make one version of the config for each feature that affects it', async () => {
    const versions: unknown[] = [await etag()]
    await update({ features: ['two'], action: 'enable', environment: 'development' })
    versions.push(await etag())
    await update({ features: ['two'], action: 'enable', environment: 'production' })
    versions.push(await etag())
    expect(versions[1]).toBe(versions[0])
    expect(versions[2]).not.toBe(versions[0])
  })

  it('are refused item by item', async () => {
    const { body } = await update({ features: ['moon', 'old', 'one', 'one'], action: 'addTags', tags: ['web'] })
    expect(body.items.map(({ feature, outcome }: Body) => [feature, outcome])).toEqual([
      ['moon', 'refused'],
      ['old', 'refused'],
      ['one', 'applied']
    ])
    expect(body.items[0].error).toMatchObject({ statusCode: 404, message: expect.stringContaining('moon') })
    expect(body.items[1].error).toMatchObject({ statusCode: 412, message: expect.stringContaining('archived') })
    const tags = Array.from({ length: 100 }, (_, index) => `tag-${index}`)
    expect(await outcomes({ features: ['two', 'one'], action: 'addTags', tags })).toEqual(['applied', 400])
  })

  it.each([
    [{ action: 'enable' }, 400, 'environment'],
    [{ action: 'disable', environment: 'moon' }, 404, 'moon'],
    [{ action: 'kill', environment: 'production' }, 400, 'environment'],
    [{ action: 'addTags' }, 400, 'tags'],
    [{ action: 'removeTags', tags: [] }, 400, 'tags'],
    [{ action: 'delete' }, 400, 'action'],
    [{ action: 'archive', features: [] }, 400, 'features'],
    [{ action: 'archive', features: Array.from({ length: 101 }, (_, index) => `f-${index}`) }, 400, 'features'],
    [{ action: 'archive', dryRun: 'no' }, 400, 'dryRun']
  ])('are refused as a whole: %j', async (body, status, message) => {
    expectRefusal(await update(body), status, message)
    expect((await read('one')).status).toBe('active')
  })

  it('need the permission to write, and each item the permissions of its change', async () => {
    expect((await update({ action: 'addTags', tags: ['web'] }, reader)).status).toBe(403)
    expect(await outcomes({ action: 'addTags', tags: ['web'] }, writer)).toEqual(['applied', 'applied'])
    expect(await outcomes({ action: 'disable', environment: 'production' }, writer)).toEqual([403, 'unchanged'])
    expect(await outcomes({ action: 'enable', environment: 'development' }, writer)).toEqual(['applied', 'applied'])
    expect(await outcomes({ action: 'archive' }, writer)).toEqual([403, 403])
    expect(await outcomes({ action: 'kill' }, writer)).toEqual([403, 'applied'])
    expect(await statusIn('one', 'production')).toBe('active')
  })

  it('become change requests where approval is on, except turning off everywhere', async () => {
    await changeSettings(server, { featureApprovalWorkflow: { enabled: true, allowPublisherBypass: false } })
    const body = { action: 'disable', environment: 'production' }
    expect(await outcomes({ ...body, dryRun: true })).toEqual(['wouldRequest', 'unchanged'])
    const [made] = (await update(body)).body.items
    expect(made).toMatchObject({
      outcome: 'changeRequest',
      changeRequest: { status: 'pending', description: 'Turns feature "one" off in environment "production".' }
    })
    expect(await statusIn('one', 'production')).toBe('active')
    expect(await outcomes(body)).toEqual([409, 'unchanged'])
    expect(await outcomes({ action: 'kill' })).toEqual(['applied', 'unchanged'])
    const archived = (await update({ features: ['three'], action: 'archive' })).body.items[0]
    expect(archived.outcome).toBe('changeRequest')
    const request = { feature: 'three', id: archived.changeRequest._id }
    const emergency = { description: '', action: 'applied', emergency: { reason: 'The reviewer is away.' } }
    const applied = await call(server, 'applyChangeRequest', { params: { ...params, ...request }, body: emergency })
    expect([applied.status, (await read('three')).status]).toEqual([200, 'archived'])
  })
})
