import { call, send, serve, type TestServer } from '@burgee/testing/harness'
import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../support/events/eventStream.ts'
import { createCounter } from '../support/counterFlag.ts'
import { openSilentProxy, type SilentProxy } from '../support/silentProxy.ts'

let database: string
let proxy: SilentProxy
let server: TestServer
let key: string

beforeAll(async () => {
  database = await temporaryDatabase()
  proxy = await openSilentProxy(database)
  server = await serve(proxy.url, {}, Date.now())
  server.clock.now = Date.now
  key = (await createCounter(server)).server
})

async function evaluate(user_id: string): Promise<void> {
  expect((await call(server, 'evaluateVariable', { params: { key: 'counter' }, body: { user_id }, key })).status).toBe(
    200
  )
}

/** Returns the number of evaluations in the results, which include those that are still in memory. */
async function countInResults(): Promise<number> {
  const params = { project: 'shop', feature: 'counter' }
  const { body } = await call(server, 'getFeatureTotalEvaluations', { params })
  const values: Record<string, number>[] = body.result.evaluations.map(({ values }: { values: object }) => values)
  return values.flatMap((one) => Object.values(one)).reduce((sum, count) => sum + count, 0)
}

/** Returns the number in the metrics of the server. */
async function countInMetrics(): Promise<number> {
  const { body } = await send(server, { path: '/metrics' })
  const counts = [...body.matchAll(/^burgee_evaluations_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count))
  return counts.reduce((sum, count) => sum + count, 0)
}

test('evaluations are counted once if the response to their commit is lost', async () => {
  await evaluate('ada')
  await waitUntil(async () => (await countInResults()) === 1)
  const before = await runOnServer('select entry from burgee_event_entries', database)
  proxy.loseAnswerTo('insert into burgee_event_entries', 'commit\0')
  for (const user of ['bob', 'bob', 'cy']) await evaluate(user)
  await waitUntil(() => server.logs.some((line) => line.includes('could not write evaluations')))
  const stored = await runOnServer('select entry from burgee_event_entries', database)
  // Otherwise, the response to another commit was lost.
  expect(stored).toHaveLength(before.length + 1)

  await evaluate('dan')
  await waitUntil(async () => (await countInResults()) >= 5)
  expect(await countInResults()).toBe(5)
  const ofBob = await runOnServer("select entry from burgee_event_entries where entry like '%bob%'", database)
  expect(ofBob).toHaveLength(1)
  expect(await countInMetrics()).toBe(5)
})
