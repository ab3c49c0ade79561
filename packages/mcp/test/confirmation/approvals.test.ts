import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it } from 'vitest'
import { adminTokens, createContext } from '../support/context.ts'
import { everybody, stateOf } from '../support/shop.ts'
import { connect, type Form } from './person.ts'

const ofShop = { project: 'shop' }
const ofCheckout = { project: 'shop', feature: 'checkout' }

async function openWithApprovals(allowPublisherBypass = false, more: object = {}): Promise<TestServer> {
  const defaults = { enabled: true, allowPublisherBypass, defaultReviewers: ['grace', 'linus'] }
  const featureApprovalWorkflow = { ...defaults, ...more }
  const features = [{ key: 'checkout', targets: [{ name: 'All Users', serves: { 'variation-off': 1 } }] }]
  const directory = await storeWith({ settings: { featureApprovalWorkflow }, features })
  await addClients(directory, {
    reviewer: ['project:read', 'feature:read', 'feature:write', 'feature:publish', 'variation:write', 'variable:write']
  })
  return serve(directory)
}

/** Connects an assistant whose person accepts everything. */
function connectAccepting(server: TestServer, settings = {}) {
  const yes = ({ requestedSchema }: Form) => {
    const typed = requestedSchema.properties.key ? { key: 'checkout' } : {}
    return { action: 'accept', content: { confirm: true, ...typed } } as const
  }
  return connect(createContext(server, settings), { id: 'local', tokens: adminTokens(server) }, '2026-07-28', yes)
}

async function read(server: TestServer, id: 'getFeature' | 'listVariables', params: object) {
  return (await call(server, id, { params: { ...params } })).body
}

/** Approves a change request as another user, and applies it. */
async function approve(
  server: TestServer,
  { _id: id, contentHash }: { _id: string; contentHash: string },
  feature: string,
  { apply = true } = {}
) {
  const params = { project: 'shop', feature, id }
  const body = { action: 'approved', comment: 'Fine.', contentHash }
  const key = await tokenFor(server, 'reviewer')
  return call(server, 'reviewChangeRequest', { params, query: { apply }, body, key })
}

