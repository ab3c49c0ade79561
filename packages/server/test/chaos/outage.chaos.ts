import { setTimeout as sleep } from 'node:timers/promises'
import { addCleanup } from '@burgee/testing/cleanup'
import { startOwnCluster } from '@burgee/testing/postgres/startCluster'
import { seededRandom } from '@burgee/testing/seededRandom'
import { beforeAll, expect, test } from 'vitest'
import { expectBuilt } from '../support/processes/executable.ts'
import { chaosSeed, endsAt, roundsOr, stores } from './support/chaosOptions.ts'
import { prepareNodes } from './support/nodes.ts'
import { startReader } from './support/reader.ts'
import { verifyRecent, verifyTotals } from './support/verify.ts'
import { createWriters } from './support/writers.ts'

const random = seededRandom(chaosSeed)

beforeAll(expectBuilt)

test.runIf(stores.includes('postgres'))(
  'two servers whose PostgreSQL crashes while they write lose nothing, evaluate meanwhile, and recover by themselves',
  { timeout: 24 * 3_600_000 },
  async () => {
    const cluster = await startOwnCluster()
    addCleanup(cluster.stop)
    const nodes = await prepareNodes(cluster.url)
    const one = await nodes.start({ port: nodes.port })
    const other = await nodes.start()
    const writers = await createWriters(one)
    const readers = [startReader(one), startReader(other)]
    const writing = writers.write([one, other])
    const recoveries: number[] = []
    for (let round = 0; round < roundsOr(20) && Date.now() < endsAt; round++) {
      const before = writers.count()
      await expect.poll(() => writers.count(), { timeout: 60_000 }).toBeGreaterThan(before + 20)
      await cluster.crash()
      await sleep(random() * 1_500)
      await cluster.restart()
      const begin = performance.now()
      const atRestart = writers.count()
      await expect.poll(() => writers.count(), { timeout: 30_000, interval: 10 }).toBeGreaterThan(atRestart)
      recoveries.push(Math.round(performance.now() - begin))
    }
    await writing.stop()
    for (const reader of readers) {
      const { evaluations, wrong } = await reader.stop()
      expect(wrong).toEqual([])
      expect(evaluations).toBeGreaterThan(100)
    }
    await verifyRecent(one, writers)
    await verifyTotals(other, writers)
    const slowest = Math.max(...recoveries)
    console.log(
      `outage: ${recoveries.length} crashes, ${writers.count()} acknowledged writes, 0 lost, first write ${slowest} ms after the restart at most`
    )
  }
)
