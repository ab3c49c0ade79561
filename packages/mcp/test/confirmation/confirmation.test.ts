import { call, type TestServer } from '@burgee/testing/harness'
import { sample } from '@burgee/testing/scale'
import { beforeAll, describe, expect, it, test } from 'vitest'
import type { Caller } from '../../src/connection/context.ts'
import { adminTokens, createContext } from '../support/context.ts'
import { cases, everybody, openShop, stateOf } from '../support/shop.ts'
import { connect, type Era, eras, type Form, type Said } from './person.ts'

/** Returns the administrator, whose token is fetched once per server. */
function administrator(server: TestServer): Pick<Caller, 'id' | 'tokens'> {
  const caller = known.get(server) ?? { id: 'local', tokens: adminTokens(server) }
  known.set(server, caller)
  return caller
}

const known = new WeakMap<TestServer, Pick<Caller, 'id' | 'tokens'>>()

/** The response that accepts. */
const yes = ({ requestedSchema }: Form): Said => {
  const typed = /"(.*)"$/.exec(String(Object(requestedSchema.properties.key).title))?.[1]
  return { action: 'accept', content: { confirm: true, ...(typed === undefined ? {} : { key: typed }) } }
}

describe.each(sample(eras, 1, 'confirmation'))('a client of the %s that can ask', (era: Era) => {
  let server: TestServer

  beforeAll(async () => {
    server = await openShop()
  })

  const refusals: [string, Said, boolean][] = [
    ['declines', { action: 'decline' }, false],
    ['cancels', { action: 'cancel' }, false],
    ['does not check it', { action: 'accept', content: { confirm: false, key: 'search' } }, false],
    ['types another key', { action: 'accept', content: { confirm: true, key: 'other' } }, true],
    ['types no key', { action: 'accept', content: { confirm: true } }, true]
  ]

  test.each(sample(cases, 4, 'changes nothing'))(
    '$tool changes nothing unless the person confirms',
    async ({ tool, args, deletes }) => {
      const before = await stateOf(server)
      const meant = refusals.filter(([, , isOfDeletions]) => !isOfDeletions || deletes !== undefined)
      const answers = meant.map(([, said]) => said)
      const { call, asked } = await connect(
        createContext(server),
        administrator(server),
        era,
        () => answers.shift() as Said
      )
      for (const [name] of meant) {
        const { isError, data } = await call(tool, args)
        expect([name, isError, data.result.message]).toEqual([
          name,
          false,
          expect.stringMatching(/^Nothing was changed/)
        ])
      }
      expect(asked).toHaveLength(meant.length)
      expect(await stateOf(server)).toEqual(before)
    }
  )

  test.each(sample(cases, 2, 'done after a yes'))('$tool is done after a yes', async ({ tool, args, deletes }) => {
    const before = await stateOf(server)
    const seen: unknown[] = []
    const { call, asked } = await connect(createContext(server), administrator(server), era, async (form) => {
      seen.push(await stateOf(server))
      return yes(form)
    })
    const { isError, text } = await call(tool, args)
    expect([isError, text]).toEqual([false, expect.not.stringMatching(/Nothing/)])
    expect(asked).toHaveLength(1)
    expect(asked[0]?.message).toMatch(/^(Affects users in .*|Affects no users)\.$/m)
    if (deletes) expect(asked[0]?.message).toMatch(/^THIS CANNOT BE UNDONE/)
    // Nothing was changed before the person accepted.
    expect(seen).toEqual([before])
    expect(await stateOf(server)).not.toEqual(before)
  })
})

