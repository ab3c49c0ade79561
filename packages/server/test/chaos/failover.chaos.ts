import { setTimeout as sleep } from 'node:timers/promises'
import { call, type TestServer, tokenOf } from '@burgee/testing/harness'
import { seededRandom } from '@burgee/testing/seededRandom'
import { beforeAll, expect, test } from 'vitest'
import { createCounterFeature, serveNumber } from '../postgres/support/counterFlag.ts'
import { expectBuilt } from '../support/processes/executable.ts'
import { chaosSeed, endsAt, roundsOr, stores } from './support/chaosOptions.ts'
import { prepareNodes } from './support/nodes.ts'
import { findMissing, startPatroniCluster } from './support/patroniCluster.ts'
import { verifyRecent, verifyTotals } from './support/verify.ts'
import { createWriters } from './support/writers.ts'

const random = seededRandom(chaosSeed)
const missing = findMissing()

if (missing.length > 0) console.log(`failover is skipped: install the packages ${missing.join(', ')} of Debian`)

beforeAll(expectBuilt)

test.runIf(stores.includes('postgres') && missing.length === 0)(
  'two servers lose nothing and evaluate correctly while the primary of their database is killed repeatedly',
  { timeout: 24 * 3_600_000 },
  async () => {
    const cluster = await startPatroniCluster()
    const nodes = await prepareNodes(cluster.url)
    const one = await nodes.start({ port: nodes.port })
    const other = await nodes.start()
    await createCounterFeature(one)
    const writers = await createWriters(one)
    // Writers do not expect an outage before they have a token.
    await Promise.all([one, other].map(tokenOf))
    const writing = writers.write([one, other])
    const counter = startCounter([one, other])
    const elections: number[] = []
    const outages: number[] = []
    for (let round = 0; round < roundsOr(20) && Date.now() < endsAt; round++) {
      await cluster.healthy()
      const before = writers.count()
      await expect.poll(() => writers.count(), { timeout: 60_000 }).toBeGreaterThan(before + 20)
      await sleep(random() * 500)
      const killedAt = performance.now()
      // A lost machine is noticed when its lease ends; a lost process at once.
      await cluster.killPrimary({ withPatroni: round % 4 === 3 })
      elections.push(Math.round(performance.now() - killedAt))
      const atElection = writers.count()
      await expect.poll(writers.count, { timeout: 120_000, interval: 20 }).toBeGreaterThan(atElection)
      outages.push(Math.round(performance.now() - killedAt))
      console.log(
        `failover ${round + 1}: a new primary after ${elections.at(-1)} ms, a write after ${outages.at(-1)} ms`
      )
    }
    await cluster.healthy()
    await writing.stop()
    const { evaluations, wrong } = await counter.stop()
    expect(wrong).toEqual([])
    expect(writers.signInsAgain()).toBe(0)
    await verifyRecent(one, writers)
    await verifyTotals(other, writers)
    console.log(
      `failover: primary killed ${outages.length} times, ${writers.count()} acknowledged writes, 0 lost, ` +
        `${writers.signInsAgain()} sessions lost, ${evaluations} evaluations, 0 wrong; a new primary after ${describeTimes(elections)}, writes after ${describeTimes(outages)}`
    )
  }
)

function describeTimes(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  return `${sorted[sorted.length >> 1]} ms (median, ${sorted.at(-1)} ms at most)`
}

/** Changes the number that a feature serves, and evaluates it at all servers. */
function startCounter(servers: readonly TestServer[]) {
  let isStopped = false
  let evaluations = 0
  let sent = 0
  const wrong: string[] = []
  const write = async () => {
    for (let turn = 0; !isStopped; turn++) {
      sent += 1
      // `servers` has members.
      const at = servers[turn % servers.length] as TestServer
      const isWritten = await serveNumber(at, sent).then(
        () => true,
        () => false
      )
      await sleep(isWritten ? 20 : 100)
    }
  }
  const read = async (at: TestServer) => {
    // No server goes back to an earlier number.
    let floor = 0
    while (!isStopped) {
      const input = { params: { key: 'counter' }, body: { user_id: 'ada' } }
      const { status, body } = await call(at, 'evaluateVariable', input)
      evaluations += 1
      if (status !== 200 || body.value < floor || body.value > sent) {
        wrong.push(`${status} ${body.value} instead of ${floor} to ${sent}`)
      } else floor = body.value
      await sleep(5)
    }
  }
  const running = Promise.all([write(), ...servers.map(read)])
  // Reported by `stop`.
  running.catch(() => {})
  return {
    stop: async () => {
      isStopped = true
      await running
      return { evaluations, wrong: wrong.slice(0, 5) }
    }
  }
}