describe('if changes of features need approval', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await openWithApprovals()
  })

  it.each([
    ['update_feature', { key: 'checkout', name: 'New name' }, 'featureUpdate', { name: 'New name' }],
    [
      'update_feature_status',
      { key: 'checkout', status: 'complete', staticVariation: 'variation-on' },
      'featureStatusUpdate',
      { status: 'complete' }
    ]
  ])('%s becomes a change request', async (tool, args, operation, outcome) => {
    const before = await read(server, 'getFeature', ofCheckout)
    const assistant = await connectAccepting(server)
    const { isError, data } = await assistant.call(tool, args)
    expect(assistant.asked[0]?.message).toMatch(/It becomes a change request/)
    expect([isError, data.result]).toMatchObject([
      false,
      {
        message: expect.stringMatching(/^Nothing is changed yet: .* needs a review by another person/),
        changeRequest: {
          status: 'pending',
          operation,
          description: `Requested by an assistant with ${tool}.`,
          reviewers: { users: ['grace', 'linus'] }
        }
      }
    ])
    const { changeRequests, ...after } = await read(server, 'getFeature', ofCheckout)
    expect([after, changeRequests]).toMatchObject([
      { name: before.name, status: before.status, updatedAt: before.updatedAt },
      [{ status: 'pending' }]
    ])

    // A second change request has to wait.
    const second = await assistant.call(tool, { ...args, key: 'checkout' })
    expect([second.data.errorType, second.data.errorMessage]).toEqual([
      'VALIDATION_ERROR',
      expect.stringMatching(/is locked by change request/)
    ])

    expect((await approve(server, data.result.changeRequest, 'checkout')).status).toBe(200)
    expect(await read(server, 'getFeature', ofCheckout)).toMatchObject(outcome)
  })

  it('create_feature creates the feature turned off, and requests its activation', async () => {
    const configurations = { production: { status: 'active', targets: [everybody] } }
    const assistant = await connectAccepting(server)
    const { data } = await assistant.call('create_feature', { key: 'banner', name: 'Banner', configurations })
    expect(assistant.asked[0]?.message).toMatch(/Turning it on in "production" becomes a change request/)
    expect(data.result).toMatchObject({
      feature: { key: 'banner', configurations: [{ status: 'inactive', targets: [{ name: 'All Users' }] }] },
      changeRequest: { status: 'pending', description: 'Requested by an assistant with create_feature.' },
      message: expect.stringMatching(
        /^Feature "banner" is created, and off in every environment\. .* in "production", needs a review/
      )
    })
    const params = { project: 'shop', feature: 'banner' }
    expect((await read(server, 'getFeature', params)).configurations[0].status).toBe('inactive')
    await approve(server, data.result.changeRequest, 'banner')
    expect((await read(server, 'getFeature', params)).configurations[0].status).toBe('active')
  })

  it('create_feature turns a feature on at once where that needs no approval', async () => {
    const own = await openWithApprovals()
    const environment = { key: 'development', name: 'Development', type: 'development' }
    await call(own, 'createEnvironment', { params: ofShop, body: environment })
    const on = { status: 'active', targets: [everybody] }
    const assistant = await connectAccepting(own)
    const configurations = { development: on, production: on }
    const { data } = await assistant.call('create_feature', { key: 'banner', name: 'Banner', configurations })
    expect(assistant.asked[0]?.message).toMatch(/Turning it on in "production" becomes a change request/)
    expect(data.result).toMatchObject({
      changeRequest: { status: 'pending' },
      message: expect.stringMatching(
        /^Feature "banner" is created, and on in "development"\. Change request .*, which turns it on in "production",/
      )
    })
    const { result } = (await assistant.call('get_feature', { key: 'banner' })).data
    const statuses = result.configurations.map(
      ({ environment, status }: { readonly environment: string; readonly status: string }) => [environment, status]
    )
    expect(Object.fromEntries(statuses)).toEqual({ development: 'active', production: 'inactive' })
  })

  it('create_feature creates a feature without change request if it is off everywhere', async () => {
    const { data } = await (await connectAccepting(server)).call('create_feature', { key: 'dark', name: 'Dark' })
    expect(data.result).toMatchObject({ key: 'dark', name: 'Dark' })
  })
})

describe('changes that change requests do not support', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await openWithApprovals()
  })

  it.each(['always', 'never'] as const)('is refused, and says how to go on (confirm: %s)', async (confirm) => {
    const before = await stateOf(server)
    const assistant = await connectAccepting(server, { confirm })
    const byFeature = /^changes of feature "checkout" require approval: call update_feature with all of its variables/
    for (const [tool, args, message] of [
      ['create_variable', { key: 'colour', type: 'String', _feature: 'checkout' }, byFeature],
      ['update_variable', { key: 'checkout', description: 'New' }, byFeature],
      [
        'delete_feature',
        { key: 'checkout' },
        /^feature "checkout" is turned on in .*, where changes need approval: turn it off/
      ]
    ] as const) {
      const { isError, data } = await assistant.call(tool, args)
      expect([tool, isError, data.errorType, data.errorMessage]).toEqual([
        tool,
        true,
        'PERMISSION_ERROR',
        expect.stringMatching(message)
      ])
    }
    expect(await stateOf(server)).toEqual(before)
  })

  it('are allowed for variables without a feature', async () => {
    const assistant = await connectAccepting(server)
    expect((await assistant.call('create_variable', { key: 'free', type: 'String' })).data.result.key).toBe('free')
    const { data } = await assistant.call('update_variable', { key: 'free', description: 'New' })
    expect(data.result.description).toBe('New')
  })
})

