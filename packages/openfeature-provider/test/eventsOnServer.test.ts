import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@burgee/contract'
import { type RunningServer, readOptions, startServer } from '@burgee/server'
import { OpenFeature } from '@openfeature/server-sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BurgeeProvider } from '../src/index.ts'

let directory: string
let server: RunningServer
let sdkKey: string
let ids: { readonly feature: string; readonly variation: string }

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'burgee-events-'))
  const options = ['--store', `file:${directory}`, '--port', '0', '--log-level', 'error']
  server = await startServer(readOptions(options, {}))
  const manage = createClient({ baseUrl: server.url, credentials: server.administrator! })
  const project = 'shop'
  await manage.createProject({ body: { key: project, name: 'Shop' } })
  const target = {
    audience: { filters: { operator: 'and' as const, filters: [{ type: 'all' }] } },
    distribution: [{ _variation: 'on', percentage: 1 }]
  }
  const feature = await manage.createFeature({
    params: { project },
    body: {
      key: 'checkout',
      name: 'Checkout',
      variables: [{ key: 'checkout', type: 'Boolean' }],
      variations: [{ key: 'on', name: 'On', variables: { checkout: true } }],
      configurations: { production: { status: 'active', targets: [target] } }
    }
  })
  const { sdkKeys } = await manage.getEnvironment({ params: { project, key: 'production' } })
  sdkKey = sdkKeys!.server[0]!.key
  ids = { feature: feature._id, variation: feature.variations![0]!._id! }
})

afterAll(async () => {
  await OpenFeature.close()
  await server.close()
  await rm(directory, { recursive: true })
})

test('what is tracked and what is evaluated is kept by the server, and nothing that is private', async () => {
  const warnings: string[] = []
  const logger = {
    error() {},
    warn: (...parts: unknown[]) => void warnings.push(parts.join(' ')),
    info() {},
    debug() {}
  }
  await OpenFeature.setProviderAndWait('events', new BurgeeProvider({ url: server.url, sdkKey, logger }))
  const client = OpenFeature.getClient('events')
  const context = { targetingKey: 'ada', plan: 'pro', privateCustomData: { secret: 'hidden' } }
  for (let index = 0; index < 3; index++) expect(await client.getBooleanValue('checkout', false, context)).toBe(true)
  await client.getStringValue('checkout', '', context)
  client.track('purchase', context, { value: 12.5, currency: 'CAD' })
  await OpenFeature.clearProviders()

  const text = await readFile(join(directory, 'events.jsonl'), 'utf8')
  expect(text).not.toContain('hidden')
  const payloads = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  expect(payloads).toEqual([expect.objectContaining({ idempotencyKey: expect.any(String) })])
  const reports: { user: object; events: object[] }[] = payloads.flatMap((payload) => payload.reports)
  const events = reports.flatMap(({ user, events }) => events.map((event) => ({ user, ...event })))
  expect(events).toHaveLength(3)
  const [purchase, evaluated, defaulted] = events
  expect(purchase).toMatchObject({
    type: 'customEvent',
    customType: 'purchase',
    user: { user_id: 'ada', customData: { plan: 'pro' } },
    value: 12.5,
    metaData: { currency: 'CAD' },
    featureVars: { [ids.feature]: ids.variation }
  })
  expect(evaluated).toMatchObject({
    type: 'aggVariableEvaluated',
    target: 'checkout',
    value: 3,
    metaData: { _feature: ids.feature, _variation: ids.variation, eval: { TARGETING_MATCH: 3 } }
  })
  expect(defaulted).toMatchObject({ type: 'aggVariableDefaulted', target: 'checkout', value: 1 })
  expect(warnings).toEqual([])
})
