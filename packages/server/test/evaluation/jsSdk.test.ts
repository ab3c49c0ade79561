import { createHash } from 'node:crypto'
import { call, serve, type TestServer } from '@burgee/testing/harness'
import { allUsers, attributeFilter, type FeaturePlan, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import {
  type DevCycleClient,
  type DevCycleOptions,
  type DevCycleUser,
  initializeDevCycle
} from '@devcycle/js-client-sdk'
import { EventSource } from 'eventsource'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import type { TrackedEvent } from '../../src/storage/events/eventEntry.ts'
import { countsOf, entriesOf, eventsOf } from '../support/events/storedEvents.ts'

// The published SDK with only its URL changed. In Node it runs like on a page that is rendered there.
const now = NOW

const values = {
  on: { flag: true, title: 'Hello', limit: 2.5, theme: { dark: true, sizes: [1, 2] } },
  off: { flag: false, title: 'Bye', limit: 0, theme: {} }
} as const

const fourTypes: FeaturePlan = {
  key: 'four-types',
  variables: { flag: 'Boolean', title: 'String', limit: 'Number', theme: 'JSON' },
  variations: values
}

const plan: Plan = {
  settings: { edgeDB: { enabled: true } },
  features: [
    fourTypes,
    { key: 'canada', targets: [{ filters: [attributeFilter('country', 'CA')] }] },
    { key: 'by-plan', targets: [{ filters: [attributeFilter('customData.plan', 'pro')] }] },
    { key: 'off', offIn: ['production'] }
  ]
}

const ada: DevCycleUser = { user_id: 'user 1/é&x', country: 'CA', customData: { plan: 'pro', 'x y': null } }
const silent = () => {}
const logger = { debug: silent, info: silent, warn: silent, error: silent }
const clients: DevCycleClient[] = []
const patience = { interval: 20 }

beforeAll(() => {
  vi.stubGlobal('EventSource', EventSource)
})

afterAll(() => {
  vi.unstubAllGlobals()
})

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

/** Creates a client of the SDK, which is closed after the test. */
function make(
  of: TestServer,
  user: DevCycleUser,
  options: DevCycleOptions = {},
  key = keyOf('client')
): DevCycleClient {
  const client = initializeDevCycle(key, user, {
    apiProxyURL: of.url,
    logger,
    disableRealtimeUpdates: true,
    ...options
  })
  clients.push(client)
  return client
}

/** Creates a client, and waits for its config. */
async function start(of: TestServer, user: DevCycleUser, options: DevCycleOptions = {}): Promise<DevCycleClient> {
  const client = make(of, user, options)
  await client.onClientInitialized()
  return client
}

/** Serves one variation of a feature to all users. */
async function switchTo(of: TestServer, feature: string, variation: string): Promise<void> {
  const targets = [
    {
      audience: { filters: { operator: 'and', filters: [allUsers] } },
      distribution: [{ _variation: variation, percentage: 1 }]
    }
  ]
  const { status } = await call(of, 'updateFeatureConfiguration', {
    params: { project: 'shop', feature },
    query: { environment: 'production' },
    body: { targets }
  })
  expect(status).toBe(200)
}

/** Polls the stored events until there are this many: the SDK sends them with a delay. */
async function flushed(client: DevCycleClient, of: TestServer, count: number): Promise<TrackedEvent[]> {
  const flush = async () => {
    await client.flushEvents()
    return (await eventsOf(of)).length
  }
  await expect.poll(flush, patience).toBe(count)
  return eventsOf(of)
}

describe('the JavaScript client SDK', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await serve(plan, {}, now)
  })

  it('gets values of all four types', async () => {
    const client = await start(server, ada)
    expect(client.isInitialized).toBe(true)
    expect(client.variableValue('flag', false)).toBe(true)
    expect(client.variableValue('title', '')).toBe('Hello')
    expect(client.variableValue('limit', 0)).toBe(2.5)
    expect(client.variableValue('theme', {})).toEqual(values.on.theme)
    expect(client.variable('canada', false)).toMatchObject({
      value: true,
      isDefaulted: false,
      eval: { reason: 'TARGETING_MATCH', details: 'Country', target_id: idOf('canada target 0') }
    })
  })

  test.each([
    ['unknown', 'User Not Targeted'],
    ['off', 'User Not Targeted'],
    ['title', 'Variable Type Mismatch']
  ])('falls back to the default where it is not served: %s', async (key, details) => {
    const client = await start(server, ada)
    const given = { value: false, isDefaulted: true, eval: { reason: 'DEFAULT', details } }
    expect(client.variable(key, false)).toMatchObject(given)
  })

  it('lists the variables and features of its user', async () => {
    const client = await start(server, { user_id: 'eve' })
    expect(Object.keys(client.allFeatures())).toEqual(['four-types'])
    expect(client.allFeatures()['four-types']).toMatchObject({ _variation: idOf('four-types on'), variationKey: 'on' })
    const listed = Object.entries(client.allVariables()).map(([key, { value }]) => [key, value])
    expect(Object.fromEntries(listed)).toEqual(values.on)
  })

  it('gets the values of another user after identifying it', async () => {
    const client = await start(server, { user_id: 'eve' })
    expect(client.variableValue('canada', false)).toBe(false)
    const variables = await client.identifyUser(ada)
    expect(Object.keys(variables)).toContain('canada')
    expect(client.variableValue('canada', false)).toBe(true)
    await client.resetUser()
    expect(client.user?.isAnonymous).toBe(true)
    expect(client.variableValue('canada', false)).toBe(false)
    expect(client.variableValue('title', '')).toBe('Hello')
  })

  it('supports anonymous users', async () => {
    const client = await start(server, { country: 'CA' })
    expect(client.user).toMatchObject({ isAnonymous: true, user_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(client.variableValue('canada', false)).toBe(true)
  })

  it('reports an unknown key', async () => {
    const client = make(server, ada, {}, 'client-unknown')
    await expect(client.onClientInitialized()).rejects.toThrow(/Invalid SDK Key/)
  })

  it('reports tracked events and evaluations', async () => {
    const reporting = await serve(plan, {}, now)
    const client = await start(reporting, ada)
    client.variableValue('flag', false)
    client.variableValue('flag', false)
    client.variableValue('unknown', 1)
    client.track({ type: 'purchase', target: 'basket', value: 12.5, metaData: { items: 2 } })
    const events = await flushed(client, reporting, 1)
    const featureVars = expect.objectContaining({ [idOf('four-types')]: idOf('four-types on') })
    const shared = {
      environment: idOf('production'),
      user: expect.objectContaining({ user_id: ada.user_id }),
      featureVars
    }
    expect(events).toContainEqual(
      expect.objectContaining({
        ...shared,
        type: 'customEvent',
        customType: 'purchase',
        target: 'basket',
        value: 12.5,
        metaData: { items: 2 }
      })
    )
    const from = { platform: 'web', sdkType: 'client' }
    const feature = idOf('four-types')
    const served = { variable: 'flag', feature, variation: idOf('four-types on'), ...from, count: 2 }
    // Evaluations of an unknown variable are not stored.
    await expect.poll(() => countsOf(reporting), patience).toEqual([served, { ...from, count: 1 }])
    const exposures = (await entriesOf(reporting)).flatMap((entry) => entry.exposures ?? [])
    const { user_id } = ada
    expect(exposures).toEqual([
      { user_id, feature, variation: served.variation, platform: 'web', sdkType: 'client', count: 2 },
      { user_id, sdkType: 'client' }
    ])
  })

  it('stores the data of its user, and uses it', async () => {
    await start(server, ada, { enableEdgeDB: true })
    const kept = async () => {
      const params = { project: 'shop', user_id: ada.user_id ?? '' }
      return JSON.stringify((await call(server, 'exportUserData', { params })).body)
    }
    await expect.poll(kept, patience).toContain('edgeData')
    const again = await start(server, { user_id: 'user 1/é&x' }, { enableEdgeDB: true })
    expect(again.variableValue('by-plan', false)).toBe(true)
    const without = await start(server, { user_id: 'user 1/é&x' })
    expect(without.variableValue('by-plan', false)).toBe(false)
  })
})

