import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf, type Plan } from '@burgee/testing/plan'
import { describe, expect, it, test } from 'vitest'
import { serving } from '../support/features.ts'

const workflow = { enabled: true, allowPublisherBypass: false, defaultReviewers: [] }
const plan: Plan = {
  settings: { featureApprovalWorkflow: workflow },
  features: [{ key: 'checkout' }, { key: 'dark', offIn: ['production'] }, { key: 'old', status: 'archived' }]
}
const writing = ['project:read', 'feature:read', 'feature:write', 'variation:write', 'variable:write'] as const
const publishing = [...writing, 'feature:publish', 'environment:write', 'environment:read'] as const

interface Team {
  readonly server: TestServer
  /** Tokens of clients that cannot bypass approval. */
  readonly writer: string
  readonly publisher: string
}

/** A project with approvals, the protected environment `production` and the unprotected `development`. */
async function begin(more: Plan = {}): Promise<Team> {
  const directory = await storeWith({ ...plan, ...more })
  await addClients(directory, { writer: writing, publisher: publishing })
  const server = await serve(directory)
  const body = { key: 'development', name: 'Development', type: 'development' }
  expect((await call(server, 'createEnvironment', { params: { project: 'shop' }, body })).status).toBe(201)
  return { server, writer: await tokenFor(server, 'writer'), publisher: await tokenFor(server, 'publisher') }
}

const targets = [serving('variation-on')]

function update({ server, writer }: Team, feature: string, body: object): Promise<ApiResponse> {
  return call(server, 'updateFeature', { params: { project: 'shop', feature }, body, key: writer })
}

function configure({ server, writer }: Team, feature: string, environment: string, body: object): Promise<ApiResponse> {
  const params = { project: 'shop', feature }
  return call(server, 'updateFeatureConfiguration', { params, query: { environment }, body, key: writer })
}

function outcome({ status, body }: ApiResponse): unknown[] {
  return [status, body?.errorType]
}

const required = [403, 'ERR_APPROVAL_REQUIRED']
const done = [200, undefined]

describe('approvals', () => {
  it('are not required for the targeting of an unprotected environment', async () => {
    const team = await begin()
    expect(outcome(await configure(team, 'checkout', 'development', { status: 'active', targets }))).toEqual(done)
    const body = { configurations: { development: { status: 'inactive' } } }
    expect(outcome(await update(team, 'checkout', body))).toEqual(done)
  })

  it('are required for the targeting of a protected environment, on or off', async () => {
    const team = await begin()
    expect(outcome(await configure(team, 'checkout', 'production', { status: 'inactive' }))).toEqual(required)
    expect(outcome(await configure(team, 'dark', 'production', { status: 'active' }))).toEqual(required)
    expect(outcome(await configure(team, 'dark', 'production', { targets: [] }))).toEqual(required)
    const both = { development: { status: 'active', targets }, production: { targets } }
    expect(outcome(await update(team, 'dark', { configurations: both }))).toEqual(required)
  })

  const shared: readonly [string, object][] = [
    ['the key', { key: 'renamed' }],
    ['the name', { name: 'Renamed' }],
    ['the visibility', { sdkVisibility: { client: false } }],
    ['the variables', { variables: [] }],
    [
      'the variations',
      {
        variations: [
          { key: 'variation-on', name: 'New' },
          { key: 'variation-off', name: 'Off' }
        ]
      }
    ]
  ]

  test.each(shared)(
    'are required for %s of a feature only where a protected environment serves it',
    async (_, body) => {
      const team = await begin()
      expect(outcome(await update(team, 'checkout', body))).toEqual(required)
      expect(outcome(await update(team, 'dark', body))).toEqual(done)
    }
  )

  it('are required for the status of a feature only where a protected environment is affected', async () => {
    const team = await begin()
    const setStatus = async (feature: string, body: object) => {
      const given = { params: { project: 'shop', feature }, body, key: team.publisher }
      return outcome(await call(team.server, 'updateFeatureStatus', given))
    }
    expect(await setStatus('checkout', { status: 'archived' })).toEqual(required)
    expect(await setStatus('old', { status: 'active' })).toEqual(required)
    expect(await setStatus('dark', { status: 'complete', staticVariation: 'variation-on' })).toEqual(required)
    expect(await setStatus('dark', { status: 'archived' })).toEqual(done)
  })

  it('are required for variables of a feature that a protected environment serves', async () => {
    const { server, writer } = await begin()
    const describeVariable = (key: string) => {
      return call(server, 'updateVariable', { params: { project: 'shop', key }, body: { name: 'New' }, key: writer })
    }
    expect(outcome(await describeVariable('checkout'))).toEqual(required)
    expect(outcome(await describeVariable('dark'))).toEqual(done)
  })

  it('are required for a new feature only where it is on in a protected environment', async () => {
    const { server, publisher } = await begin()
    const create = (key: string, configurations: object) => {
      const given = { params: { project: 'shop' }, body: { key, name: 'New', configurations }, key: publisher }
      return call(server, 'createFeature', given)
    }
    const on = { status: 'active', targets }
    const refused = await create('new', { development: on, production: on })
    expect(outcome(refused)).toEqual(required)
    expect(refused.body.message).toBe(
      'features in project "shop" need approval to be turned on in environment "production": create feature "new" inactive there, then create a change request with POST /v2/projects/shop/features/new/change-requests'
    )
    expect((await create('new', { development: on, production: { targets } })).status).toBe(201)
  })

  it('are required to revert a change of a protected environment only', async () => {
    const team = await begin()
    const { server, writer } = team
    await configure(team, 'checkout', 'development', { status: 'active', targets })
    const params = { project: 'shop', feature: 'checkout' }
    const revert = async () => {
      const [{ _id: entry }] = (await call(server, 'getFeatureAudit', { params })).body
      return outcome(await call(server, 'revertFeature', { params: { ...params, entry }, key: writer }))
    }
    expect(await revert()).toEqual(done)
    await call(server, 'killFeature', { params })
    expect(await revert()).toEqual(required)
  })

  it('are not required to delete a feature that only unprotected environments serve', async () => {
    const team = await begin()
    const remove = async (feature: string) => {
      return outcome(await call(team.server, 'deleteFeature', { params: { project: 'shop', feature } }))
    }
    await configure(team, 'dark', 'development', { status: 'active', targets })
    expect(await remove('dark')).toEqual(done)
    expect(await remove('checkout')).toEqual(required)
  })

  it('cannot be bypassed by changing the type of a protected environment', async () => {
    const { server, publisher } = await begin()
    const unprotect = (key?: string) => {
      const given = { params: { project: 'shop', key: 'production' }, body: { type: 'staging' } }
      return call(server, 'updateEnvironment', key === undefined ? given : { ...given, key })
    }
    const refused = await unprotect(publisher)
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('project:write:settings')])
    expect(outcome(await unprotect())).toEqual(required)
  })
})

