import { call } from '@burgee/testing/harness'
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
      const rename = () => {
        const params = { project: 'shop', feature: 'plain' }
        return call(limited, 'updateFeature', { params, body: { description: 'x'.repeat(1_000) } })
      }
      const outcome = async () => (await rename()).status
      await expect.poll(outcome, { timeout: 60_000, interval: 0 }).toBe(503)
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
