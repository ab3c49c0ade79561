import { call as callApi, type TestServer } from '@burgee/testing/harness'
import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { confirm } from '../../src/confirmation/confirm.ts'
import { createReplayGuard } from '../../src/confirmation/replayGuard.ts'
import { createConfirmationCodec } from '../../src/confirmation/requestState.ts'
import type { Caller, McpServerContext } from '../../src/connection/context.ts'
import { adminTokens, createContext } from '../support/context.ts'
import { cases, openShop, stateOf } from '../support/shop.ts'
import { type Assistant, connect } from './person.ts'

let server: TestServer
let service: McpServerContext
let tokens: Caller['tokens']
let assistant: Assistant

beforeAll(async () => {
  server = await openShop()
  await callApi(server, 'createProject', { body: { key: 'other', name: 'Other' } })
  const body = { key: 'checkout', name: 'The checkout' }
  await callApi(server, 'createFeature', { params: { project: 'other' }, body })
  service = createContext(server)
  tokens = adminTokens(server)
  assistant = await connect(service, { id: 'ada', tokens }, '2026-07-28')
})

afterEach(() => {
  vi.useRealTimers()
})

const rename = { key: 'checkout', name: 'Checkout in one step' }

async function tokenFor(tool: string, args: object): Promise<string> {
  return (await assistant.call(tool, args)).data.result.confirmationToken
}

async function expectRejected(by: Assistant, [tool, args]: readonly [string, object], why: RegExp): Promise<void> {
  const before = await stateOf(server)
  const { isError, data } = await by.call(tool, args)
  expect([isError, data.errorType, data.errorMessage]).toEqual([true, 'VALIDATION_ERROR', expect.stringMatching(why)])
  expect(data.errorMessage).toMatch(/call the tool again without confirmationToken/)
  expect(await stateOf(server)).toEqual(before)
}

describe('rejects a token', () => {
  const another = /is for another tool, project or arguments/

  it.each([
    ['other arguments', 'update_feature', { ...rename, name: 'Another' }],
    ['more arguments', 'update_feature', { ...rename, description: 'More' }],
    ['another feature', 'update_feature', { ...rename, key: 'search' }],
    ['another tool', 'delete_feature', { key: 'checkout' }],
    ['a project named for this call', 'update_feature', { ...rename, projectKey: 'other' }]
  ])('for %s', async (_, tool, args) => {
    const confirmationToken = await tokenFor('update_feature', rename)
    await expectRejected(assistant, [tool, { ...args, confirmationToken }], another)
  })

  it('after another project was selected', async () => {
    const confirmationToken = await tokenFor('update_feature', rename)
    await assistant.call('select_project', { projectKey: 'other' })
    await expectRejected(assistant, ['update_feature', { ...rename, confirmationToken }], another)
    await assistant.call('select_project', { projectKey: 'shop' })
  })

  it.each(cases)('for $tool, when it was given for another call', async ({ tool, args }) => {
    const confirmationToken = await tokenFor('update_feature', { key: 'quiet', name: 'Not this one' })
    await expectRejected(assistant, [tool, { ...args, confirmationToken }], another)
  })

  it('of another caller', async () => {
    const confirmationToken = await tokenFor('update_feature', rename)
    const eve = await connect(service, { id: 'eve', tokens }, '2026-07-28')
    await expectRejected(eve, ['update_feature', { ...rename, confirmationToken }], /was not issued to this caller/)
  })

  it.each(['', 'made up', 'v1.e30.AAAA'])('that was not issued: %j', async (confirmationToken) => {
    await expectRejected(
      assistant,
      ['update_feature', { ...rename, confirmationToken }],
      /was not issued to this caller/
    )
  })

  it('that is older than five minutes', async () => {
    const confirmationToken = await tokenFor('update_feature', rename)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 })
    await expectRejected(assistant, ['update_feature', { ...rename, confirmationToken }], /is older than 5 minutes/)
  })

  it('when something else has changed in the meantime', async () => {
    const confirmationToken = await tokenFor('update_feature', { key: 'search', name: 'New' })
    server.clock.now = () => Date.parse('2026-03-01T13:00:00.000Z')
    const params = { project: 'shop', feature: 'search' }
    await callApi(server, 'updateFeature', { params, body: { description: 'Meanwhile' } })
    const again = { key: 'search', name: 'New', confirmationToken }
    await expectRejected(assistant, ['update_feature', again], /would now have a different effect/)
  })

  it('after it was used, even if the change was reverted', async () => {
    const args = { key: 'search', name: 'Once' }
    const confirmationToken = await tokenFor('update_feature', args)
    server.clock.now = () => Date.parse('2026-03-01T14:00:00.000Z')
    expect((await assistant.call('update_feature', { ...args, confirmationToken })).data.result.name).toBe('Once')
    const params = { project: 'shop', feature: 'search' }
    await callApi(server, 'updateFeature', { params, body: { name: 'The search' } })
    await expectRejected(assistant, ['update_feature', { ...args, confirmationToken }], /was used before, or/)
  })

  it('that is the request state of an elicitation', async () => {
    const states = createConfirmationCodec(service.confirmationKey, { id: 'ada' })
    const replayGuard = createReplayGuard()
    const plan = { summary: '', changes: [], environments: [], version: '1' }
    const given = {
      toolName: 'update_feature',
      args: rename,
      project: 'shop',
      plan,
      mode: 'always',
      now: 0
    } as const
    const request = { mcpReq: {} } as never
    const asked = await confirm({ ...given, replayGuard, token: undefined, states, request, canElicit: true })
    const { requestState } = asked as { requestState: string }
    const attempt = confirm({ ...given, replayGuard, token: requestState, states, request, canElicit: false })
    await expect(attempt).rejects.toThrow(another)
  })
})