it('applies changes of users who need no approval at once', async () => {
  const server = await openWithApprovals(true)
  const assistant = await connectAccepting(server)
  const { data } = await assistant.call('update_feature', { key: 'checkout', name: 'New name' })
  expect(assistant.asked[0]?.message).toMatch(/Unless the person can publish without approval, it becomes/)
  expect(data.result).toMatchObject({ key: 'checkout', name: 'New name' })
  expect((await read(server, 'listVariables', ofShop)).length).toBe(1)
})

describe('a feature that no protected environment serves', () => {
  it('changes at once despite approvals', async () => {
    const server = await openWithApprovals()
    const environment = { key: 'development', name: 'Development', type: 'development' }
    await call(server, 'createEnvironment', { params: ofShop, body: environment })
    await call(server, 'killFeature', { params: ofCheckout })
    const assistant = await connectAccepting(server)
    const configurations = { development: { status: 'active', targets: [everybody] } }
    const updated = await assistant.call('update_feature', { key: 'checkout', name: 'New name', configurations })
    expect(assistant.asked[0]?.message).not.toMatch(/change request/)
    expect(updated.data.result).toMatchObject({ key: 'checkout', name: 'New name' })
    const described = await assistant.call('update_variable', { key: 'checkout', description: 'New' })
    expect(described.data.result).toMatchObject({ key: 'checkout', description: 'New' })
  })
})

it('updates an unprotected environment while a change request for production is open', async () => {
  const server = await openWithApprovals()
  const environment = { key: 'development', name: 'Development', type: 'development' }
  await call(server, 'createEnvironment', { params: ofShop, body: environment })
  const assistant = await connectAccepting(server)
  await assistant.call('update_feature', { key: 'checkout', configurations: { production: { status: 'inactive' } } })
  const configurations = { development: { status: 'active', targets: [everybody] } }
  const { data } = await assistant.call('update_feature', { key: 'checkout', configurations })
  expect(data.result).toMatchObject({ key: 'checkout', changeRequests: [{ status: 'pending' }] })
})

it('is refused without a confirmation while an approved change request waits to be applied', async () => {
  const server = await openWithApprovals()
  const assistant = await connectAccepting(server)
  const { data } = await assistant.call('update_feature', { key: 'checkout', name: 'New name' })
  await approve(server, data.result.changeRequest, 'checkout', { apply: false })
  for (const [tool, args] of [
    ['update_feature', { key: 'checkout', name: 'Newer name' }],
    ['update_feature_status', { key: 'checkout', status: 'archived' }],
    ['update_variable', { key: 'checkout', description: 'New' }]
  ] as const) {
    const asking = await connectAccepting(server)
    const refused = await asking.call(tool, args)
    expect([tool, asking.asked, refused.data.errorType, refused.data.errorMessage]).toEqual([
      tool,
      [],
      'VALIDATION_ERROR',
      expect.stringMatching(/^feature "checkout" is locked by change request .*, which is approved: apply, reject or/)
    ])
  }
})

describe('if several people must approve', () => {
  it('results and confirmations contain the number', async () => {
    const assistant = await connectAccepting(await openWithApprovals(false, { requiredApprovals: 2 }))
    const { data } = await assistant.call('update_feature', { key: 'checkout', name: 'New name' })
    expect(assistant.asked[0]?.message).toMatch(/takes effect only after 2 other people approve it/)
    expect(data.result.message).toMatch(/needs reviews by 2 other people/)
  })
})

describe('a change for which no tool creates a change request', () => {
  it('is refused with what to do instead, and with no advice on permissions', async () => {
    const assistant = await connectAccepting(await openWithApprovals())
    const { isError, data } = await assistant.call('delete_feature', { key: 'checkout' })
    expect(isError).toBe(true)
    expect(data.errorMessage).toMatch(/change request/)
    expect(data.suggestions.join(' ')).not.toMatch(/missing permission/)
    expect(data.suggestions.join(' ')).toMatch(/Only the person can decide/)
  })
})
