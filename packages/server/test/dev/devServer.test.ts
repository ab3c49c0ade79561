import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addCleanup } from '@burgee/testing/cleanup'
import { call, send, type TestServer } from '@burgee/testing/harness'
import { initializeDevCycle } from '@devcycle/nodejs-server-sdk'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  applyOverrides,
  buildConfig,
  type DevServer,
  type DevServerReport,
  type LocalConfig,
  type LocalOverrides,
  type LocalProject,
  LocalProjectError,
  OptionError,
  startDevServer
} from '../../src/dev.ts'
import { openEventStream, waitUntil } from '../support/events/eventStream.ts'
import { logger } from '../support/nodeSdk.ts'

const everyone = { filters: { operator: 'and', filters: [{ type: 'all' }] } }

const checkout = {
  key: 'checkout',
  name: 'Checkout',
  variables: [
    { key: 'new-checkout', type: 'Boolean' },
    { key: 'title', type: 'String' }
  ],
  variations: [
    { key: 'on', name: 'On', variables: { 'new-checkout': true, title: 'New' } },
    { key: 'off', name: 'Off', variables: { 'new-checkout': false, title: 'Old' } }
  ],
  configurations: {
    development: {
      status: 'active',
      targets: [{ name: 'All', audience: everyone, distribution: [{ _variation: 'on', percentage: 1 }] }]
    }
  }
}

const project: LocalProject = {
  key: 'shop',
  environment: 'development',
  environments: ['development', 'production'],
  audiences: [],
  variables: [{ key: 'free', type: 'Number' }],
  features: [{ body: checkout }]
}

let config: LocalConfig
const reports: DevServerReport[] = []
let server: DevServer
/** The same server as the harness names it. */
let at: TestServer

beforeAll(async () => {
  config = await buildConfig(project)
  server = await startDevServer({
    port: 0,
    origins: ['https://shop.test'],
    config,
    onReport: (report) => reports.push(report),
    onNotice: () => {}
  })
  at = { url: server.url, port: Number(new URL(server.url).port) } as TestServer
  return server.close
})

beforeEach(() => {
  server.serve(config)
  reports.length = 0
})

const user = { user_id: 'ada' }
const key = 'dvc_server_whatever'

async function values(userId = 'ada'): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await call(at, 'evaluateVariables', { body: { user_id: userId }, key })
  expect(status).toBe(200)
  const variables: Readonly<Record<string, { readonly value: unknown }>> = body
  return Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value]))
}

function override(overrides: LocalOverrides, of = config): readonly string[] {
  const overridden = applyOverrides(of, overrides)
  server.serve(overridden.config)
  return overridden.issues
}

describe('a server for development', () => {
  it.each(['server-a', 'client-b', 'mobile-c', 'dvc_server_d_hash', 'dvc_client_e', 'dvc_mobile_f'])(
    'accepts the SDK key %s',
    async (sdkKey) => {
      const { status, body } = await call(at, 'ofrepEvaluateFlag', {
        params: { key: 'title' },
        body: { context: { targetingKey: 'ada' } },
        key: sdkKey
      })
      expect([status, body.value]).toEqual([200, 'New'])
    }
  )

  it.each(['', 'secret', 'serverkey', 'x-server-a'])('refuses the SDK key %j', async (sdkKey) => {
    expect((await call(at, 'evaluateVariables', { body: user, key: sdkKey })).status).toBe(401)
  })

  it('serves evaluations of all APIs, and configs', async () => {
    expect(Object.keys((await call(at, 'evaluateFeatures', { body: user, key })).body)).toEqual(['checkout'])
    const context = { context: { targetingKey: 'ada' } }
    const ofrep = await call(at, 'ofrepEvaluateFlag', { params: { key: 'title' }, body: context, key })
    expect(ofrep.body).toMatchObject({ value: 'New', reason: 'STATIC', variant: 'on' })
    const document = await call(at, 'getServerConfig', { params: { key } })
    expect(document.body.features.map((feature: { key: string }) => feature.key)).toEqual(['checkout'])
    const dates = { createdDate: '1', lastSeenDate: '1', deviceModel: 'test', isAnonymous: 'false' }
    const sdk = { sdkType: 'client', platform: 'JavaScript', platformVersion: '1', sdkVersion: '1' }
    const query = { ...user, ...dates, ...sdk, sdkKey: 'client-any' }
    expect((await call(at, 'getClientConfig', { query, key: null })).body.variables.title.value).toBe('New')
  })

  it('reports evaluations and events, and keeps none', async () => {
    await call(at, 'evaluateVariable', { params: { key: 'title' }, body: user, key })
    const events = [{ type: 'purchase', value: 3 }]
    expect((await call(at, 'track', { body: { user, events }, key })).status).toBe(201)
    await waitUntil(() => new Set(reports.map(({ type }) => type)).size === 2)
    expect(reports).toContainEqual({ type: 'event', name: 'purchase', user: 'ada', target: undefined, value: 3 })
    expect(reports).toContainEqual({
      type: 'evaluation',
      variable: 'title',
      feature: 'checkout',
      variation: 'on',
      count: expect.any(Number)
    })
  })

  it('refuses requests for other hosts, as of pages whose name is resolved to this computer', async () => {
    const request = { path: `/config/v2/server/${key}.json` }
    for (const host of ['localhost', 'shop.localhost:3000', '127.0.0.1:8787', '[::1]']) {
      expect([host, (await send(at, { ...request, headers: { host } })).status]).toEqual([host, 200])
    }
    for (const host of ['flags.example.com', 'localhost.example.com', '192.168.0.2']) {
      const { status, body } = await send(at, { ...request, headers: { host } })
      expect([host, status, body.message]).toEqual([
        host,
        421,
        `burgee dev answers requests to localhost only, got "${host}"`
      ])
    }
  })

  it('refuses requests of pages of other origins, which any page on the internet could send', async () => {
    const request = { path: `/config/v2/server/${key}.json` }
    for (const origin of ['http://localhost:3000', 'http://shop.localhost:3000', 'https://shop.test']) {
      expect([origin, (await send(at, { ...request, headers: { origin } })).status]).toEqual([origin, 200])
    }
    for (const origin of ['https://example.com', 'https://shop.test.example.com', 'null']) {
      const { status, body } = await send(at, { ...request, headers: { origin } })
      expect([origin, status, body.message]).toEqual([
        origin,
        403,
        `burgee dev answers pages of localhost only, got origin "${origin}": add it with --origin`
      ])
    }
  })

  it('says that it has no management API', async () => {
    expect(await send(at, { path: '/v1/projects' })).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('burgee dev serves evaluations, configs, streams and events') }
    })
  })

  it('does not start on a port in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    addCleanup(() => void other.close())
    const { port } = other.address() as AddressInfo
    await expect(startDevServer({ port, config, onNotice: () => {} })).rejects.toThrow(
      new OptionError(`cannot listen on port ${port}: it is in use; choose another one with --port`)
    )
  })

  it('announces each config in streams, with a version that is newer', async () => {
    const stream = await openEventStream(at, '/event-stream?sdkKey=server-any')
    const versions = [(await call(at, 'getServerConfig', { params: { key } })).headers['last-modified']]
    for (const title of ['A', 'B']) {
      override({ variables: { title } })
      await waitUntil(() => stream.messages().length >= versions.length)
      expect(await values()).toEqual({ 'new-checkout': true, title })
      versions.push((await call(at, 'getServerConfig', { params: { key } })).headers['last-modified'])
    }
    const times = versions.map((version) => Date.parse(String(version)))
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other))
  })

  it('updates the Node.js SDK in local mode through its stream', async () => {
    const client = initializeDevCycle('dvc_server_any', {
      logger,
      configCDNURI: server.url,
      eventsAPIURI: server.url,
      enableCloudBucketing: false
    })
    addCleanup(() => client.close())
    await client.onClientInitialized()
    expect(client.variableValue(user, 'title', 'default')).toBe('New')
    override({ variables: { title: 'Overridden' } })
    await waitUntil(() => client.variableValue(user, 'title', 'default') === 'Overridden')
  })
})

