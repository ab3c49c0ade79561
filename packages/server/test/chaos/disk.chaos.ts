import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { call, type TestServer } from '@burgee/testing/harness'
import { fillDisk, mountSmallDisk } from '@burgee/testing/system/smallDisk'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, expect, test } from 'vitest'
import { expectBuilt } from '../support/processes/executable.ts'
import { roundsOr, stores } from './support/chaosOptions.ts'
import { prepareNodes } from './support/nodes.ts'
import { startReader } from './support/reader.ts'
import { verifyRecent, verifyTotals } from './support/verify.ts'
import { createWriters } from './support/writers.ts'

beforeAll(expectBuilt)

test.runIf(stores.includes('file'))(
  'a server whose files reach their maximum size evaluates, refuses writes, and keeps the acknowledged ones',
  { timeout: 24 * 3_600_000 },
  async () => {
    for (let round = 0; round < roundsOr(3); round++) {
      const nodes = await prepareNodes(await temporaryDirectory())
      // A limit in blocks of 512 bytes for each file simulates a full disk.
      const launcher = ['sh', '-c', `ulimit -f ${400 + 100 * round}; exec "$@"`, 'sh']
      const limited = await nodes.start({ port: nodes.port, launcher })
      const writers = await createWriters(limited)
      const reader = startReader(limited)
      const writing = writers.write([limited])
      await expect.poll(() => change(limited), { timeout: 60_000, interval: 0 }).toBe(503)
      expect((await fetch(`${limited.url}/readyz`)).status).toBe(503)
      await writing.stop()
      expect((await reader.stop()).wrong).toEqual([])
      await limited.end('SIGKILL')
      const again = await nodes.start({ port: nodes.port })
      await verifyRecent(limited, writers)
      await verifyTotals(limited, writers)
      console.log(`disk: full after ${writers.count()} acknowledged writes, 0 lost`)
      await again.end('SIGTERM')
    }
  }
)

test.runIf(stores.includes('file'))(
  'a server that restarts on a full disk evaluates, refuses writes, and writes again once there is space',
  { timeout: 24 * 3_600_000 },
  async ({ skip }) => {
    const disk = await mountSmallDisk(DISK_BYTES)
    if (disk === undefined) return skip('this user may not mount a file system, which the full disk needs')
    for (let round = 0; round < roundsOr(3); round++) {
      const directory = join(disk, `round-${round}`)
      const nodes = await prepareNodes(directory)
      const { port } = nodes
      const server = await nodes.start({ port })
      const writers = await createWriters(server)
      const writing = writers.write([server])
      await expect.poll(() => writers.count(), { timeout: 60_000 }).toBeGreaterThan(20)
      const free = await fillDisk(disk)
      await expect.poll(() => change(server), { timeout: 60_000, interval: 0 }).toBe(503)
      await writing.stop()
      await server.end('SIGKILL')
      let evaluations = 0
      // The second start finds what the first one has left on the full disk.
      for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
        const restarted = await nodes.start({ port })
        const reader = startReader(restarted)
        expect((await fetch(`${restarted.url}/readyz`)).status).toBe(503)
        expect(await change(restarted)).toBe(503)
        const read = await reader.stop()
        expect(read.wrong).toEqual([])
        evaluations += read.evaluations
        await restarted.end(signal)
      }
      const again = await nodes.start({ port })
      await free()
      const isReady = async () => (await fetch(`${again.url}/readyz`)).status
      await expect.poll(isReady, { timeout: 60_000 }).toBe(200)
      await verifyRecent(again, writers)
      await verifyTotals(again, writers)
      expect(await change(again)).toBe(200)
      console.log(`disk: ${writers.count()} acknowledged writes, 0 lost; ${evaluations} evaluations after restarts`)
      await again.end('SIGTERM')
      await rm(directory, { recursive: true })
    }
  }
)

const DISK_BYTES = 16 * 2 ** 20

/** Changes a feature; returns the status of the response. */
async function change(server: TestServer): Promise<number> {
  const params = { project: 'shop', feature: 'plain' }
  return (await call(server, 'updateFeature', { params, body: { description: 'x'.repeat(1_000) } })).status
}
