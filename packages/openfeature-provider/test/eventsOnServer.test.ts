import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@burgee/contract/client'
import { parseOptions, type RunningServer, startServer } from '@burgee/server'
import { OpenFeature } from '@openfeature/server-sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BurgeeProvider } from '../src/index.ts'

let directory: string
let server: RunningServer
let sdkKey: string
let manage: Client
let ids: { readonly feature: string; readonly variation: string }

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'burgee-events-'))
  const options = ['--store', `file:${directory}`, '--port', '0', '--log-level', 'error']
  server = await startServer(parseOptions(options, {}))
  manage = createClient({ baseUrl: server.url, credentials: server.administrator! })
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

const logger = (warnings: string[]) => ({
  error() {},
  warn: (...parts: unknown[]) => void warnings.push(parts.join(' ')),
  info() {},
  debug() {}
})

/** Returns the event lines that the server stored. */
async function kept() {
  const folder = join(directory, 'events')
  const days = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))
  const texts = await Promise.all(days.map((name) => readFile(join(folder, name), 'utf8')))
  const lines = texts.join('').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

test('the server stores tracked events and evaluations, and no private data', async () => {
  const warnings: string[] = []
  await OpenFeature.setProviderAndWait(
    'events',
    new BurgeeProvider({ url: server.url, sdkKey, logger: logger(warnings) })
  )
  const client = OpenFeature.getClient('events')
  const context = { targetingKey: 'ada', plan: 'pro', privateCustomData: { secret: 'hidden' } }
  for (let index = 0; index < 3; index++) expect(await client.getBooleanValue('checkout', false, context)).toBe(true)
  await client.getStringValue('checkout', '', context)
  client.track('purchase', context, { value: 12.5, currency: 'CAD' })
  await OpenFeature.clearProviders()

  const entries = await kept()
  expect(JSON.stringify(entries)).not.toContain('hidden')
  expect(entries).toMatchObject([
    {
      payloadId: expect.any(String),
      reports: [
        {
          user: { user_id: 'ada', customData: { plan: 'pro' } },
          events: [
            {
              type: 'customEvent',
              customType: 'purchase',
              value: 12.5,
              metaData: { currency: 'CAD' },
              featureVars: { [ids.feature]: ids.variation }
            }
          ]
        }
      ],
      counts: [
        { variable: 'checkout', ...ids, sdkType: 'server', count: 3 },
        { variable: 'checkout', feature: ids.feature, sdkType: 'server', count: 1 }
      ]
    }
  ])
  expect(warnings).toEqual([])
})

test('the results of an experiment include the exposures of users without events', async () => {
  const project = 'shop'
  const feature = await manage.createFeature({
    params: { project },
    body: {
      key: 'button',
      name: 'Button',
      variables: [{ key: 'colour', type: 'String' }],
      variations: ['red', 'blue'].map((key) => ({ key, name: key, variables: { colour: key } })),
      configurations: {
        production: {
          status: 'active',
          targets: [
            {
              audience: { filters: { operator: 'and' as const, filters: [{ type: 'all' }] } },
              distribution: ['red', 'blue'].map((_variation) => ({ _variation, percentage: 0.5 }))
            }
          ]
        }
      }
    }
  })
  await manage.createMetric({
    params: { project },
    body: {
      key: 'orders',
      name: 'Orders',
      event: 'order',
      dimension: 'COUNT_PER_UNIQUE_USER',
      optimize: 'increase'
    }
  })
  const warnings: string[] = []
  const provider = new BurgeeProvider({ url: server.url, sdkKey, logger: logger(warnings) })
  await OpenFeature.setProviderAndWait('experiment', provider)
  const client = OpenFeature.getClient('experiment')
  const users: Record<string, number> = { red: 0, blue: 0 }
  const buyers: Record<string, number> = { red: 0, blue: 0 }
  for (let index = 0; index < 200; index++) {
    const context = { targetingKey: `user ${index}` }
    const colour = await client.getStringValue('colour', 'none', context)
    // A further evaluation adds no user.
    expect(await client.getStringValue('colour', 'none', context)).toBe(colour)
    users[colour]!++
    if (index % 4 > 0) continue
    buyers[colour]!++
    client.track('order', context)
  }
  await provider.flush()
  const moment = Date.now()
  const { result } = await manage.getMetricResults({
    params: { project, key: 'orders' },
    query: {
      feature: 'button',
      environment: 'production',
      startDate: new Date(moment - 600_000).toISOString(),
      endDate: new Date(moment + 600_000).toISOString()
    }
  })
  const figures = result.variations.map(({ key, numerator, denominator }) => ({ key, numerator, denominator }))
  expect(figures).toEqual(['red', 'blue'].map((key) => ({ key, numerator: buyers[key], denominator: users[key] })))
  expect(users.red! + users.blue!).toBe(200)
  expect(Math.min(users.red!, users.blue!)).toBeGreaterThan(50)
  // Each evaluation counts once; exposures are not added.
  const counts = (await kept()).flatMap(({ counts = [] }) => counts)
  const ofFeature = counts.filter(({ feature: id }) => id === feature._id)
  expect(ofFeature.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(400)
  expect(warnings).toEqual([])
})