describe('overrides', () => {
  it('of a variable leave the other variables of its feature as they are', async () => {
    expect(override({ variables: { title: 'Mine' } })).toEqual([])
    expect(await values()).toEqual({ 'new-checkout': true, title: 'Mine' })
  })

  it('give a variable without a feature a value', async () => {
    expect(override({ variables: { free: 7 } })).toEqual([])
    expect(await values()).toEqual({ free: 7, 'new-checkout': true, title: 'New' })
  })

  it('of a feature serve a variation to all users, or to single ones', async () => {
    expect(override({ features: { checkout: 'off' }, users: { ada: { features: { checkout: 'on' } } } })).toEqual([])
    expect([await values('ada'), await values('grace')]).toEqual([
      { 'new-checkout': true, title: 'New' },
      { 'new-checkout': false, title: 'Old' }
    ])
  })

  it('that do not fit are reported, and the others are used', async () => {
    expect(
      override({
        variables: { titel: 'a', 'new-checkout': 'yes', title: 'Mine' },
        features: { checkout: 'offf', chekout: 'on' },
        users: { ada: { features: { gone: 'on' } } }
      })
    ).toEqual([
      'there is no variable "titel" (did you mean title?)',
      'variable "new-checkout" is a Boolean, got "yes"',
      'feature "checkout" has no variation "offf" (did you mean off?)',
      'feature "chekout" is not on in development (did you mean checkout?): override its variables instead',
      'feature "gone" is not on in development: override its variables instead'
    ])
    expect(await values()).toEqual({ 'new-checkout': true, title: 'Mine' })
  })

  it('give the variables of a feature that is off values', async () => {
    const production = await buildConfig({ ...project, environment: 'production' })
    server.serve(production)
    expect(await values()).toEqual({})
    expect(override({ variables: { 'new-checkout': true } }, production)).toEqual([])
    expect(await values()).toEqual({ 'new-checkout': true })
  })
})

describe('a config that is built from bodies of requests', () => {
  it('has the same ids at each start, so that users keep their variations', async () => {
    const again = await buildConfig(project)
    const features = (each: LocalConfig) => each.configs.map((one) => one.config.features)
    expect(features(again)).toEqual(features(config))
  })

  it.each<[keyof LocalProject, Partial<LocalProject>, string]>([
    ['variables', { variables: [{ key: 'a', type: 'Nmber' }] }, 'type'],
    ['features', { features: [{ body: { ...checkout, variations: [{ key: 'on' }] } }] }, 'variations'],
    ['audiences', { audiences: [{ key: 'a', name: 'A', filters: {} }] }, 'filters']
  ])('names the body among %s that the management API would refuse', async (kind, part, member) => {
    const refusal = await buildConfig({ ...project, ...part }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(LocalProjectError)
    expect(refusal).toMatchObject({ kind, index: 0 })
    expect((refusal as LocalProjectError).issues.join('\n')).toContain(member)
  })
})