describe('with streaming', () => {
  let server: TestServer

  beforeEach(async () => {
    server = await serve(plan, {}, now)
  })

  const live = { disableRealtimeUpdates: false }

  it('sees a change without a request of its own', async () => {
    const client = await start(server, ada, live)
    const title = client.variable('title', '')
    const updates: unknown[] = []
    title.onUpdate((value) => updates.push(value))
    expect(title.value).toBe('Hello')
    await switchTo(server, 'four-types', 'off')
    await expect.poll(() => title.value, patience).toBe('Bye')
    expect(client.variableValue('limit', 1)).toBe(0)
    await switchTo(server, 'four-types', 'on')
    await expect.poll(() => title.value, patience).toBe('Hello')
    expect(updates).toEqual(['Bye', 'Hello'])
  })

  it('reports which features and variables changed', async () => {
    const client = await start(server, ada, live)
    const updates: string[] = []
    client.subscribe('featureUpdated:*', (key) => updates.push(`feature ${key}`))
    client.subscribe('variableUpdated:*', (key) => updates.push(`variable ${key}`))
    const params = { project: 'shop', feature: 'canada' }
    const query = { environment: 'production' }
    await call(server, 'updateFeatureConfiguration', { params, query, body: { status: 'inactive' } })
    await expect.poll(() => updates, patience).toEqual(expect.arrayContaining(['feature canada', 'variable canada']))
    expect(updates).toHaveLength(2)
  })

  it('receives no changes once its key is invalidated', async () => {
    const client = await start(server, ada, live)
    const params = { project: 'shop', environment: 'production' }
    await call(server, 'generateSdkKeys', { params, body: { client: true } })
    const { status } = await call(server, 'invalidateSdkKey', { params: { ...params, key: keyOf('client') } })
    expect(status).toBe(200)
    await switchTo(server, 'four-types', 'off')
    expect(client.variableValue('title', '')).toBe('Hello')
    await expect(client.identifyUser({ user_id: 'eve' })).rejects.toThrow()
    await expect(make(server, ada).onClientInitialized()).rejects.toThrow(/Invalid SDK Key/)
  })
})

