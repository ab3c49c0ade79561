import { call, send, serve, type TestServer } from '@burgee/testing/harness'
import { allUsers, attributeFilter, idOf, keyOf, type Plan } from '@burgee/testing/plan'
import { initializeDevCycle } from '@devcycle/nodejs-server-sdk'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { countsOf, eventsOf } from '../support/events/storedEvents.ts'
import { clients, closeAll, cloud, freezeDate, local, logger, now, valuesOf } from '../support/nodeSdk.ts'

freezeDate()

const values = {
  on: { flag: true, title: 'Hello', limit: 2.5, theme: { dark: true, sizes: [1, 2] } },
  off: { flag: false, title: 'Bye', limit: 0, theme: {} }
} as const

const plan: Plan = {
  features: [
    {
      key: 'four-types',
      variables: { flag: 'Boolean', title: 'String', limit: 'Number', theme: 'JSON' },
      variations: values
    },
    { key: 'canada', targets: [{ filters: [attributeFilter('country', 'CA')] }] },
    { key: 'off', offIn: ['production'] },
    { key: 'internal', visibleTo: ['server'] }
  ],
  settings: { sdkTypeVisibility: { enabledInFeatureSettings: true } }
}
const ada = { user_id: 'ada', country: 'CA' }

afterEach(closeAll)

/** Switches a feature to a variation for all users. */
async function switchTo(of: TestServer, feature: string, variation: string): Promise<void> {
  const filters = { operator: 'and', filters: [allUsers] }
  const targets = [{ audience: { filters }, distribution: [{ _variation: variation, percentage: 1 }] }]
  const { status } = await call(of, 'updateFeatureConfiguration', {
    params: { project: 'shop', feature },
    query: { environment: 'production' },
    body: { targets }
  })
  expect(status).toBe(200)
}

describe('the Node SDK in local mode', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await serve(plan, {}, now)
  })

  it('evaluates variables of all four types', async () => {
    const client = await local(server)
    expect(client.isInitialized).toBe(true)
    expect(client.variable(ada, 'flag', false)).toMatchObject({ value: true, isDefaulted: false, type: 'Boolean' })
    expect(client.variableValue(ada, 'flag', false)).toBe(true)
    expect(client.variableValue(ada, 'title', '')).toBe('Hello')
    expect(client.variableValue(ada, 'limit', 0)).toBe(2.5)
    expect(client.variableValue(ada, 'theme', {})).toEqual(values.on.theme)
  })

  it('falls back to defaults for variables that are unknown, off, of another type or not served', async () => {
    const client = await local(server)
    for (const key of ['unknown', 'off', 'title']) {
      expect(client.variable(ada, key, false)).toMatchObject({ value: false, isDefaulted: true })
    }
    expect(client.variable({ user_id: 'eve' }, 'canada', false)).toMatchObject({ value: false, isDefaulted: true })
  })

  it('lists variables and features as the server does', async () => {
    const client = await local(server)
    const variables = (await call(server, 'evaluateVariables', { body: ada })).body
    expect(valuesOf(client.allVariables(ada))).toEqual(valuesOf(variables))
    const features = (await call(server, 'evaluateFeatures', { body: ada })).body
    const variationsOf = (of: object) => Object.entries(of).map(([key, { _variation }]) => [key, _variation])
    expect(variationsOf(client.allFeatures(ada))).toEqual(variationsOf(features))
    expect(Object.keys(features)).toEqual(['four-types', 'canada', 'internal'])
  })

  it('applies overrides of team members', async () => {
    const own = await serve(plan, {}, now)
    await call(own, 'updateUserProfile', { params: { project: 'shop' }, body: { svcUserId: 'ada' } })
    await call(own, 'updateFeatureOverride', {
      params: { project: 'shop', feature: 'four-types' },
      body: { environment: 'production', variation: 'off' }
    })
    const client = await local(own)
    expect(client.variableValue(ada, 'title', '')).toBe('Bye')
    expect(client.variableValue({ user_id: 'eve' }, 'title', '')).toBe('Hello')
  })

  it('creates the initial config of a browser from what client keys may see', async () => {
    const client = await local(server, { enableClientBootstrapping: true })
    const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36'
    const config = await client.getClientBootstrapConfig(ada, agent)
    expect(config.clientSDKKey).toBe(keyOf('client'))
    expect(Object.keys(config.features)).toEqual(['four-types', 'canada'])
    expect(config.variables.title).toMatchObject({ value: 'Hello' })
    expect(JSON.stringify(config)).not.toContain(keyOf('server'))
  })

  it('applies changes when it polls, including every change of a burst', async () => {
    const own = await serve(plan, {}, now)
    const client = await local(own)
    for (const variation of ['off', 'on', 'off']) {
      await switchTo(own, 'four-types', variation)
      await expect.poll(() => client.variableValue(ada, 'flag', variation === 'off')).toBe(variation === 'on')
    }
  })

  it('applies a streamed change long before the next poll', async () => {
    const own = await serve(plan, {}, now)
    const client = await local(own, { disableRealTimeUpdates: false, configPollingIntervalMS: 600_000 })
    for (const variation of ['off', 'on', 'off']) {
      await switchTo(own, 'four-types', variation)
      await expect.poll(() => client.variableValue(ada, 'flag', variation === 'off')).toBe(variation === 'on')
    }
  })

  it('reports events, which are stored once', async () => {
    const own = await serve(plan, {}, now)
    const client = await local(own)
    client.variableValue(ada, 'flag', false)
    client.variableValue({ user_id: 'eve' }, 'canada', false)
    client.track(ada, { type: 'purchase', target: 'shoes', value: 12.5, metaData: { currency: 'EUR' } })
    await client.flushEvents()
    await client.flushEvents()
    const kept = await eventsOf(own)
    expect(kept.filter(({ customType, type }) => (customType ?? type) === 'purchase')).toMatchObject([
      { user: { user_id: 'ada' }, target: 'shoes', value: 12.5, metaData: { currency: 'EUR' } }
    ])
    const from = { platform: 'NodeJS', sdkType: 'server', count: 1 }
    expect(await countsOf(own)).toEqual([
      { variable: 'flag', feature: idOf('four-types'), variation: idOf('four-types on'), ...from },
      { variable: 'canada', feature: idOf('canada'), ...from }
    ])
  })

  it('sends events once that are too large to be accepted, and later events too', async () => {
    const own = await serve(plan, {}, now)
    const client = await local(own)
    const metaData = { text: 'x'.repeat(150_000) }
    for (let count = 0; count < 60; count++) client.track(ada, { type: 'huge', metaData })
    await client.flushEvents()
    client.track(ada, { type: 'small' })
    await client.flushEvents()
    await client.flushEvents()
    expect((await eventsOf(own)).map(({ customType }) => customType)).toEqual(['small'])
    expect((await send(own, { path: '/metrics' })).body).toMatch(/^burgee_events_refused_total 1$/m)
  })

  it('reports an unknown key', async () => {
    const key = `server-${'x'.repeat(32)}`
    const client = initializeDevCycle(key, { logger, configCDNURI: server.url, eventsAPIURI: server.url })
    clients.push(client)
    await expect(client.onClientInitialized()).rejects.toThrow(key)
  })

  it('keeps its config when its key is invalidated, and does not start with that key again', async () => {
    const own = await serve(plan, {}, now)
    const params = { project: 'shop', environment: 'production' }
    await call(own, 'generateSdkKeys', { params, body: { server: true } })
    const client = await local(own)
    await call(own, 'invalidateSdkKey', { params: { ...params, key: keyOf('server') } })
    await expect(local(own)).rejects.toThrow(keyOf('server'))
    expect(client.variableValue(ada, 'title', '')).toBe('Hello')
  })
})

