import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it } from 'vitest'
import { connect, type Era, eras, type Form, type Said } from '../confirmation/person.ts'
import { adminTokens, createContext } from '../support/context.ts'
import { everybody, openShop } from '../support/shop.ts'

const yes = (): Said => ({ action: 'accept', content: { confirm: true } })
const decline = (): Said => ({ action: 'decline' })
const params = { project: 'shop', feature: 'checkout' }

let server: TestServer

beforeAll(async () => {
  server = await openShop()
})

function assistantOf(says: ((form: Form) => Said | Promise<Said>) | undefined, era: Era = '2026-07-28', settings = {}) {
  return connect(createContext(server, settings), { id: 'local', tokens: adminTokens(server) }, era, says)
}

/** Builds a target that splits users between two variations. */
function shared(on: number, name = 'Some') {
  const distribution = [
    { _variation: 'variation-on', percentage: on },
    { _variation: 'variation-off', percentage: 1 - on }
  ]
  return { ...everybody, name, distribution }
}

/** Returns which of 200 users are served the variation. */
async function servedUsers(): Promise<string[]> {
  const users = Array.from({ length: 200 }, (_, index) => `user-${index}`)
  const answers = await Promise.all(
    users.map((user_id) => call(server, 'evaluateVariable', { params: { key: 'checkout' }, body: { user_id } }))
  )
  return users.filter((_, index) => answers[index]?.body.value === true)
}

describe('an update of a rollout', () => {
  it.each(['always', 'never'] as const)('takes the feature from nobody (confirm: %s)', async (confirm) => {
    const configurations = { production: { targets: [shared(0.2)] } }
    await call(server, 'updateFeature', { params, body: { configurations } })
    const before = await servedUsers()
    const assistant = await assistantOf(yes, '2026-07-28', { confirm })
    const next = { key: 'checkout', configurations: { production: { targets: [shared(0.4)] } } }
    expect((await assistant.call('update_feature', next)).isError).toBe(false)
    const after = await servedUsers()
    expect(before.length).toBeGreaterThan(10)
    expect(after.length).toBeGreaterThan(before.length)
    expect(before.filter((user) => !after.includes(user))).toEqual([])
    expect(assistant.asked.map(({ message }) => /reassigned|removed|loses/.test(message))).toEqual(
      confirm === 'always' ? [false] : []
    )
  })

  it('reports that users are reassigned', async () => {
    const assistant = await assistantOf(decline)
    await assistant.call('update_feature', {
      key: 'checkout',
      configurations: { production: { targets: [shared(0.4, 'Others')] } }
    })
    expect(assistant.asked[0]?.message).toMatch(/\("checkout"\)\. Users are reassigned in "production"/)
  })
})

describe('a change of identity', () => {
  it('needs confirmation only if it moves overrides', async () => {
    const assistant = await assistantOf(decline, '2026-07-28', { confirm: 'production' })
    for (const svc_user_id of ['somebody-else', '']) {
      await assistant.call('update_self_targeting_identity', { svc_user_id })
    }
    expect(assistant.asked.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^Moves the caller's overrides from user "ada" to user "somebody-else"[\s\S]*\nAffects users in production \(live\)/
      ),
      expect.stringMatching(
        /^Removes the caller's user_id, and ends their overrides[\s\S]*\nAffects users in production \(live\)/
      )
    ])
    expect((await call(server, 'getUserProfile', { params: { project: 'shop' } })).body.svcUserId).toBe('ada')
    await assistant.call('update_self_targeting_identity', { svc_user_id: 'ada' })
    expect(assistant.asked).toHaveLength(2)
  })
})

it('shows the targets that are served once a feature is turned on', async () => {
  const assistant = await assistantOf(decline)
  await assistant.call('update_feature', { key: 'quiet', configurations: { production: { status: 'active' } } })
  expect(assistant.asked[0]?.message).toMatch(/^Updates feature .* It is turned on in "production"\.\n/)
  expect(assistant.asked[0]?.message.split('\n').slice(1)).toEqual([
    'Affects users in production (live).',
    'In production:',
    '  + target 1 "All Users", served from now on: serves: 100% "variation-on"; audience: all users',
    '  ~ status: off → on'
  ])
})

it('refuses changes that do not fit into one confirmation', async () => {
  const many = Array.from({ length: 60 }, (_, index) => shared(0.5, `Target ${index}`))
  const assistant = await assistantOf(yes)
  const configurations = { production: { targets: many } }
  const { data } = await assistant.call('update_feature', { key: 'checkout', configurations })
  expect([data.errorType, data.errorMessage, assistant.asked]).toEqual([
    'VALIDATION_ERROR',
    expect.stringMatching(/more in production than one confirmation can show .* smaller steps/),
    []
  ])
})

