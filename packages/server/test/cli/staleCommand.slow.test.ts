import { call, options, serve, type TestServer } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, expect, it, test } from 'vitest'
import { defaultSettings } from '../../src/flags/projects/defaultSettings.ts'
import { type ExitResult, expectBuilt, expectRefusal, run, runInProcess } from '../support/processes/executable.ts'

let server: TestServer

beforeAll(async () => {
  expectBuilt()
  const staleness = { ...defaultSettings.staleness, enabled: true }
  const half = { on: 0.5, off: 0.5 }
  const features = ['shared', 'snoozed', 'silent'].map((key) => {
    return { key, variations: { on: { [key]: true }, off: { [key]: false } }, targets: [{ serves: half }] }
  })
  server = await serve({
    settings: { staleness },
    features: [...features, { key: 'shipped' }, { key: 'gate', type: 'ops' }]
  })
  const params = (feature: string) => ({ project: 'shop', feature })
  const snoozedUntil = new Date(NOW + 86_400_000).toISOString()
  await call(server, 'updateFeatureStaleness', { params: params('snoozed'), body: { snoozedUntil } })
  await call(server, 'updateFeatureStaleness', { params: params('silent'), body: { disabled: true } })
  await call(server, 'createProject', { body: { key: 'careless', name: 'Careless' } })
})

/** Runs the command on project `shop` of the server; in a separate process if `runIt` says so. */
function stale(args: readonly string[] = [], runIt: typeof runInProcess = runInProcess): Promise<ExitResult> {
  return runIt(['stale', '--project', 'shop', ...args], {
    BURGEE_URL: server.url,
    BURGEE_CLIENT_ID: options.adminClientId,
    BURGEE_CLIENT_SECRET: options.adminClientSecret
  })
}

const shared =
  'shared   unmodifiedShort  since 2026-01-30  complete it, archive it, or snooze it while it is still needed\n'
const shipped =
  'shipped  released         since 2026-01-30  production serves variation-on to all users: remove its variables from the code, then complete it\n'

it('stale lists stale features with reason, start and advice', async () => {
  expect(await stale([], run)).toEqual({ code: 0, stdout: shared + shipped, stderr: '' })
})

it('stale lists silenced features on request', async () => {
  const { stdout } = await stale(['--include-silenced'])
  expect(
    stdout.split('\n').map((line) =>
      line
        .split(/ {2,}/)
        .slice(0, 1)
        .concat(line.match(/disabled|snoozed until \S+;/) ?? [])
    )
  ).toEqual([['shared'], ['shipped'], ['silent', 'disabled'], ['snoozed', 'snoozed until 2026-03-02;'], ['']])
})

test.each([
  [['--fail'], 1],
  [['--fail', '--reason', 'released'], 1],
  [['--fail', '--reason', 'unused'], 0],
  [['--fail', '--reason', 'unused', '--reason', 'unmodifiedShort'], 1],
  [['--reason', 'released'], 0]
])('%j ends with %i', async (args, code) => {
  expect(await stale(args, run)).toMatchObject({ code, stderr: '' })
})

it('stale reports that there are none', async () => {
  expect((await stale(['--reason', 'unused'])).stdout).toBe('project shop has no stale features\n')
})

it('stale --json prints JSON', async () => {
  const { stdout } = await stale(['--json', '--include-silenced'])
  expect(JSON.parse(stdout)).toEqual([
    {
      key: 'shared',
      reason: 'unmodifiedShort',
      since: '2026-01-30T12:00:00.000Z',
      disabled: false,
      action: expect.stringContaining('complete it')
    },
    expect.objectContaining({ key: 'shipped', reason: 'released' }),
    expect.objectContaining({ key: 'silent', disabled: true }),
    expect.objectContaining({ key: 'snoozed', snoozedUntil: '2026-03-02T12:00:00.000Z' })
  ])
  expect((await stale(['--json', '--reason', 'unused'])).stdout).toBe('[]\n')
})

test.each<[string[], RegExp]>([
  [
    ['--reason', 'old'],
    /--reason cannot be "old"\. Only features .*: released, unused, unmodifiedShort, unmodifiedLong/
  ],
  [['--project', 'careless', '--fail'], /project careless does not check for stale features; .*staleness\.enabled/],
  [['--project', 'nowhere'], /has no project "nowhere"/],
  [['all'], /too many arguments for 'stale'/]
])('%j ends with one line and code 2', async (args, says) => {
  expectRefusal(await stale(args), says)
})

it('stale --help lists flags and environment variables', async () => {
  const { stdout, code } = await runInProcess(['stale', '--help'], {})
  expect(code).toBe(0)
  for (const flag of ['--reason', '--include-silenced', '--fail', '--json', 'BURGEE_URL'])
    expect(stdout).toContain(flag)
  expect((await runInProcess(['--help'], {})).stdout).toMatch(/^ {2}stale \[options\] +List the stale features/m)
})