describe('the Node SDK in cloud mode', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await serve(plan, {}, now)
  })

  it('evaluates variables of all four types', async () => {
    const client = cloud(server)
    expect(await client.variable(ada, 'flag', false)).toMatchObject({ value: true, isDefaulted: false })
    expect(await client.variableValue(ada, 'title', '')).toBe('Hello')
    expect(await client.variableValue(ada, 'limit', 0)).toBe(2.5)
    expect(await client.variableValue(ada, 'theme', {})).toEqual(values.on.theme)
  })

  it('falls back to defaults where the server returns 404', async () => {
    const client = cloud(server)
    for (const key of ['unknown', 'off']) {
      expect(await client.variable(ada, key, false)).toMatchObject({ value: false, isDefaulted: true })
    }
    expect(await client.variable({ user_id: 'eve' }, 'canada', false)).toMatchObject({ isDefaulted: true })
  })

  it('lists variables and features', async () => {
    const client = cloud(server)
    expect(valuesOf(await client.allVariables(ada))).toEqual({ ...values.on, canada: true, internal: true })
    expect(Object.keys(await client.allFeatures(ada))).toEqual(['four-types', 'canada', 'internal'])
  })

  it('reports events', async () => {
    const own = await serve(plan, {}, now)
    const client = cloud(own)
    await client.track(ada, { type: 'purchase', target: 'shoes', value: 12.5, metaData: { currency: 'EUR' } })
    await expect
      .poll(() => eventsOf(own))
      .toMatchObject([
        { user: { user_id: 'ada' }, type: 'purchase', target: 'shoes', value: 12.5, metaData: { currency: 'EUR' } }
      ])
  })

  it('has its evaluations counted by the server', async () => {
    const own = await serve(plan, {}, now)
    const client = cloud(own)
    for (const key of ['flag', 'flag', 'off', 'unknown']) await client.variableValue(ada, key, false)
    const totals = async (feature: string) => {
      const { body } = await call(own, 'getFeatureTotalEvaluations', {
        params: { project: 'shop', feature },
        query: { sdkType: 'server', platform: 'NodeJS', startDate: now, endDate: now + 1 }
      })
      return body.result.evaluations.map(({ values }: { values: object }) => values)
    }
    expect(await totals('four-types')).toEqual([{ on: 2, off: 0, default: 0 }])
    expect(await totals('off')).toEqual([{ 'variation-on': 0, 'variation-off': 0, default: 1 }])
    const query = { startDate: now, endDate: now + 1 }
    const figure = async (id: 'getProjectTotalEvaluations' | 'getProjectEvaluations') => {
      const { body } = await call(own, id, { params: { project: 'shop' }, query })
      return body.result.evaluations[0].value
    }
    expect([await figure('getProjectTotalEvaluations'), await figure('getProjectEvaluations')]).toEqual([4, 1])
  })

  it('sees a change in the next evaluation', async () => {
    const own = await serve(plan, {}, now)
    const client = cloud(own)
    expect(await client.variableValue(ada, 'flag', false)).toBe(true)
    await switchTo(own, 'four-types', 'off')
    expect(await client.variableValue(ada, 'flag', true)).toBe(false)
  })
})