it('accepts a token once, even after the change was reverted', async () => {
  const assistant = await assistantOf(undefined)
  const where = { feature_key: 'checkout', environment_key: 'lab' }
  const args = { ...where, variation_key: 'variation-on' }
  const { confirmationToken } = (await assistant.call('set_self_targeting_override', args)).data.result
  const again = { ...args, confirmationToken }
  const listed = { ...again, confirmationToken: [confirmationToken] }
  expect((await assistant.call('set_self_targeting_override', listed)).data.errorMessage).toMatch(/must be a string/)
  expect((await assistant.call('set_self_targeting_override', again)).isError).toBe(false)
  await call(server, 'deleteFeatureOverride', { params, query: { environment: 'lab' } })
  const { data } = await assistant.call('set_self_targeting_override', again)
  expect([data.errorType, data.errorMessage]).toEqual([
    'VALIDATION_ERROR',
    expect.stringMatching(/was used before, or/)
  ])
})

it.each(eras.filter((era) => era !== '2026-07-28'))(
  'falls back to a token when the elicitation fails (%s)',
  async (era) => {
    const assistant = await assistantOf(() => Promise.reject(new Error('no window')), era)
    const { isError, data } = await assistant.call('update_feature', { key: 'search', description: era })
    expect([isError, data.result.confirmationToken]).toEqual([false, expect.any(String)])
    const { confirmationToken } = data.result
    const done = await assistant.call('update_feature', { key: 'search', description: era, confirmationToken })
    expect(done.data.result.description).toBe(era)
  }
)

it.each([
  ['variation', { ...everybody, distribution: [{ _variation: 'absent', percentage: 1 }] }],
  [
    'audience',
    {
      ...everybody,
      audience: {
        filters: { operator: 'and', filters: [{ type: 'audienceMatch', comparator: '=', _audiences: ['absent'] }] }
      }
    }
  ]
])('asks about no %s that is not there', async (_, target) => {
  const assistant = await assistantOf(yes)
  for (const [tool, args] of [
    ['update_feature', { key: 'checkout' }],
    ['create_feature', { key: 'fresh', name: 'Fresh' }]
  ] as const) {
    const configurations = { production: { status: 'active', targets: [target] } }
    const { data } = await assistant.call(tool, { ...args, configurations })
    expect([tool, data.errorType, data.errorMessage]).toEqual([
      tool,
      'VALIDATION_ERROR',
      expect.stringMatching(/got "absent"$/)
    ])
  }
  expect(assistant.asked).toEqual([])
})

describe('calls that the API would reject', () => {
  let guarded: TestServer

  beforeAll(async () => {
    guarded = await restrictedShop()
    await call(server, 'createFeature', { params: { project: 'shop' }, body: { key: 'gone', name: 'Gone' } })
    const ofGone = { project: 'shop', feature: 'gone' }
    await call(server, 'updateFeatureStatus', { params: ofGone, body: { status: 'archived' } })
  })

  const onFor = (name: string) => ({ configurations: { production: { targets: [shared(0.5, name)] } } })

  it.each([
    [
      'update_feature',
      { key: 'gone', name: 'X' },
      /"gone" is archived: reactivate it with update_feature_status first/
    ],
    ['create_variable', { key: 'fresh', type: 'String', _feature: 'gone' }, /"gone" is archived/],
    ['update_variable', { key: 'gone', description: 'X' }, /"gone" is archived/],
    [
      'update_variable',
      { key: 'checkout', type: 'String' },
      /values do not fit the new type: variation "variation-on": variable "checkout" must be a String, got true; variation "variation-off"/
    ]
  ])('is refused without a confirmation: %s %j', async (tool, args, says) => {
    const assistant = await assistantOf(yes)
    const { data } = await assistant.call(tool, args)
    expect(data).toMatchObject({ errorType: 'VALIDATION_ERROR', errorMessage: expect.stringMatching(says) })
    expect(assistant.asked).toEqual([])
    const free = await (await assistantOf(yes, '2026-07-28', { confirm: 'never' })).call(tool, args)
    expect(free.data.errorType).toBe('VALIDATION_ERROR')
  })

  it.each([
    ['viewer', 'update_feature', { key: 'checkout', name: 'X' }, 'feature:write'],
    ['viewer', 'update_feature_status', { key: 'checkout', status: 'archived' }, 'feature:write'],
    ['editor', 'update_feature', { key: 'checkout', ...onFor('Editors') }, 'feature:publish'],
    ['editor', 'update_feature_status', { key: 'checkout', status: 'archived' }, 'feature:publish'],
    ['editor', 'create_variable', { key: 'fresh', type: 'String', _feature: 'checkout' }, 'feature:publish'],
    ['editor', 'update_variable', { key: 'checkout', description: 'X' }, 'feature:publish'],
    ['editor', 'delete_feature', { key: 'checkout' }, 'feature:publish'],
    ['editor', 'update_feature', { key: 'checkout', name: 'X' }, undefined],
    ['editor', 'update_feature', { key: 'checkout', settings: { publicName: 'X' } }, 'feature:publish'],
    ['editor', 'update_feature', { key: 'quiet', ...onFor('Editors') }, 'feature:publish']
  ] as const)('for want of a permission: %s, %s %j', async (client, tool, args, permission) => {
    const assistantIn = async (confirm: 'always' | 'never', says: () => Said) => {
      const caller = { id: client, tokens: { getToken: () => tokenFor(guarded, client), invalidate: () => false } }
      return connect(createContext(guarded, { confirm }), caller, '2026-07-28', says)
    }
    const asking = await assistantIn('always', decline)
    const asked = await asking.call(tool, args)
    const said = await (await assistantIn('never', decline)).call(tool, args)
    const ends = { errorType: 'PERMISSION_ERROR', errorMessage: expect.stringMatching(`the permission ${permission}$`) }
    expect([asking.asked.length, asked.isError, said.isError]).toEqual(permission ? [0, true, true] : [1, false, false])
    if (permission) expect([asked.data, said.data]).toMatchObject([ends, ends])
  })
})