describe('with obfuscated names', () => {
  const hidden = (id: string) => `dvc_obfs_${createHash('sha256').update(id).digest('hex')}`
  const title = hidden(idOf('variable title'))
  let server: TestServer

  beforeEach(async () => {
    const settings = { obfuscation: { enabled: true, required: true } }
    server = await serve({ ...plan, settings }, {}, now)
  })

  it('gets values by the obfuscated keys of generated code', async () => {
    const client = await start(server, ada, { enableObfuscation: true })
    expect(client.variableValue(title, '')).toBe('Hello')
    expect(client.variableValue('title', '')).toBe('')
    expect(JSON.stringify([client.allVariables(), client.allFeatures()])).not.toMatch(/four-types|title|canada/)
  })

  it('reports evaluations with the plain name', async () => {
    const client = await start(server, ada, { enableObfuscation: true })
    client.variableValue(title, '')
    client.track({ type: 'purchase', target: 'basket' })
    const events = await flushed(client, server, 1)
    await expect.poll(() => countsOf(server), patience).toMatchObject([{ variable: 'title', count: 1 }])
    expect(events).toContainEqual(expect.objectContaining({ customType: 'purchase', target: 'basket' }))
  })

  it('learns that obfuscation is required', async () => {
    await expect(make(server, ada).onClientInitialized()).rejects.toThrow(/obfuscated=1/)
  })
})
