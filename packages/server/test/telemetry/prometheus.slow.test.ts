import { readFileSync } from 'node:fs'
import { call, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { describe, expect, it, test } from 'vitest'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import { startWebhookReceiver } from '../support/processes/webhookReceiver.ts'

const plan: Plan = {
  environments: { production: {}, staging: {} },
  features: [{ key: 'new-checkout' }, { key: 'off', offIn: ['production'] }]
}

const params = { project: 'shop' }

/** The body of `/metrics`. */
async function metricsOf(served: TestServer): Promise<string> {
  const { status, headers, body } = await send(served, { path: '/metrics' })
  expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)])
  return body
}

/** The samples of a metric: labels → value. */
async function samples(served: TestServer, name: string): Promise<Readonly<Record<string, number>>> {
  const found = (await metricsOf(served)).matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))
  return Object.fromEntries([...found].map(([, labels = '', value]) => [labels, Number(value)]))
}

function evaluate(served: TestServer, key: string, environment = 'production') {
  return call(served, 'evaluateVariable', {
    params: { key },
    body: { user_id: 'ada' },
    key: keyOf('server', environment)
  })
}

describe('evaluations', () => {
  const total = (environment: string, outcome: string, sdkType = 'api') =>
    `project="shop",environment="${environment}",outcome="${outcome}",sdk_type="${sdkType}"`

  it('are counted by project, environment, outcome and kind of SDK', async () => {
    const served = await serve(plan)
    for (const key of ['new-checkout', 'new-checkout', 'off', 'nothing', 'nothing-else']) await evaluate(served, key)
    await evaluate(served, 'new-checkout', 'staging')
    await expect
      .poll(() => samples(served, 'burgee_evaluations_total'))
      .toEqual({
        [total('production', 'served')]: 2,
        [total('production', 'default')]: 1,
        [total('production', 'unknown')]: 2,
        [total('staging', 'served')]: 1
      })
  })

  it('of SDKs are counted once, even if they are sent again', async () => {
    const served = await serve(plan)
    const event = {
      type: 'aggVariableEvaluated',
      target: 'new-checkout',
      value: 7,
      date: NOW,
      metaData: { _feature: idOf('new-checkout'), _variation: idOf('new-checkout variation-on') }
    }
    const body = { batch: [{ user: { user_id: 'server', sdkType: 'server' }, events: [event] }] }
    for (let sent = 0; sent < 2; sent++) {
      const headers = { 'idempotency-key': 'the-same' }
      expect((await call(served, 'sendEventBatches', { body, headers })).status).toBe(201)
    }
    const counted = await samples(served, 'burgee_evaluations_total')
    expect(counted).toEqual({ [total('production', 'served', 'server')]: 7 })
    expect(await samples(served, 'burgee_events_total')).toEqual({ '': 2 })
    expect(await samples(served, 'burgee_event_store_append_duration_seconds_count')).toEqual({
      'outcome="kept"': 1,
      'outcome="repeated"': 1,
      'outcome="failed"': 0
    })
  })

  it('of deleted environments are no longer exported, and others use their current key', async () => {
    const served = await serve(plan)
    for (const environment of ['production', 'staging']) await evaluate(served, 'new-checkout', environment)
    await expect
      .poll(() => samples(served, 'burgee_evaluations_total'))
      .toEqual({
        [total('production', 'served')]: 1,
        [total('staging', 'served')]: 1
      })
    await call(served, 'deleteEnvironment', { params: { ...params, key: 'staging' } })
    await call(served, 'updateEnvironment', { params: { ...params, key: 'production' }, body: { key: 'live' } })
    await expect.poll(() => samples(served, 'burgee_evaluations_total')).toEqual({ [total('live', 'served')]: 1 })
  })
})

test('a config exports the time of its version', async () => {
  const served = await serve(plan)
  const labels = (environment: string) => `project="shop",environment="${environment}"`
  const before = await samples(served, 'burgee_config_version_timestamp_seconds')
  expect(Object.keys(before).sort()).toEqual([labels('production'), labels('staging')])
  served.clock.now = () => NOW + 60_000
  await call(served, 'updateFeatureConfiguration', {
    params: { ...params, feature: 'new-checkout' },
    query: { environment: 'production' },
    body: { status: 'inactive' }
  })
  const after = await samples(served, 'burgee_config_version_timestamp_seconds')
  expect(after[labels('production')]).toBe((NOW + 60_000) / 1000)
  expect(after[labels('staging')]).toBe(before[labels('staging')])
})

test('the server exports whether the store is writable, and the size of the outbox', async () => {
  const served = await serve(plan)
  for (const [name, value] of [
    ['burgee_store_writable', 1],
    ['burgee_deliveries_pending', 0],
    ['burgee_outbox_messages', 0],
    ['burgee_configs', 2]
  ] as const) {
    expect(await samples(served, name)).toEqual({ '': value })
  }
})

