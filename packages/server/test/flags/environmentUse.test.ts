import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { DAY, keyOf, NOW } from '@burgee/testing/plan'
import { expect, it } from 'vitest'

const params = { project: 'shop', key: 'production' }
const dayOf = (moment: number) => new Date(moment - (moment % DAY)).toISOString()

function evaluate(server: TestServer, key = keyOf('server')) {
  return call(server, 'evaluateVariable', { params: { key: 'checkout' }, body: { user_id: 'ada' }, key })
}

async function environmentOf(server: TestServer) {
  return (await call(server, 'getEnvironment', { params })).body
}

it('reports the first evaluation and the day of the last use of each key, even after a restart', async () => {
  const directory = await storeWith({ features: [{ key: 'checkout' }] })
  const first = await serve(directory)
  const unused = await environmentOf(first)
  expect(unused).not.toHaveProperty('firstEvaluationAt')
  expect(unused.sdkKeys.server[0]).not.toHaveProperty('lastUsedAt')

  expect((await evaluate(first)).status).toBe(200)
  await first.close()

  const second = await serve(directory)
  const used = await environmentOf(second)
  expect(used.sdkKeys.server[0].lastUsedAt).toBe(dayOf(NOW))
  expect(used.sdkKeys.client[0]).not.toHaveProperty('lastUsedAt')
  expect(Date.parse(used.firstEvaluationAt)).toBeGreaterThanOrEqual(NOW - DAY)

  second.clock.now = () => NOW + DAY / 2
  expect((await evaluate(second)).status).toBe(200)
  const later = await environmentOf(second)
  expect(later.sdkKeys.server[0].lastUsedAt).toBe(dayOf(NOW + DAY / 2))
  expect(later.firstEvaluationAt).toBe(used.firstEvaluationAt)
})

it('ignores requests with keys that it refuses', async () => {
  const server = await serve({ features: [{ key: 'checkout' }] })
  expect((await evaluate(server, `${keyOf('server')}x`)).status).toBe(401)
  expect((await environmentOf(server)).sdkKeys.server[0]).not.toHaveProperty('lastUsedAt')
})

it('reports no use of a key that replaces an invalidated one', async () => {
  const directory = await storeWith({ features: [{ key: 'checkout' }] })
  const first = await serve(directory)
  await evaluate(first)
  const body = { server: true }
  await call(first, 'generateSdkKeys', { params: { project: 'shop', environment: 'production' }, body })
  await call(first, 'invalidateSdkKey', {
    params: { project: 'shop', environment: 'production', key: keyOf('server') }
  })
  await first.close()
  const second = await serve(directory)
  const { sdkKeys } = await environmentOf(second)
  expect(sdkKeys.server).toHaveLength(1)
  expect(sdkKeys.server[0]).not.toHaveProperty('lastUsedAt')
})
