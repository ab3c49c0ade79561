import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { storeOnDisk } from '@burgee/testing/harness'
import { keyOf } from '@burgee/testing/plan'
import { runs } from '@burgee/testing/scale'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { executable, expectBuilt } from '../support/processes/executable.ts'

/** The number of kills; more of them find more. */
const ROUNDS = runs({ quick: 1, full: 4 })

const administrator = { BURGEE_ADMIN_CLIENT_ID: 'ops', BURGEE_ADMIN_CLIENT_SECRET: 'a-secret-for-the-tests' }

let child: ChildProcess

beforeAll(expectBuilt)

afterEach(() => end('SIGKILL'))

async function end(signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}

/** Starts the executable on a store; returns its URL. */
async function start(directory: string): Promise<string> {
  const args = [executable, '--port', '0', '--store', `file:${directory}`, '--log-level', 'fatal']
  child = spawn(process.execPath, args, { env: administrator, stdio: ['ignore', 'pipe', 'inherit'] })
  if (!child.stdout) throw new Error('the output of the server is not there to be read')
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /listening on (\S+)/.exec(line) ?? []
    if (url) return url
  }
  throw new Error('the server ended before it was up')
}

/** Sends a payload by its name, with the number of evaluations in it; returns whether it was acknowledged. */
async function post(url: string, name: string, value: number): Promise<boolean> {
  const body = {
    batch: [{ user: { user_id: name }, events: [{ type: 'aggVariableEvaluated', target: 'plain', value }] }]
  }
  const headers = { authorization: keyOf('server'), 'content-type': 'application/json', 'idempotency-key': name }
  const answer = await fetch(`${url}/v1/events/batch`, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
    () => undefined
  )
  return answer?.status === 201
}

/** The number of evaluations in the results of the project. */
async function total(url: string): Promise<number> {
  const credentials = {
    grant_type: 'client_credentials',
    client_id: administrator.BURGEE_ADMIN_CLIENT_ID,
    client_secret: administrator.BURGEE_ADMIN_CLIENT_SECRET
  }
  const grant = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(credentials) })
  const { access_token } = (await grant.json()) as { access_token: string }
  const path = '/v1/projects/shop/results/total-evaluations?period=day'
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${access_token}` } })
  const { result } = (await answer.json()) as { result: { evaluations: { value: number }[] } }
  return result.evaluations.reduce((sum, { value }) => sum + value, 0)
}

test(
  'kill -9 while events are sent: unacknowledged events are sent again, and each is counted once',
  async () => {
    const directory = await storeOnDisk({ features: [{ key: 'plain' }] })
    let url = await start(directory)
    let sent = 0
    for (let round = 0; round < ROUNDS; round++) {
      const left = new Map<string, number>()
      const acknowledged: (readonly [name: string, value: number])[] = []
      let isUp = true
      const worker = async (who: number) => {
        for (let index = 0; isUp; index++) {
          const [name, value] = [`${round}-${who}-${index}`, 1 + (index % 7)]
          sent += value
          left.set(name, value)
          if (!(await post(url, name, value))) return
          left.delete(name)
          acknowledged.push([name, value])
        }
      }
      const workers = Array.from({ length: 8 }, (_, who) => worker(who))
      await expect.poll(() => acknowledged.length).toBeGreaterThan(40 + round * 31)
      await end('SIGKILL')
      isUp = false
      await Promise.all(workers)
      expect(left.size).toBeGreaterThan(0)

      url = await start(directory)
      for (const [name, value] of left) expect(await post(url, name, value)).toBe(true)
      // A lost response makes its sender send again, too.
      for (const [name, value] of acknowledged.slice(-5)) expect(await post(url, name, value)).toBe(true)
      expect(await total(url)).toBe(sent)
    }
    await end('SIGTERM')
    url = await start(directory)
    expect(await total(url)).toBe(sent)
  },
  ROUNDS * 15_000 + 30_000
)