test('webhook attempts are counted, and so are the outcomes of messages', async () => {
  const hooks = await startWebhookReceiver()
  const served = await serve(plan, { allowedPrivateTargets: parseAllowedDestinations('127.0.0.1')! })
  const counted = async (name: string) => {
    const found = Object.entries(await samples(served, name))
    return Object.fromEntries(found.filter(([, value]) => value > 0))
  }
  const attempts = () => counted('burgee_delivery_attempts_total')
  const deliveries = () => counted('burgee_deliveries_total')
  const pending = () => samples(served, 'burgee_deliveries_pending')
  const body = { name: 'Hook', url: `${hooks.url}/secret`, events: ['createdFeature'] }
  expect((await call(served, 'createWebhook', { params, body })).status).toBe(201)
  hooks.answer = 500
  await call(served, 'createFeature', { params, body: { key: 'search', name: 'Search' } })
  // It is pending before its first attempt too.
  await expect.poll(attempts).toEqual({ 'receiver="webhook",outcome="failed"': 1 })
  await expect.poll(pending).toEqual({ '': 1 })
  expect(await deliveries()).toEqual({})
  hooks.answer = 204
  served.clock.now = () => NOW + 60_000
  await expect.poll(deliveries).toEqual({ 'receiver="webhook",outcome="delivered"': 1 })
  await expect.poll(pending).toEqual({ '': 0 })
  // A receiver that returns 410 is turned off.
  hooks.answer = 410
  await call(served, 'createFeature', { params, body: { key: 'other', name: 'Other' } })
  const settled = { 'receiver="webhook",outcome="delivered"': 1, 'receiver="webhook",outcome="dead"': 1 }
  await expect.poll(deliveries).toEqual(settled)
  expect(await attempts()).toEqual({
    'receiver="webhook",outcome="failed"': 2,
    'receiver="webhook",outcome="succeeded"': 1
  })
})

test('metrics with alerts exist from the start, so that Prometheus sees their first increase', async () => {
  const served = await serve(plan)
  const starts = async (name: string) => Object.entries(await samples(served, name)).sort()
  expect(await starts('burgee_deliveries_total')).toEqual([
    ['receiver="observability",outcome="dead"', 0],
    ['receiver="observability",outcome="delivered"', 0],
    ['receiver="webhook",outcome="dead"', 0],
    ['receiver="webhook",outcome="delivered"', 0]
  ])
  expect(await starts('burgee_delivery_attempts_total')).toHaveLength(4)
  expect(await starts('burgee_evaluations_dropped_total')).toEqual([['', 0]])
  expect(await starts('burgee_evaluation_problems_total')).toContainEqual(['code="MISSING_USER_ID"', 0])
  expect(await starts('burgee_event_store_append_duration_seconds_count')).toContainEqual(['outcome="failed"', 0])
})

test('every metric has a help text and a valid Prometheus name', async () => {
  const text = await metricsOf(await serve(plan))
  const described = [...text.matchAll(/^# HELP (burgee_\w+) (.*)\n# TYPE \S+ (\w+)$/gm)]
  expect(described.length).toBeGreaterThan(15)
  for (const [, name = '', help, type] of described) {
    expect(help, name).toMatch(/^[A-Z].+\.$/)
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
    if (type === 'histogram') expect(name).toMatch(/_seconds$/)
  }
})

describe('the dashboard for Grafana', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the form is Grafana's.
  const dashboard: any = JSON.parse(
    readFileSync(new URL('../../../../docs/grafana/burgee.json', import.meta.url), 'utf8')
  )
  // biome-ignore lint/suspicious/noExplicitAny: the form is Grafana's.
  const panels: any[] = dashboard.panels
  const expressions: string[] = [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }: { expr: string }) => expr)),
    // biome-ignore lint/suspicious/noExplicitAny: the form is Grafana's.
    ...dashboard.templating.list.map(({ query }: any) => query).filter((query: string) => query !== 'prometheus'),
    // biome-ignore lint/suspicious/noExplicitAny: the form is Grafana's.
    ...dashboard.annotations.list.map(({ expr }: any) => expr)
  ]

  it('queries metrics and labels that the server exports', async () => {
    const directory = await storeWith(plan)
    const served = await serve(directory)
    await evaluate(served, 'new-checkout')
    await expect.poll(async () => Object.keys(await samples(served, 'burgee_evaluations_total')).length).toBe(1)
    const text = await metricsOf(served)
    const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
    const names = expressions.flatMap((expression) => expression.match(/\b(?:burgee|process|nodejs)_\w+/g) ?? [])
    expect(names.length).toBeGreaterThan(20)
    const missing = names.filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|count|sum)$/, '')))
    expect(missing).toEqual([])
    const all = [...known].filter((name) => name?.startsWith('burgee_') && name !== 'burgee_configs')
    expect(all.filter((name) => !names.some((shown) => shown.startsWith(name ?? '')))).toEqual([])
  })

  it('has panels with unique ids and positions', () => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const taken = new Set<string>()
    for (const { title, gridPos } of panels) {
      const { x, y, w, h } = gridPos
      expect(x + w, title).toBeLessThanOrEqual(24)
      for (let column = x; column < x + w; column++) {
        for (let line = y; line < y + h; line++) {
          expect(taken.has(`${column} ${line}`), title).toBe(false)
          taken.add(`${column} ${line}`)
        }
      }
    }
    const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title)
    expect(rows).toEqual(['Traffic', 'Evaluations', 'Events', 'Deliveries', 'Streams and configs', 'Store', 'Process'])
  })

  it('selects its data source by a variable everywhere', () => {
    const sources = JSON.stringify(dashboard).match(/"uid":"[^"]*"/g)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how Grafana writes variables.
    expect(new Set(sources)).toEqual(new Set(['"uid":"burgee"', '"uid":"${datasource}"']))
  })
})
