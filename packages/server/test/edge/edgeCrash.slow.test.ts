import { type ChildProcess, spawn } from 'node:child_process'
import { addCleanup } from '@burgee/testing/cleanup'
import { call, serve, type TestServer } from '@burgee/testing/harness'
import { keyOf } from '@burgee/testing/plan'
import { freePort } from '@burgee/testing/system/freePort'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../support/events/eventStream.ts'
import { executable, expectBuilt } from '../support/processes/executable.ts'

let upstream: TestServer
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  expectBuilt()
  upstream = await serve({ features: [{ key: 'plain' }] }, { port: await freePort() })
  upstream.clock.now = Date.now
  environment = {
    BURGEE_EDGE_KEYS: keyOf('server'),
    BURGEE_PORT: '0',
    BURGEE_CACHE_DIRECTORY: await temporaryDirectory(),
    BURGEE_LOG_LEVEL: 'error'
  }
})

/** An edge node in a process of its own. */
interface EdgeProcess {
  readonly url: string
  readonly kill: () => Promise<void>
}

async function startEdge(): Promise<EdgeProcess> {
  const child: ChildProcess = spawn(process.execPath, [executable, '--edge', '--upstream', upstream.url], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  addCleanup(kill)
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (piece) => {
      text += piece
      const found = /listening on (\S+)/.exec(text)?.[1]
      if (found) resolve(found)
    })
    void ended.then(() => reject(new Error(`the edge node ended: ${text}`)))
  })
  return { url, kill }
}

/** Reports one evaluation. Returns whether it was acknowledged. */
async function report({ url }: EdgeProcess): Promise<boolean> {
  const events = [{ type: 'aggVariableDefaulted', target: 'plain', value: 1 }]
  try {
    const response = await fetch(`${url}/v1/events/batch`, {
      method: 'POST',
      headers: { authorization: keyOf('server'), 'content-type': 'application/json' },
      body: JSON.stringify({ batch: [{ user: { user_id: 'ada' }, events }] })
    })
    return response.status === 201
  } catch {
    return false
  }
}

async function countEvaluations(): Promise<number> {
  const { body } = await call(upstream, 'getFeatureTotalEvaluations', { params: { project: 'shop', feature: 'plain' } })
  const values = body.result.evaluations.flatMap(({ values }: { values: Record<string, number> }) =>
    Object.values(values)
  )
  return values.reduce((sum: number, value: number) => sum + value, 0)
}

test('an edge node that is killed again and again loses no acknowledged event and counts none twice', async () => {
  let acknowledged = 0
  let unanswered = 0
  for (let round = 0; round < 8; round++) {
    const edge = await startEdge()
    // In every other round, the upstream is unavailable; the kill then finds a queue.
    if (round % 2 === 1) await upstream.close()
    let isKilled = false
    const writers = Array.from({ length: 4 }, async () => {
      while (!isKilled) {
        if (await report(edge)) acknowledged++
        else unanswered++
      }
    })
    const before = acknowledged
    await waitUntil(() => acknowledged > before + 100 + 40 * round)
    isKilled = true
    await edge.kill()
    await Promise.all(writers)
    if (round % 2 === 1) {
      upstream = await serve(upstream.directory, { port: upstream.port })
      upstream.clock.now = Date.now
    }
  }
  expect(acknowledged).toBeGreaterThan(800)
  const last = await startEdge()
  await waitUntil(async () => (await countEvaluations()) >= acknowledged)
  const counted = await countEvaluations()
  // A request whose response was lost can have been stored.
  expect(counted).toBeLessThanOrEqual(acknowledged + unanswered)
  await last.kill()
})

test('a killed edge node evaluates after a start without its upstream', async () => {
  const first = await startEdge()
  await waitUntil(async () => (await fetch(`${first.url}/readyz`)).status === 200)
  await first.kill()
  await upstream.close()
  const edge = await startEdge()
  const response = await fetch(`${edge.url}/v1/variables/plain`, {
    method: 'POST',
    headers: { authorization: keyOf('server'), 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: 'ada' })
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ value: true })
})
