import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeSettings } from '@burgee/kit/settings'
import { send, serve } from '@burgee/testing/harness'
import { describe, expect, it, test } from 'vitest'
import { settings, VARIABLE_PREFIX } from '../../src/cli/settings.ts'
import { packageVersion } from '../../src/version.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')
const files = readdirSync(`${root}/deploy`, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.length))

describe('the files for deployment', () => {
  it('set only variables that the server has', () => {
    const rows = describeSettings(settings, VARIABLE_PREFIX)
    const known = new Set(rows.flatMap(({ variable, fileVariable }) => [variable, fileVariable]))
    const named = files.flatMap((file) => {
      const variables = read(file).match(/\bBURGEE_[A-Z_]+\b/g) ?? []
      return variables.filter((name) => !known.has(name)).map((name) => `${file}: ${name}`)
    })
    expect(files.length).toBeGreaterThan(15)
    expect(named).toEqual([])
  })

  it('name the version of the packages', () => {
    const versions = files.flatMap((file) => {
      const found = read(file).matchAll(/(?:\bburgee:|^(?:version|appVersion): )(\d+\.\d+\.\d+[\w.-]*)/gm)
      return [...found].map(([, version]) => `${file} ${version}`)
    })
    expect(versions.length).toBeGreaterThan(5)
    expect(versions.filter((version) => !version.endsWith(` ${packageVersion()}`))).toEqual([])
  })

  it('allow more time for a stop than the server takes', () => {
    const listen = read('packages/server/src/api/http/listen.ts')
    const [accept = Number.NaN, drain = Number.NaN] = ['ACCEPT_MS', 'DRAIN_MS'].map((name) =>
      Number(new RegExp(`${name} = ([\\d_]+)`).exec(listen)?.[1]?.replace('_', ''))
    )
    // The longest notice of an example, which is more than the default.
    const notices = files.flatMap((file) => [...read(file).matchAll(/BURGEE_SHUTDOWN_NOTICE_SECONDS=(\d+)/g)])
    const seconds = Math.max(...notices.map(([, notice]) => Number(notice))) + (accept + drain) / 1_000
    expect(seconds).toBeGreaterThan(Number(settings.shutdownNoticeSeconds.default))
    const periods = files.flatMap((file) => {
      const text = read(file)
      const pause = Number(/command: \[sleep, '(\d+)'\]/.exec(text)?.[1] ?? 0)
      const found = text.matchAll(/^ *(?:terminationGracePeriodSeconds: |TimeoutStopSec=|stop_grace_period: )(\d+)/gm)
      return [...found].map(([, period]) => ({ file, left: Number(period) - pause }))
    })
    expect(periods.length).toBe(5)
    expect(periods.filter(({ left }) => left < seconds + 5)).toEqual([])
  })
})

test('the alerts query metrics that the server exports', async () => {
  const served = await serve({ features: [{ key: 'new-checkout' }] })
  const { body } = await send(served, { path: '/metrics' })
  // Only edge nodes, and servers with workers, export these.
  const others = ['edgeMetrics', 'workerMetrics'].flatMap((file) => [
    ...read(`packages/server/src/telemetry/metrics/${file}.ts`).matchAll(/'(burgee_(?:edge|workers)\w*)'/g)
  ])
  const exported = new Set([...body.matchAll(/^# TYPE (\w+)/gm), ...others].map(([, name]) => name))
  const expressions = read('deploy/prometheus/alerts.yml').replace(/^ *(summary|description|- alert): .*$/gm, '')
  const names = expressions.match(/\b(?:burgee|process|nodejs)_\w+/g) ?? []
  expect(names.length).toBeGreaterThan(10)
  const isExported = (name: string) => exported.has(name) || exported.has(name.replace(/_(bucket|count|sum)$/, ''))
  expect(names.filter((name) => !isExported(name))).toEqual([])
})

test('every alert has a test in which it fires', () => {
  const alerts = [...read('deploy/prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const tested = [
    ...read('deploy/prometheus/alerts.test.yml').matchAll(/- alertname: (\w+)\n *eval_time: \w+\n *exp_alerts:/g)
  ]
  expect(alerts.length).toBeGreaterThan(10)
  expect(new Set(alerts)).toEqual(new Set(tested.map(([, name]) => name)))
})