describe('an open change request', () => {
  const params = { project: 'shop', feature: 'checkout' }

  /** A submitted request of the writer. */
  async function request({ server, writer }: Team, body: object): Promise<string> {
    const wanted = { path: '/v2/projects/shop/features/checkout', method: 'PATCH', body }
    const made = await call(server, 'createChangeRequest', { params, body: wanted, key: writer })
    const id = made.body._id
    const submission = { description: 'Because.', reviewers: [] }
    await call(server, 'submitChangeRequest', { params: { ...params, id }, body: submission, key: writer })
    return id
  }

  function approve({ server, publisher }: Team, id: string): Promise<ApiResponse> {
    const body = { action: 'approved', comment: '' }
    return call(server, 'reviewChangeRequest', {
      params: { ...params, id },
      query: { apply: true },
      body,
      key: publisher
    })
  }

  it('leaves other unprotected environments unlocked, and can be applied after they change', async () => {
    const team = await begin()
    const id = await request(team, { configurations: { production: { status: 'inactive' } } })
    expect(outcome(await configure(team, 'checkout', 'development', { status: 'active', targets }))).toEqual(done)
    expect((await configure(team, 'checkout', 'production', { targets })).status).toBe(409)
    expect((await update(team, 'checkout', { name: 'New' })).status).toBe(409)
    expect((await approve(team, id)).status).toBe(200)
    const { configurations } = (await call(team.server, 'getFeature', { params })).body
    expect(configurations.map(({ status }: { status: string }) => status).sort()).toEqual(['active', 'inactive'])
  })

  it('locks an unprotected environment that it changes', async () => {
    const team = await begin()
    await configure(team, 'checkout', 'development', { targets })
    await request(team, { configurations: { development: { status: 'active' } } })
    const refused = await configure(team, 'checkout', 'development', { targets: [] })
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringMatching(/^feature "checkout" is locked by change request/)
    ])
  })

  it('locks a feature that is off in protected environments as well', async () => {
    const team = await begin()
    await call(team.server, 'killFeature', { params })
    await request(team, { name: 'New' })
    expect((await update(team, 'checkout', { name: 'Newer' })).status).toBe(409)
    expect((await call(team.server, 'deleteFeature', { params })).status).toBe(409)
  })

  it('is not applied where an unprotected environment that it changes has changed since its draft', async () => {
    const team = await begin()
    const { server, writer } = team
    await configure(team, 'checkout', 'development', { targets })
    const body = { configurations: { development: { status: 'active' } } }
    const wanted = { path: '/v2/projects/shop/features/checkout', method: 'PATCH', body }
    const { _id: id } = (await call(server, 'createChangeRequest', { params, body: wanted, key: writer })).body
    await configure(team, 'checkout', 'development', { targets: [serving('variation-off')] })
    const submission = { description: 'Because.', reviewers: [] }
    await call(server, 'submitChangeRequest', { params: { ...params, id }, body: submission, key: writer })
    expect(outcome(await approve(team, id))).toEqual([409, 'ERR_FEATURE_CHANGED'])
  })
})

test.each([[{ featureApprovalWorkflow: { enabled: true } }], [{ staleness: { enabled: true } }], [{}]])(
  'the protected settings can be changed one at a time: %j',
  async (settings) => {
    const { server } = await begin()
    const { status } = await call(server, 'updateProtectedSettings', { params: { key: 'shop' }, body: { settings } })
    expect(status).toBe(200)
  }
)

test('a variable of an archived feature can join another that no protected environment serves', async () => {
  const team = await begin()
  const variables = [
    { key: 'dark', type: 'Boolean' },
    { key: 'old', type: 'Boolean' }
  ]
  expect(outcome(await update(team, 'dark', { variables }))).toEqual(done)
  const { body } = await call(team.server, 'getVariable', { params: { project: 'shop', key: 'old' } })
  expect(body._feature).toBe(idOf('dark'))
})
