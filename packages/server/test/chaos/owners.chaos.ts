import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@burgee/testing/seededRandom'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, expect, test } from 'vitest'
import { expectBuilt, run } from '../support/processes/executable.ts'
import { chaosSeed, roundsOr, stores } from './support/chaosOptions.ts'
import { prepareNodes } from './support/nodes.ts'
import { spawnServer } from './support/serverProcess.ts'
import { verifyRecent, verifyTotals } from './support/verify.ts'
import { createWriters } from './support/writers.ts'

/** Longer than a lock is respected without a heartbeat. */
const PAUSE_MS = 17_000

const random = seededRandom(chaosSeed)

beforeAll(expectBuilt)

test.runIf(stores.includes('file'))(
  'a second server on a directory does not start, and the first one continues',
  { timeout: 24 * 3_600_000 },
  async () => {
    const nodes = await prepareNodes(await temporaryDirectory())
    const first = await nodes.start({ port: nodes.port })
    const writers = await createWriters(first)
    const writing = writers.write([first])
    const attempts = roundsOr(5)
    for (let round = 0; round < attempts; round++) {
      const before = writers.count()
      await expect(spawnServer(nodes.optionsFor()).up).rejects.toThrow(/ended with 2 .*is held by process \d+/)
      await expect.poll(() => writers.count(), { timeout: 10_000 }).toBeGreaterThan(before)
    }
    await writing.stop()
    await verifyRecent(first, writers)
    await verifyTotals(first, writers)
    console.log(`owners: ${attempts} second servers refused, ${writers.count()} acknowledged writes, 0 lost`)
  }
)

test.runIf(stores.includes('file'))(
  'a server that was suspended until another one took over its directory acknowledges nothing more, and ends',
  { timeout: 24 * 3_600_000 },
  async () => {
    for (let round = 0; round < roundsOr(2); round++) {
      const directory = await temporaryDirectory()
      const nodes = await prepareNodes(directory)
      const first = await nodes.start({ port: nodes.port })
      const writers = await createWriters(first)
      const writing = writers.write([first])
      await expect.poll(() => writers.count(), { timeout: 30_000 }).toBeGreaterThan(20 + Math.floor(random() * 100))
      first.signal('SIGSTOP')
      await sleep(PAUSE_MS)
      const second = await nodes.start()
      const ofSecond = await createWriters(second, { publicUrl: first.url, from: 1_000_000 })
      const alsoWriting = ofSecond.write([second])
      await expect.poll(() => ofSecond.count(), { timeout: 30_000 }).toBeGreaterThan(10)
      first.signal('SIGCONT')
      expect(await first.ended).toBe(2)
      await writing.stop()
      await expect.poll(() => ofSecond.count(), { timeout: 30_000 }).toBeGreaterThan(20)
      await alsoWriting.stop()
      // The browser of the first server is gone with it.
      await verifyRecent(second, { ...writers, browser: ofSecond.browser })
      await verifyRecent(second, ofSecond)
      await verifyTotals(second, writers, ofSecond)
      await second.end('SIGTERM')
      const checked = await run(['check', '--store', `file:${directory}`], { PATH: process.env.PATH })
      expect(checked, checked.stdout).toMatchObject({ code: 0 })
      expect(checked.stdout, 'nothing was moved aside').not.toMatch(/^(notice|damaged) /m)
      console.log(`owners: suspended after ${writers.count()} writes, ${ofSecond.count()} at the next owner, 0 lost`)
    }
  }
)
