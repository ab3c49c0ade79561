import { call } from '@burgee/testing/harness'
import { seededRandom } from '@burgee/testing/seededRandom'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, expect, test } from 'vitest'
import { expectBuilt } from '../support/processes/executable.ts'
import { chaosSeed, roundsOr } from './support/chaosOptions.ts'
import { prepareNodes } from './support/nodes.ts'
import { openStreamClient } from './support/streamClient.ts'

const STREAMS = 1_000

const random = seededRandom(chaosSeed)

beforeAll(expectBuilt)

test('1,000 streams reconnect to a server that was killed, and all receive the next change', {
  timeout: 24 * 3_600_000
}, async () => {
  const nodes = await prepareNodes(await temporaryDirectory())
  let server = await nodes.start({ port: nodes.port })
  const target = server
  const clients = Array.from({ length: STREAMS }, () => openStreamClient(nodes.port, random))
  const rounds = roundsOr(3)
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now()
    await expect
      .poll(() => clients.filter(({ isOpen }) => isOpen()).length, { timeout: 60_000, interval: 20 })
      .toBe(STREAMS)
    const opened = Math.round(performance.now() - begin)
    const before = clients.map(({ changes }) => changes())
    const params = { project: 'shop', feature: 'plain' }
    const query = { environment: 'production' }
    const body = { status: round % 2 === 0 ? 'inactive' : 'active' }
    expect((await call(target, 'updateFeatureConfiguration', { params, query, body })).status).toBe(200)
    const changedAt = performance.now()
    const late = () => clients.filter(({ changes }, index) => changes() === before[index]).length
    await expect.poll(late, { timeout: 30_000, interval: 5 }).toBe(0)
    const received = Math.round(performance.now() - changedAt)
    const livez = performance.now()
    expect((await fetch(`${target.url}/livez`)).status).toBe(200)
    console.log(
      `streams: ${STREAMS} open ${opened} ms after the start, a change at all of them after ${received} ms, /livez in ${Math.round(performance.now() - livez)} ms`
    )
    await server.end('SIGKILL')
    if (round < rounds - 1) server = await nodes.start({ port: nodes.port })
  }
  for (const { close } of clients) close()
})
