import { setTimeout as sleep } from 'node:timers/promises'
import { addCleanup } from '@burgee/testing/cleanup'
import { call } from '@burgee/testing/harness'
import { startOwnCluster } from '@burgee/testing/postgres/startCluster'
import { runOnServer, withName } from '@burgee/testing/postgres/testDatabase'
import { seededRandom } from '@burgee/testing/seededRandom'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, expect, test } from 'vitest'
import { expectBuilt, run } from '../support/processes/executable.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/processes/webhookReceiver.ts'
import { chaosSeed, endsAt, roundsOr, stores } from './support/chaosOptions.ts'
import { prepareNodes } from './support/nodes.ts'
import { type ProcessOptions, spawnServer } from './support/serverProcess.ts'
import { verifyRecent, verifyTotals } from './support/verify.ts'
import { createWriters, type Writers } from './support/writers.ts'

/** The number of kills of a store, after which a new store begins, so that its size does not decide the time. */
const KILLS_PER_STORE = 50

const random = seededRandom(chaosSeed)

beforeAll(expectBuilt)

test.runIf(stores.includes('file'))(
  'a killed server with a directory has all acknowledged writes',
  { timeout: 24 * 3_600_000 },
  () => runRounds('file', roundsOr(1_000), temporaryDirectory, 0)
)

test.runIf(stores.includes('postgres'))(
  'a killed server of two with a database has all acknowledged writes',
  { timeout: 24 * 3_600_000 },
  async () => {
    const cluster = await startOwnCluster()
    addCleanup(cluster.stop)
    let databases = 0
    const createDatabase = async () => {
      const name = `chaos_${++databases}`
      await runOnServer(`create database ${name} encoding 'UTF8' template template0`, cluster.url)
      return withName(cluster.url, name)
    }
    await runRounds('postgres', roundsOr(200), createDatabase, 1)
  }
)

/** Kills servers until there were this many rounds, with a new store after some of them, and prints the totals. */
async function runRounds(
  kind: string,
  rounds: number,
  createStore: () => Promise<string>,
  survivors: number
): Promise<void> {
  const startedAt = performance.now()
  let done = 0
  let writes = 0
  let slowestStart = 0
  while (done < rounds && Date.now() < endsAt) {
    const result = await killRepeatedly(await createStore(), Math.min(KILLS_PER_STORE, rounds - done), survivors)
    done += result.kills
    writes += result.writes
    slowestStart = Math.max(slowestStart, result.slowestStart)
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
    console.log(
      `${kind}: ${done} kills, ${writes} acknowledged writes, 0 lost, slowest start ${slowestStart} ms, ${minutes} minutes`
    )
  }
  expect(done).toBeGreaterThan(0)
}

/** Kills the server of one store repeatedly. `survivors` is the number of servers that share the store and stay. */
async function killRepeatedly(
  directory: string,
  kills: number,
  survivors: number
): Promise<{ readonly kills: number; readonly writes: number; readonly slowestStart: number }> {
  const nodes = await prepareNodes(directory)
  const receiver = await startWebhookReceiver()
  const others = await Promise.all(Array.from({ length: survivors }, () => nodes.start()))
  let server = await nodes.start({ port: nodes.port })
  // Requests go to the same address after each restart, so that tokens stay valid.
  const target = server
  const webhook = { name: 'All', url: receiver.url, events: ['modifiedFeature'] }
  expect((await call(target, 'createWebhook', { params: { project: 'shop' }, body: webhook })).status).toBe(201)
  const writers = await createWriters(target)
  let slowestStart = 0
  let round = 0
  for (; round < kills && Date.now() < endsAt; round++) {
    const writing = writers.write([target, ...others])
    await untilWritten(writers, 1 + random() * 60)
    await sleep(random() * 20)
    await server.end('SIGKILL')
    if (survivors > 0) await untilWritten(writers, 10)
    await writing.stop()
    // Starts are killed too.
    if (round % 7 === 6) await killStart(nodes.optionsFor({ port: nodes.port }))
    const begin = performance.now()
    server = await nodes.start({ port: nodes.port })
    slowestStart = Math.max(slowestStart, Math.round(performance.now() - begin))
    await verifyRecent(target, writers)
  }
  await verifyTotals(target, writers)
  await verifyDeliveries(receiver, writers)
  await Promise.all([server, ...others].map(({ end }) => end('SIGTERM')))
  const store = directory.startsWith('postgres:') ? directory : `file:${directory}`
  expect(await run(['check', '--store', store], { PATH: process.env.PATH })).toMatchObject({ code: 0 })
  return { kills: round, writes: writers.count(), slowestStart }
}

/** Waits for this many more acknowledged writes, and for three seconds at most. */
async function untilWritten({ count }: Writers, more: number): Promise<void> {
  const [before, begin] = [count(), performance.now()]
  while (count() < before + more && performance.now() - begin < 3_000) await sleep(2)
}

/** Kills a server while it starts. */
async function killStart(options: ProcessOptions): Promise<void> {
  const { child, up } = spawnServer(options)
  await sleep(random() * 1_000)
  child.kill('SIGKILL')
  // It listens, or is killed before it does; it does not end by itself.
  const code = await up.then(
    ({ ended }) => ended,
    (error: Error) => error.message
  )
  if (code !== null) expect(code).toMatch(/ended with null/)
}

/** Expects that every acknowledged change was delivered, and each with one id however often. */
async function verifyDeliveries(receiver: WebhookReceiver, { acknowledged }: Writers): Promise<void> {
  const missing = () => {
    const text = receiver.received.map((message) => message.text).join('\n')
    return [...acknowledged.announced].filter((name) => !text.includes(`"${name}"`))
  }
  await expect.poll(missing, { timeout: 120_000, interval: 200 }).toEqual([])
}