/** Opens the shop with users who have fewer permissions than the administrator. */
async function restrictedShop(): Promise<TestServer> {
  const target = { name: 'All Users', serves: { 'variation-off': 1 } }
  const features = [
    { key: 'checkout', targets: [target] },
    { key: 'quiet', offIn: ['production'], targets: [target] }
  ]
  const directory = await storeWith({ features })
  const viewer = ['project:read', 'environment:read', 'feature:read', 'variable:read', 'audience:read'] as const
  const editor = [...viewer, 'feature:write', 'feature:delete', 'variable:write', 'variation:write'] as const
  await addClients(directory, { viewer, editor })
  return serve(directory)
}

it.each([
  [
    'feature_key',
    '"shop-of-nothing"',
    /^feature_key must be the key or id of a feature of the project \(.*"checkout".*\), got/
  ],
  [
    'environment_key',
    '"nope"',
    /^environment_key must be the key or id of an environment of the project \(.*"lab".*\), got/
  ],
  ['variation_key', '"nope"', /^variation_key must be .* \(variation-on, variation-off\), got/]
])('an override says that it is %s which names nothing', async (name, shown, says) => {
  const given = { feature_key: 'checkout', environment_key: 'lab', variation_key: 'variation-on' }
  const { variation_key, ...where } = { ...given, [name]: JSON.parse(shown) }
  const assistant = await assistantOf(decline)
  for (const [tool, args] of [
    ['set_self_targeting_override', { ...where, variation_key }],
    ['clear_feature_self_targeting_overrides', where]
  ] as const) {
    if (name === 'variation_key' && !('variation_key' in args)) continue
    const { data } = await assistant.call(tool, args)
    expect([tool, data.errorMessage]).toEqual([tool, expect.stringMatching(says)])
    expect(data.errorMessage).toMatch(new RegExp(`got ${shown}$`))
  }
  expect(assistant.asked).toEqual([])
})

it.each([
  [{}, true],
  [{ startDate: 0, endDate: 0 }, true],
  [{ startDate: 1 }, false],
  [{ endDate: -1 }, false],
  [{ endDate: 1 }, true]
] as const)('the audit log takes days: %j', async (days, isFound) => {
  const ofDated = { project: 'shop', feature: 'dated' }
  await call(server, 'createFeature', { params: { project: 'shop' }, body: { key: 'dated', name: 'Dated' } })
  const { updatedAt } = (await call(server, 'getFeature', { params: ofDated })).body
  const dayIn = (offset: number) => new Date(Date.parse(updatedAt) + offset * 86_400_000).toISOString().slice(0, 10)
  const dates = Object.fromEntries(Object.entries(days).map(([name, offset]) => [name, dayIn(offset)]))
  const assistant = await assistantOf(undefined)
  const { isError, data } = await assistant.call('get_feature_audit_log_history', { feature_key: 'dated', ...dates })
  expect([isError, data.result.length > 0]).toEqual([false, isFound])
})
