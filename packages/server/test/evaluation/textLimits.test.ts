import { call, serve, type TestServer } from '@burgee/testing/harness'
import { keyOf } from '@burgee/testing/plan'
import { beforeAll, expect, test } from 'vitest'

let server: TestServer

beforeAll(async () => {
  server = await serve({ features: [{ key: 'checkout' }] })
})

const long = 'x'.repeat(16_384)
const tooLong = `${long}x`

const operations = ['evaluateVariables', 'evaluateFeatures', 'evaluateVariable'] as const

const evaluate = (id: (typeof operations)[number], members: object) => {
  const params = id === 'evaluateVariable' ? { params: { key: 'checkout' } } : {}
  return call(server, id, { ...params, body: { user_id: 'ada', ...members }, key: keyOf('server') })
}

test.each(operations)('%s accepts texts of a user up to their limits', async (id) => {
  const texts = { email: long, platform: long, customData: { plan: long }, privateCustomData: { plan: long } }
  const versions = { appVersion: '1'.repeat(200), platformVersion: '1'.repeat(200), sdkVersion: '1'.repeat(200) }
  expect((await evaluate(id, { ...texts, ...versions })).status).toBe(200)
  expect((await evaluate(id, { customData: JSON.stringify({ one: long, two: long }) })).status).toBe(200)
})

test.each([
  ['user_id', { user_id: tooLong }, 'user_id should have at most 16384 characters'],
  ['name', { name: tooLong }, 'name should have at most 16384 characters'],
  ['deviceModel', { deviceModel: tooLong }, 'deviceModel should have at most 16384 characters'],
  ['appVersion', { appVersion: '9'.repeat(201) }, 'appVersion should have at most 200 characters'],
  ['platformVersion', { platformVersion: '9'.repeat(201) }, 'platformVersion should have at most 200 characters'],
  ['customData', { customData: { plan: tooLong } }, 'customData should have texts of at most 16384 characters'],
  [
    'customData as text',
    { customData: JSON.stringify({ plan: tooLong }) },
    'customData should have texts of at most 16384 characters'
  ],
  [
    'privateCustomData',
    { privateCustomData: { plan: tooLong } },
    'privateCustomData should have texts of at most 16384 characters'
  ]
])('a longer %s is refused', async (_, members, message) => {
  for (const id of operations) {
    const { status, body } = await evaluate(id, members)
    expect([status, String(body.message)]).toEqual([400, expect.stringContaining(message)])
  }
})

test.each(['ofrepEvaluateFlags', 'evaluateVariables', 'createAudience'] as const)(
  '%s refuses an object of more than 10,000 members without validating it',
  async (id) => {
    const members = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, {}]))
    const isManagement = id === 'createAudience'
    const request = isManagement ? { params: { project: 'shop' } } : { key: keyOf('server') }
    const { status, body } = await call(server, id, { ...request, body: { context: members } })
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining('an object of the body has more than 10000 members')
    ])
  }
)