describe('a client without elicitation', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await openShop()
  })

  test.each(cases)(
    '$tool returns its plan and a token, and proceeds with the token',
    async ({ tool, args, deletes }) => {
      const before = await stateOf(server)
      const { call } = await connect(createContext(server), administrator(server), '2026-07-28')
      const first = await call(tool, args)
      const { result } = first.data
      expect(first.isError).toBe(false)
      expect(result).toMatchObject({
        message: expect.stringMatching(deletes ? /^Nothing is deleted yet/ : /^Nothing is changed yet/),
        confirmationRequired: true,
        confirmationToken: expect.any(String),
        next: expect.stringContaining(`call ${tool} again`)
      })
      expect(Date.parse(result.expiresAt) - Date.now()).toBeGreaterThan(250_000)
      if (deletes) expect(result.next).toMatch(/CANNOT BE UNDONE/)
      expect(first.text).not.toMatch(/(server|client|mobile)-[\w-]{20}/)
      expect(await stateOf(server)).toEqual(before)

      const second = await call(tool, { ...args, confirmationToken: result.confirmationToken })
      expect([second.isError, second.text]).toEqual([false, expect.not.stringMatching(/Nothing/)])
      const after = await stateOf(server)
      expect(after).not.toEqual(before)

      // The token works once: a second call has no effect or is rejected.
      await call(tool, { ...args, confirmationToken: result.confirmationToken })
      expect(await stateOf(server)).toEqual(after)
    }
  )
})

describe('when a call is confirmed', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await openShop()
  })

  const rename = { tool: 'update_feature', args: { key: 'quiet', name: 'Quieter' } }
  const ofCheckout = (body: object) => ({ tool: 'update_feature', args: { key: 'checkout', ...body } })
  const inLab = { configurations: { lab: { targets: [everybody] } } }

  // Calls that proceed come last.
  test.each([
    ['always', rename, true],
    ['always', ofCheckout(inLab), true],
    ['production', ofCheckout({ settings: { publicName: 'New' } }), true],
    ['production', { tool: 'update_feature_status', args: { key: 'checkout', status: 'archived' } }, true],
    ['production', { tool: 'delete_feature', args: { key: 'quiet' } }, true],
    ['production', { tool: 'delete_variable', args: { key: 'free' } }, true],
    ['production', rename, false],
    ['production', ofCheckout(inLab), false],
    ['production', { tool: 'create_feature', args: { key: 'fresh', name: 'Fresh' } }, false],
    ['never', { tool: 'update_feature_status', args: { key: 'checkout', status: 'archived' } }, false],
    ['never', { tool: 'delete_feature', args: { key: 'quiet' } }, false]
  ] as const)('%s: %j', async (confirm, { tool, args }, isHeld) => {
    const before = await stateOf(server)
    const { call } = await connect(createContext(server, { confirm }), administrator(server), 'second generation')
    const { isError, data } = await call(tool, args)
    expect([isError, data.result.confirmationRequired]).toEqual([false, isHeld ? true : undefined])
    if (isHeld) expect(await stateOf(server)).toEqual(before)
    else expect(await stateOf(server)).not.toEqual(before)
  })
})

it('neither asks nor writes when nothing would change', async () => {
  const server = await openShop()
  const before = await stateOf(server)
  const { call, asked } = await connect(createContext(server), administrator(server), '2026-07-28', yes)
  const { data } = await call('update_feature', { key: 'checkout', name: 'The checkout' })
  expect(data.result).toMatchObject({ key: 'checkout', name: 'The checkout' })
  const override = { feature_key: 'search', environment_key: 'production', variation_key: 'variation-off' }
  expect((await call('set_self_targeting_override', override)).data.result.message).toMatch(/ already /)
  expect(asked).toEqual([])
  expect(await stateOf(server)).toEqual(before)
})

it.each(eras)('asks again when the plan has changed meanwhile (%s)', async (era) => {
  const server = await openShop()
  const params = { project: 'shop', feature: 'checkout' }
  const messages: string[] = []
  const { call: callTool } = await connect(createContext(server), administrator(server), era, async (form) => {
    messages.push(form.message)
    if (messages.length === 1) await call(server, 'updateFeature', { params, body: { name: 'Meanwhile' } })
    return messages.length === 1 ? yes(form) : { action: 'decline' }
  })
  const { data } = await callTool('update_feature', { key: 'checkout', name: 'Mine' })
  expect(data.result.message).toMatch(/^Nothing was changed/)
  expect(messages).toEqual([
    expect.stringContaining('"The checkout" → "Mine"'),
    expect.stringContaining('"Meanwhile" → "Mine"')
  ])
  expect((await call(server, 'getFeature', { params })).body.name).toBe('Meanwhile')
})

