import { call, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, expect, it, test } from 'vitest'
import { defaultSettings } from '../../../server/src/flags/projects/defaultSettings.ts'
import { runHere } from '../support/program.ts'

let server: TestServer
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
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
  environment = { BURGEE_URL: server.url, BURGEE_TOKEN: (await tokenOf(server)) ?? '', BURGEE_PROJECT: 'shop' }
})

const stale = (...args: readonly string[]) => runHere(['stale', ...args], environment)

it('stale lists stale features with reason, start and advice', async () => {
  const { code, stdout } = await stale('-o', 'table')
  expect([code, stdout.split('\n')]).toEqual([
    0,
    [
      'shared   unmodifiedShort  since 2026-01-30  complete it, archive it, or snooze it while it is still needed',
      'shipped  released         since 2026-01-30  production serves variation-on to all users: remove its variables from the code (burgee cleanup), then complete it',
      ''
    ]
  ])
})

test.each([
  [['--fail'], 1],
  [['--fail', '--reason', 'released'], 1],
  [['--fail', '--reason', 'unused'], 0],
  [['--reason', 'released'], 0],
  [['--reason', 'old'], 2],
  [['--fail', '--project', 'careless'], 2],
  [['--fail', '--project', 'nowhere'], 5]
])('stale %j ends with %i', async (args, code) => {
  expect((await stale(...args)).code).toBe(code)
})

it('stale prints JSON with silenced features on request, and none as an empty list', async () => {
  expect(JSON.parse((await stale('--include-silenced')).stdout)).toMatchObject([
    { key: 'shared', reason: 'unmodifiedShort', since: '2026-01-30T12:00:00.000Z', disabled: false },
    { key: 'shipped', reason: 'released' },
    { key: 'silent', disabled: true },
    { key: 'snoozed', snoozedUntil: '2026-03-02T12:00:00.000Z' }
  ])
  expect((await stale('--reason', 'unused')).stdout).toBe('[]\n')
})

it('stale counts the places that read a feature, after a scan of the code', async () => {
  const references = [{ fileName: 'a.ts', lineNumbers: { start: 1, end: 1 } }]
  const body = { source: 'cli', repo: 'example/shop', branch: 'main', variables: [{ key: 'shared', references }] }
  await call(server, 'updateCodeUsages', { params: { project: 'shop' }, body })
  expect(JSON.parse((await stale()).stdout)).toMatchObject([
    { key: 'shared', reads: 1 },
    { key: 'shipped', reads: 0, action: 'no code reads its variables: archive it' }
  ])
  expect((await stale('-o', 'table')).stdout).toContain('still needed (read in 1 place)\n')
})
