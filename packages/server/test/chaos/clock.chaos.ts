import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '@burgee/testing/harness'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, expect, test } from 'vitest'
import { openEventStream } from '../support/events/eventStream.ts'
import { expectBuilt } from '../support/processes/executable.ts'
import { stores } from './support/chaosOptions.ts'
import { createStore, prepareNodes } from './support/nodes.ts'
import { startReader } from './support/reader.ts'
import type { ServerProcess } from './support/serverProcess.ts'

const HOUR = 3_600_000

/** Where the clock jumps to, one after another. The last one corrects it. */
const jumps = [HOUR, -HOUR, 25 * HOUR, -25 * HOUR, 366 * 24 * HOUR, 0]

/** How long the server is idle after each jump, while its processor time is measured. */
const IDLE_MS = 3_000

beforeAll(expectBuilt)

test.each(stores)(
  'a server with a store of kind %s whose clock jumps keeps writing, evaluating and streaming',
  { timeout: 24 * 3_600_000 },
  async (kind) => {
    const clock = join(await temporaryDirectory(), 'clock')
    const preload = new URL('support/shiftedClock.mjs', import.meta.url).href
    const environment = { CHAOS_CLOCK_FILE: clock, NODE_OPTIONS: `--import ${preload}` }
    const nodes = await prepareNodes(await createStore(kind))
    const server = await nodes.start({ port: nodes.port, environment })
    const reader = startReader(server, 50)
    const stream = await openEventStream(server)
    const variables: string[] = []
    for (const [index, shift] of jumps.entries()) {
      await writeFile(clock, String(shift))
      server.signal('SIGUSR2')
      const begin = await readCpuTime(server.pid)
      await sleep(IDLE_MS)
      const used = (await readCpuTime(server.pid)) - begin
      // A storm of timers would use a whole processor.
      expect(used).toBeLessThan(IDLE_MS / 2)
      // Access tokens of before a long jump have expired; another object gets new ones.
      const now = { ...server }
      const before = stream.messages().length
      await toggleCounted(now, index % 2 === 0 ? 'inactive' : 'active')
      await expect.poll(() => stream.messages().length, { timeout: 10_000 }).toBeGreaterThan(before)
      const key = `after-jump-${index}`
      const variable = { params: { project: 'shop' }, body: { key, name: key, type: 'Boolean' } }
      const created = await call(now, 'createVariable', variable)
      expect(created.status).toBe(201)
      expect(Math.abs(Date.parse(created.body.createdAt) - Date.now() - shift)).toBeLessThan(10_000)
      variables.push(key)
      const user = { params: { user_id: key }, body: { user_id: key, customData: { plan: 'pro' } } }
      expect((await call(now, 'updateEdgeUser', user)).status).toBe(200)
      const batch = [
        { user: { user_id: key }, events: [{ type: 'aggVariableEvaluated', target: 'counted', value: 1 }] }
      ]
      expect((await call(now, 'sendEventBatches', { body: { batch } })).status).toBe(201)
      console.log(`clock, ${kind}: ${shift / HOUR} h, ${used} ms of processor time in ${IDLE_MS} ms without requests`)
    }
    expect((await reader.stop()).wrong).toEqual([])
    await server.end('SIGKILL')
    await nodes.start({ port: nodes.port })
    const corrected = { ...server }
    for (const key of variables) {
      const found = await call(corrected, 'getVariable', { params: { project: 'shop', key } })
      expect(found.status).toBe(200)
    }
    expect((await call(corrected, 'verifyAudit')).body).toMatchObject({ isIntact: true })
  }
)

/** Changes a feature that the reader does not evaluate. */
async function toggleCounted(server: ServerProcess, status: 'active' | 'inactive'): Promise<void> {
  const params = { project: 'shop', feature: 'counted' }
  const query = { environment: 'production' }
  expect((await call(server, 'updateFeatureConfiguration', { params, query, body: { status } })).status).toBe(200)
}

/** Returns the processor time of a process in milliseconds. */
async function readCpuTime(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  // In hundredths of a second.
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