describe('a call that cannot succeed', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await openShop()
  })

  it.each([
    ['update_feature', { key: 'absent', name: 'X' }, 'RESOURCE_NOT_FOUND'],
    ['update_feature', { key: 'checkout', configurations: { nowhere: { status: 'active' } } }, 'VALIDATION_ERROR'],
    ['update_feature', { key: 'checkout', projectKey: 'absent' }, 'PROJECT_ERROR'],
    ['create_feature', { key: 'checkout', name: 'X' }, 'VALIDATION_ERROR'],
    ['create_feature', { key: 'fresh', name: 'X', projectKey: 'absent' }, 'PROJECT_ERROR'],
    ['update_feature_status', { key: 'checkout', status: 'complete', staticVariation: 'absent' }, 'VALIDATION_ERROR'],
    ['update_feature_status', { key: 'checkout', status: 'archived', staticVariation: 'on' }, 'VALIDATION_ERROR'],
    ['delete_feature', { key: 'absent' }, 'RESOURCE_NOT_FOUND'],
    ['create_variable', { key: 'free', type: 'String' }, 'VALIDATION_ERROR'],
    ['create_variable', { key: 'fresh', type: 'String', defaultValue: 1 }, 'VALIDATION_ERROR'],
    ['create_variable', { key: 'fresh', type: 'String', projectKey: 'absent' }, 'PROJECT_ERROR'],
    ['update_variable', { key: 'absent', name: 'X' }, 'RESOURCE_NOT_FOUND'],
    ['delete_variable', { key: 'checkout' }, 'VALIDATION_ERROR'],
    [
      'set_self_targeting_override',
      { feature_key: 'checkout', environment_key: 'production', variation_key: 'absent' },
      'VALIDATION_ERROR'
    ],
    [
      'clear_feature_self_targeting_overrides',
      { feature_key: 'checkout', environment_key: 'absent' },
      'RESOURCE_NOT_FOUND'
    ]
  ])('fails without a confirmation: %s %j', async (tool, args, errorType) => {
    const { call, asked } = await connect(createContext(server), administrator(server), '2026-07-28', yes)
    const { isError, data } = await call(tool, args)
    expect([isError, data.errorType, asked]).toEqual([true, errorType, []])
  })
})

describe.each(eras)('with --confirm elicitation, a client of the %s', (era: Era) => {
  let server: TestServer

  beforeAll(async () => {
    server = await openShop()
  })

  const contextOf = () => {
    const context = createContext(server)
    return { ...context, settings: { ...context.settings, confirm: 'elicitation' as const } }
  }

  test.each(sample(cases, 2, `refused ${era}`))(
    'that cannot ask is refused, even with a token: $tool',
    async ({ tool, args }) => {
      const before = await stateOf(server)
      const plain = await connect(createContext(server), administrator(server), era)
      const { confirmationToken } = (await plain.call(tool, args)).data.result
      expect(confirmationToken).toEqual(expect.any(String))
      const { call } = await connect(contextOf(), administrator(server), era)
      for (const given of [args, { ...args, confirmationToken }]) {
        const { isError, data } = await call(tool, given)
        expect([isError, data.errorType]).toEqual([true, 'VALIDATION_ERROR'])
        expect(data.errorMessage).toMatch(/^nothing was changed: /)
        expect(JSON.stringify(data)).not.toContain('confirmationToken":')
      }
      expect(await stateOf(server)).toEqual(before)
    }
  )

  it('that can ask makes the change after a yes, and none when the question fails', async () => {
    const args = { key: 'checkout', name: `Asked in ${era}` }
    const failing = await connect(contextOf(), administrator(server), era, () => {
      throw new Error('the program cannot show it')
    })
    const before = await stateOf(server)
    await failing.call('update_feature', args).catch(() => undefined)
    expect(await stateOf(server)).toEqual(before)
    const { call } = await connect(contextOf(), administrator(server), era, yes)
    expect((await call('update_feature', args)).isError).toBe(false)
    expect(await stateOf(server)).not.toEqual(before)
  })
})
