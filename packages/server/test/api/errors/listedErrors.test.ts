import { type Operation, type Operations, operations } from '@burgee/contract'
import { type Call, call, serve, type TestServer } from '@burgee/testing/harness'
import { beforeAll, describe, expect, test } from 'vitest'

const inShop = { project: 'shop' }
const checkout = { project: 'shop', feature: 'checkout' }
const done = { project: 'shop', feature: 'done' }

let server: TestServer

beforeAll(async () => {
  server = await serve({
    settings: { featureApprovalWorkflow: { enabled: true, allowPublisherBypass: true, defaultReviewers: [] } },
    features: [
      { key: 'checkout' },
      { key: 'done', status: 'complete', staticVariation: 'variation-on' },
      { key: 'old', status: 'archived' }
    ]
  })
})

describe('with an open change request, 409 is the status with which', () => {
  beforeAll(async () => {
    for (const feature of ['checkout', 'done']) {
      const path = `/v2/projects/shop/features/${feature}`
      const params = { ...inShop, feature }
      const body = { path, method: 'PATCH', body: { name: 'Other' } }
      const { body: request } = await call(server, 'createChangeRequest', { params, body })
      const asked = { description: 'Because.', reviewers: [] }
      await call(server, 'submitChangeRequest', { params: { ...params, id: request._id }, body: asked })
    }
  })

  test.each<[keyof Operations, Call]>([
    ['updateFeature', { params: checkout, body: { name: 'New' } }],
    ['updateFeatureV1', { params: checkout, body: { name: 'New' } }],
    ['updateFeatureStatus', { params: checkout, body: { status: 'archived' } }],
    ['updateFeatureStatusV1', { params: checkout, body: { status: 'archived' } }],
    ['updateStaticConfiguration', { params: done, body: { name: 'New' } }],
    ['updateStaticConfigurationV1', { params: done, body: { name: 'New' } }],
    ['updateFeatureStaleness', { params: checkout, body: { disabled: true } }],
    ['updateFeatureSummary', { params: checkout, body: { markdown: 'New' } }],
    ['createVariation', { params: checkout, body: { key: 'new', name: 'New' } }],
    ['deleteFeature', { params: checkout }]
  ])('%s answers', async (id, given) => {
    const { status, body } = await call(server, id, given)
    expect([status, body.message]).toEqual([409, expect.stringMatching(/^feature ".+" is locked by change request/)])
  })
})

const nowhere = { project: 'shop', feature: 'checkout', id: 'f'.repeat(24) }
const feature = { key: 'new', name: 'New' }

test.each<[keyof Operations, Call, number]>([
  ['createAudience', { params: { project: 'nope' }, body: { key: 'a', name: 'A', filters: allUsers() } }, 404],
  ['createFeatureV1', { params: { project: 'nope' }, body: feature }, 404],
  ['submitChangeRequest', { params: nowhere, body: { description: 'x', reviewers: [] } }, 404],
  ['reviewChangeRequest', { params: nowhere, body: { action: 'approved', comment: 'x' } }, 404],
  ['applyChangeRequest', { params: nowhere, body: { action: 'applied', description: 'x' } }, 404],
  ['createFeatureV1', { params: inShop, body: { ...feature, ...withStranger() } }, 412],
  ['updateFeatureV1', { params: { ...inShop, feature: 'old' }, body: { name: 'New' } }, 412],
  ['updateStaticConfigurationV1', { params: { ...inShop, feature: 'old' }, body: { name: 'New' } }, 412]
])('%s answers %j with %i', async (id, given, expected) => {
  expect((await call(server, id, given)).status).toBe(expected)
})

// The manifest has errors in the form of OpenFeature's tools.
const reading = Object.values<Operation>(operations).filter(({ method, credential, params, tag }) => {
  return method === 'GET' && credential.type === 'token' && params !== undefined && tag !== 'OpenFeature manifest'
})

test.each(reading.map(({ id }) => id as keyof Operations))('%s returns 400 to names that cannot exist', async (id) => {
  const record: Operation = operations[id]
  const names = Object.keys(record.params?.shape ?? {})
  // Ids of users have any length.
  const params = Object.fromEntries(names.map((name) => [name, name === 'user_id' ? ' ' : 'x'.repeat(3000)]))
  const { status, body } = await call(server, id, { params })
  expect(status).toBe(400)
  for (const name of names) {
    expect(body.message).toContainEqual(expect.stringMatching(`^${name} should`))
  }
})

function allUsers(): object {
  return { operator: 'and', filters: [{ type: 'all' }] }
}

/** Variations with a value for a variable that the feature does not have. */
function withStranger(): object {
  return { variables: [], variations: [{ key: 'on', name: 'On', variables: { stranger: true } }] }
}