it('accepts a token only for the confirmed call', async () => {
  const states = createConfirmationCodec(service.confirmationKey, { id: 'ada' })
  const call = fc.record({
    toolName: fc.constantFrom(...cases.map(({ tool }) => tool)),
    project: fc.constantFrom('shop', 'other'),
    args: fc.dictionary(fc.constantFrom('key', 'name', 'tags'), fc.jsonValue(), { maxKeys: 3 }),
    plan: fc.record({
      summary: fc.constantFrom('one', 'other'),
      changes: fc.array(fc.record({ path: fc.constantFrom('name', 'status'), to: fc.jsonValue() }), { maxLength: 2 }),
      environments: fc.subarray([
        { key: 'production', type: 'production' as const },
        { key: 'lab', type: 'development' as const }
      ]),
      version: fc.constantFrom('1', '2')
    })
  })
  const parts = fc.subarray(['toolName', 'project', 'args', 'plan'] as const, { minLength: 1, maxLength: 2 })
  const replayGuard = createReplayGuard()
  const rest = {
    states,
    replayGuard,
    request: { mcpReq: {} } as never,
    canElicit: false,
    mode: 'always',
    now: 0
  } as const
  const canonical = (value: unknown) => JSON.stringify(sorted(value))
  await fc.assert(
    fc.asyncProperty(call, call, parts, async (one, another, replaced) => {
      // Most differ in one property.
      const other = { ...one, ...Object.fromEntries(replaced.map((name) => [name, another[name]])) }
      const answer = await confirm({ ...one, ...rest, token: undefined })
      const { result } = (answer as { structuredContent: { result: { confirmationToken: string } } }).structuredContent
      const token = result.confirmationToken
      const attempt = confirm({ ...other, ...rest, token })
      if (canonical(one) === canonical(other)) expect(await attempt).toBeUndefined()
      else {
        await expect(attempt).rejects.toThrow(/^confirmationToken (is for another|.*different effect)/)
        expect(await confirm({ ...one, ...rest, token })).toBeUndefined()
      }
      await expect(confirm({ ...one, ...rest, token })).rejects.toThrow(/was used before, or /)
    }),
    { numRuns: 200 }
  )
})

/** Sorts members, since their order does not matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const)
  return entries.sort(([one], [other]) => (one < other ? -1 : 1))
}

it('changes nothing without a confirmation, for any call', async () => {
  const before = await stateOf(server)
  const key = fc.constantFrom('checkout', 'search', 'quiet', 'free', 'fresh')
  const name = fc.string({ minLength: 1, maxLength: 20 })
  const calls = fc.oneof(
    fc.tuple(fc.constant('update_feature'), fc.record({ key, name, tags: fc.array(name, { maxLength: 3 }) })),
    fc.tuple(fc.constant('create_feature'), fc.record({ key, name })),
    fc.tuple(
      fc.constant('update_feature_status'),
      fc.oneof(
        fc.record({ key, status: fc.constantFrom('active', 'archived') }),
        fc.record({ key, status: fc.constant('complete'), staticVariation: fc.constant('variation-on') })
      )
    ),
    fc.tuple(fc.constantFrom('delete_feature', 'delete_variable'), fc.record({ key })),
    fc.tuple(fc.constant('create_variable'), fc.record({ key, type: fc.constantFrom('String', 'JSON') })),
    fc.tuple(fc.constant('update_variable'), fc.record({ key, description: name }))
  )
  await fc.assert(
    fc.asyncProperty(calls, fc.option(fc.string(), { nil: undefined }), async ([tool, args], confirmationToken) => {
      await assistant.call(tool, { ...args, ...(confirmationToken === undefined ? {} : { confirmationToken }) })
    }),
    { numRuns: 30 }
  )
  expect(await stateOf(server)).toEqual(before)
})
