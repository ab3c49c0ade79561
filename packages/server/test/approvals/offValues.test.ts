import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { keyOf } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

const inShop = { project: 'shop' }
const writing = [
  'project:read',
  'feature:read',
  'feature:write',
  'variation:write',
  'variable:write',
  'feature:delete'
] as const
const empty = { variables: [], variations: [] }
const workflow = { enabled: true, allowPublisherBypass: false, defaultReviewers: [] }

let server: TestServer
let writer: string

/** A server whose environment `production` is protected and serves off values; the feature `dark` is off there. */
async function begin(settings: object): Promise<void> {
  const directory = await storeWith({
    settings,
    environments: { production: { ofrepOffValues: true } },
    features: [
      { key: 'dark', offIn: ['production'] },
      { key: 'kept', offIn: ['production'] },
      { key: 'old', status: 'archived' }
    ]
  })
  await addClients(directory, { writer: writing })
  server = await serve(directory)
  writer = await tokenFor(server, 'writer')
}

const setOffValue = (value: boolean, by: object = {}): Promise<ApiResponse> => {
  const params = { ...inShop, feature: 'dark', key: 'variation-off' }
  return call(server, 'updateVariation', { params, body: { variables: { dark: value } }, ...by })
}

const create = (body: object, by: object = {}): Promise<ApiResponse> => {
  return call(server, 'createFeature', { params: inShop, body: { name: 'New', ...body }, ...by })
}

const patch = (feature: string, body: object, by: object = {}): Promise<ApiResponse> => {
  return call(server, 'updateFeature', { params: { ...inShop, feature }, body, ...by })
}

const reversed = {
  variations: [
    { key: 'variation-off', name: 'Variation Off' },
    { key: 'variation-on', name: 'Variation On' }
  ]
}

/** Changes that affect the off values in production. */
const changes: readonly [string, (by: object) => Promise<ApiResponse>][] = [
  ['a value', (by) => setOffValue(true, by)],
  ['the order of variations', (by) => patch('dark', reversed, by)],
  ['the key of a variation', (by) => patch('dark', { variations: [{ key: 'other', name: 'Other' }] }, by)],
  ['the variables', (by) => patch('dark', { variables: [] }, by)],
  [
    'metadata of a variable',
    (by) => call(server, 'updateVariable', { params: { ...inShop, key: 'dark' }, body: { metadata: { a: 1 } }, ...by })
  ],
  ['the visibility', (by) => patch('dark', { sdkVisibility: { client: false } }, by)],
  ['a new feature', (by) => create({ key: 'fresh' }, by)]
]

async function served(key: string): Promise<unknown> {
  const body = { context: { targetingKey: 'eve' } }
  return (await call(server, 'ofrepEvaluateFlag', { params: { key }, body, key: keyOf('client') })).body.value
}

describe('while a protected environment serves off values', () => {
  beforeAll(() => begin({}))

  test.each(changes)('changing %s requires feature:publish', async (_, change) => {
    const { status, body } = await change({ key: writer })
    expect([status, body.message]).toEqual([403, expect.stringContaining('feature:publish')])
    expect([await served('dark'), await served('fresh')]).toEqual([false, undefined])
  })

  it('permits what serves no value there', async () => {
    const by = { key: writer }
    expect((await create({ key: 'bare', ...empty }, by)).status).toBe(201)
    expect((await patch('dark', { name: 'Renamed' }, by)).status).toBe(200)
    const added = await patch(
      'bare',
      { variables: [{ key: 'bare', type: 'Boolean' }], variations: [{ key: 'a', name: 'A' }] },
      by
    )
    expect([added.status, added.body.message]).toEqual([403, expect.stringContaining('feature:publish')])
  })

  it('requires feature:publish to delete a feature', async () => {
    const params = { ...inShop, feature: 'dark' }
    const { status, body } = await call(server, 'deleteFeature', { params, key: writer })
    expect([status, body.message]).toEqual([403, expect.stringContaining('feature:publish')])
  })

  it('permits all of it with feature:publish', async () => {
    expect((await setOffValue(true)).status).toBe(200)
    expect(await served('dark')).toBe(true)
    expect((await create({ key: 'fresh' })).status).toBe(201)
    expect(await served('fresh')).toBe(false)
  })
})

describe('in a project with approvals, while a protected environment serves off values', () => {
  beforeAll(() => begin({ featureApprovalWorkflow: workflow }))

  const required = [403, 'ERR_APPROVAL_REQUIRED']
  const outcome = ({ status, body }: ApiResponse) => [status, body?.errorType]

  test.each(changes)('changing %s needs approval', async (_, change) => {
    expect(outcome(await change({}))).toEqual(required)
    expect([await served('dark'), await served('fresh')]).toEqual([false, undefined])
  })

  it('deleting a feature needs approval', async () => {
    const params = { ...inShop, feature: 'kept' }
    const refused = await call(server, 'deleteFeature', { params })
    expect([...outcome(refused), refused.body.message]).toEqual([
      ...required,
      'feature "kept" has values in environment "production", where changes need approval and ofrepOffValues is on: archive it first, by a change request with POST /v2/projects/shop/features/kept/change-requests'
    ])
    expect(outcome(await call(server, 'updateFeatureStatus', { params, body: { status: 'archived' } }))).toEqual(
      required
    )
    const old = { ...inShop, feature: 'old' }
    expect(outcome(await call(server, 'updateFeatureStatus', { params: old, body: { status: 'active' } }))).toEqual(
      required
    )
    expect((await call(server, 'deleteFeature', { params: old })).status).toBe(200)
  })

  it('a new feature gets its values by a change request', async () => {
    const refused = await create({ key: 'fresh' })
    expect(refused.body.message).toBe(
      'features in project "shop" need approval to have values in environment "production", where ofrepOffValues is on: create feature "fresh" inactive there with empty lists of variables and variations, then create a change request with POST /v2/projects/shop/features/fresh/change-requests'
    )
    expect((await create({ key: 'fresh', ...empty })).status).toBe(201)
    const params = { ...inShop, feature: 'fresh' }
    const values = {
      variables: [{ key: 'fresh', type: 'Boolean' }],
      variations: [{ key: 'a', name: 'A', variables: { fresh: true } }]
    }
    expect(outcome(await patch('fresh', values))).toEqual(required)
    const path = '/v2/projects/shop/features/fresh'
    const request = await call(server, 'createChangeRequest', { params, body: { path, method: 'PATCH', body: values } })
    const id = request.body._id
    const submission = { description: 'Because.', reviewers: [] }
    await call(server, 'submitChangeRequest', { params: { ...params, id }, body: submission })
    const emergency = { action: 'applied', description: '', emergency: { reason: 'the shop is down' } }
    expect((await call(server, 'applyChangeRequest', { params: { ...params, id }, body: emergency })).status).toBe(200)
    expect(await served('fresh')).toBe(true)
  })
})
