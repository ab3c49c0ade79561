import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, options, serve, type TestServer } from '@burgee/testing/harness'
import { beforeEach, expect, it, vi } from 'vitest'
import { makeFolder, run, start } from '../support/program.ts'

/** Several requests of new features. */
const COUNT = 200

// Each test starts several processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

let server: TestServer
let environment: Readonly<Record<string, string>>
let file: string

beforeEach(async () => {
  server = await serve({})
  file = join(await makeFolder(), 'flags.json')
  const features = Array.from({ length: COUNT }, (_, index) => [`flag-${index}`, { name: `Flag ${index}` }])
  await writeFile(file, JSON.stringify({ burgee: 1, features: Object.fromEntries(features) }))
  environment = {
    BURGEE_URL: server.url,
    BURGEE_CLIENT_ID: options.adminClientId,
    BURGEE_CLIENT_SECRET: options.adminClientSecret,
    BURGEE_PROJECT: 'shop',
    BURGEE_CONFIG_DIR: await makeFolder()
  }
})

async function created(): Promise<number> {
  const { headers } = await call(server, 'listFeatures', { params: { project: 'shop' }, query: { perPage: 1 } })
  return Number(headers.count)
}

/** Starts an application, and returns it when it has made some of its changes. */
async function startApply() {
  const running = start(['apply', file, '--yes'], environment)
  running.hangUp()
  await vi.waitUntil(async () => (await created()) > 2, { timeout: 60_000, interval: 5 })
  return running
}

async function expectFinished(): Promise<void> {
  expect(await run(['apply', file, '--yes'], environment)).toMatchObject({ code: 0 })
  expect(await created()).toBe(COUNT)
  expect(await run(['plan', file, '--detailed-exit-code'], environment)).toMatchObject({ code: 0 })
}

it('finishes the current change after Ctrl-C, says what was not started, and continues when it runs again', async () => {
  const running = await startApply()
  running.kill('SIGINT')
  const { code, stdout, stderr } = await running.ended
  expect([code, stderr]).toEqual([130, expect.stringContaining('finishing the current change')])
  const outcomes: readonly string[] = JSON.parse(stdout).items.map(({ outcome }: { outcome: string }) => outcome)
  expect(outcomes).toHaveLength(COUNT)
  expect(new Set(outcomes)).toEqual(new Set(['applied', 'notStarted']))
  expect(await created()).toBe(outcomes.filter((outcome) => outcome === 'applied').length)
  await expectFinished()
})

it('is finished by the next run after it was killed', async () => {
  const running = await startApply()
  running.kill('SIGKILL')
  await running.ended
  expect(await created()).toBeLessThan(COUNT)
  await expectFinished()
})

it('completes when two pipelines apply the same files concurrently', async () => {
  const ended = await Promise.all([
    run(['apply', file, '--yes'], environment),
    run(['apply', file, '--yes'], environment)
  ])
  // One of them may find that the other one started between its plan and its first change.
  for (const { code, stderr } of ended) {
    if (code === 0) continue
    expect([code, stderr]).toEqual([6, expect.stringContaining('nothing was changed: another burgee apply')])
  }
  expect(ended.map(({ code }) => code)).toContain(0)
  await expectFinished()
})
