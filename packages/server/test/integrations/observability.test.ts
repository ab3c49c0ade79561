import { type Call, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf, NOW } from '@burgee/testing/plan'
import { storedAuditText, storedData } from '@burgee/testing/storedData'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import {
  type ReceivedMessage,
  startWebhookReceiver,
  type WebhookReceiver
} from '../support/processes/webhookReceiver.ts'

const accessToken = 'sample-token-that-nobody-may-see'
const observabilityEnvironmentId = 'abc12345'

let system: WebhookReceiver
let server: TestServer

beforeAll(async () => {
  system = await startWebhookReceiver()
  const environments = { production: {}, staging: {} }
  const directory = await storeWith({ environments, features: [{ key: 'checkout' }, { key: 'search' }] })
  server = await serve(directory, { allowedPrivateTargets: parseAllowedDestinations('127.0.0.1')! })
})

beforeEach(async () => {
  system.answer = 202
  await connect(observabilityEnvironmentId, `${system.url}/e/one/`)
  await report({}, false)
  for (const feature of ['checkout', 'search']) {
    for (const environment of ['production', 'staging']) await turn(feature, environment, 'active')
  }
})

async function connect(id: string, environmentUrl: string): Promise<void> {
  const body = { observabilityEnvironmentId: id, accessToken, environmentUrl }
  const { status } = await call(server, 'updateObservabilityIntegration', { body })
  expect(status).toBe(201)
}

async function report(environmentMap: Record<string, string>, enabled = true): Promise<void> {
  const body = { settings: { observability: { enabled, environmentMap } } }
  expect((await call(server, 'updateProject', { params: { key: 'shop' }, body })).status).toBe(200)
}

async function change(feature: string, body: object): Promise<void> {
  const params = { project: 'shop', feature }
  expect((await call(server, 'updateFeature', { params, body })).status).toBe(200)
}

const turn = (feature: string, environment: string, status: 'active' | 'inactive') =>
  change(feature, { configurations: { [environment]: { status } } })

/** Returns the requests to the system since the last call. */
async function receivedDuring(count: number, work: () => Promise<unknown>): Promise<readonly ReceivedMessage[]> {
  const before = system.received.length
  await work()
  return (await system.until(before + count)).slice(before)
}

test('a change of a feature is sent as a deployment event', async () => {
  await report({ production: observabilityEnvironmentId })
  const events = await receivedDuring(1, () => turn('checkout', 'production', 'inactive'))
  const [{ path, headers, body }] = events as [ReceivedMessage]
  expect(path).toBe('/e/one/api/v2/events/ingest')
  expect(headers).toMatchObject({ authorization: `Api-Token ${accessToken}`, 'content-type': 'application/json' })
  expect(body).toEqual({
    eventType: 'CUSTOM_DEPLOYMENT',
    title: 'Feature checkout of shop changed in production',
    startTime: NOW,
    endTime: NOW,
    properties: {
      source: 'burgee',
      project: 'shop',
      feature: 'checkout',
      featureName: expect.any(String),
      environment: 'production',
      changes: 'disabledEnvironment',
      user: expect.any(String),
      date: new Date(NOW).toISOString()
    }
  })
})

test.each([
  ['its key', () => 'staging'],
  ['its id', () => idOf('staging')]
])('maps an environment by %s, and does not send changes of others', async (_, reference) => {
  await turn('checkout', 'staging', 'inactive')
  await report({ [reference()]: observabilityEnvironmentId })
  // Messages about one feature are sent in order: an earlier one for the other environment would arrive first.
  const [event] = await receivedDuring(1, async () => {
    await turn('checkout', 'production', 'inactive')
    await turn('checkout', 'staging', 'active')
  })
  expect(event?.body.properties).toMatchObject({ environment: 'staging', changes: 'enabledEnvironment' })
})

test('sends a change of all environments for those that are mapped', async () => {
  await connect('other', `${system.url}/other`)
  await report({ production: observabilityEnvironmentId, staging: 'other' })
  const events = await receivedDuring(2, () => change('checkout', { name: 'Another name' }))
  const places = events.map(({ path, body }) => [path, body.properties.environment, body.properties.featureName])
  expect(places.toSorted()).toEqual([
    ['/e/one/api/v2/events/ingest', 'production', 'Another name'],
    ['/other/api/v2/events/ingest', 'staging', 'Another name']
  ])
})

test('sends the key of a deleted feature', async () => {
  await report({ production: observabilityEnvironmentId })
  const params = { project: 'shop', feature: 'short-lived' }
  const events = await receivedDuring(2, async () => {
    const body = { key: 'short-lived', name: 'Short-lived' }
    expect((await call(server, 'createFeature', { params, body })).status).toBe(201)
    expect((await call(server, 'deleteFeature', { params })).status).toBe(200)
  })
  expect(events.at(-1)?.body.properties).toMatchObject({ feature: 'short-lived', changes: 'deletedFeature' })
})

test('sends nothing about projects that do not report, or about anything but features', async () => {
  await connect('other', `${system.url}/other`)
  const events = await receivedDuring(1, async () => {
    await turn('checkout', 'production', 'inactive')
    await report({ production: observabilityEnvironmentId }, false)
    await turn('checkout', 'production', 'active')
    await report({ production: 'other' })
    await call(server, 'deleteObservabilityIntegration', { params: { observabilityEnvironmentId: 'other' } })
    await turn('checkout', 'production', 'inactive')
    await report({ production: observabilityEnvironmentId })
    const variable = { key: 'free', type: 'Boolean' }
    expect((await call(server, 'createVariable', { params: { project: 'shop' }, body: variable })).status).toBe(201)
    // Messages about one feature are sent in order: an earlier one would arrive first.
    await turn('checkout', 'production', 'active')
  })
  expect(events.map(({ body }) => body.properties.changes)).toEqual(['enabledEnvironment'])
})

test('retries a failing system, and never logs or stores its token with deliveries', async () => {
  system.answer = 500
  await report({ production: observabilityEnvironmentId })
  const events = await receivedDuring(1, () => turn('checkout', 'production', 'inactive'))
  // A delivery leaves the outbox when it succeeds, so this comes before the system answers again.
  await vi.waitFor(async () => expect(await storedTexts()).toContain('observability:'), 20_000)
  expect(await storedTexts()).not.toContain(accessToken)
  system.answer = 202
  const count = system.received.length
  let minutes = 0
  await vi.waitFor(
    () => {
      // The time of the next attempt depends on the end of the first one.
      minutes += 10
      server.clock.now = () => NOW + minutes * 60_000
      expect(system.received.length).toBe(count + 1)
    },
    { timeout: 60_000, interval: 100 }
  )
  expect(system.received.at(-1)?.body).toEqual(events[0]?.body)
  expect(await storedTexts()).not.toContain(accessToken)
  expect(server.logs.join()).not.toContain(accessToken)
})

/** The stored deliveries and audit entries. The integration itself has its token. */
async function storedTexts(): Promise<string> {
  const { outbox } = await storedData(server.directory)
  return [JSON.stringify(outbox), await storedAuditText(server.directory)].join('\n')
}

test('logs a failing system once until it succeeds or is reconnected', async () => {
  const features = ['one', 'two', 'three', 'four', 'five'].map((key) => ({ key }))
  const own = await serve({ features }, { allowedPrivateTargets: parseAllowedDestinations('127.0.0.1')! })
  const done = async (operation: 'updateObservabilityIntegration' | 'updateProject' | 'updateFeature', given: Call) => {
    expect((await call(own, operation, given)).status).toBeLessThan(300)
  }
  const connectTo = (path: string) =>
    done('updateObservabilityIntegration', {
      body: { observabilityEnvironmentId, accessToken, environmentUrl: `${system.url}${path}` }
    })
  const fails = async (feature: string, answer: number) => {
    system.answer = answer
    const params = { project: 'shop', feature }
    await receivedDuring(1, () => done('updateFeature', { params, body: { description: `Answered ${answer}` } }))
  }
  const reasons = () => {
    const lines = own.logs.filter((line) => line.includes('sending to an observability system failed'))
    return lines.map((line) => {
      const { level, observabilityEnvironmentId: id, reason } = JSON.parse(line)
      expect([level, id]).toEqual([40, observabilityEnvironmentId])
      return reason
    })
  }
  await connectTo('/e/one')
  const observability = { enabled: true, environmentMap: { production: observabilityEnvironmentId } }
  await done('updateProject', { params: { key: 'shop' }, body: { settings: { observability } } })
  await fails('one', 500)
  await expect.poll(reasons).toEqual(['the receiver answered 500'])
  await fails('two', 503)
  await fails('three', 202)
  await fails('four', 403)
  await expect.poll(reasons).toEqual(['the receiver answered 500', 'the receiver answered 403'])
  own.clock.now = () => NOW + 1000
  await connectTo('/e/two')
  own.clock.now = () => NOW + 2000
  await fails('five', 401)
  await expect
    .poll(reasons)
    .toEqual(['the receiver answered 500', 'the receiver answered 403', 'the receiver answered 401'])
  expect(own.logs.join()).not.toContain(accessToken)
})

test('sends nothing to a disconnected system', async () => {
  system.answer = 500
  await report({ production: observabilityEnvironmentId })
  await receivedDuring(1, () => turn('checkout', 'production', 'inactive'))
  system.answer = 202
  const params = { observabilityEnvironmentId }
  expect((await call(server, 'deleteObservabilityIntegration', { params })).status).toBe(200)
  await connect('other', `${system.url}/other`)
  await report({ production: 'other' })
  server.clock.now = () => NOW + 36_000_000
  const events = await receivedDuring(1, () => turn('search', 'production', 'inactive'))
  expect(events.map(({ path }) => path)).toEqual(['/other/api/v2/events/ingest'])
})

test.each([
  ['http://10.0.0.8/', '10.0.0.8 is not public; list it in BURGEE_ALLOWED_PRIVATE_TARGETS to allow it'],
  ['http://[::1]/', '::1 is not public; list it in BURGEE_ALLOWED_PRIVATE_TARGETS to allow it'],
  [
    'http://localhost/',
    'localhost resolves to an address that is not public; list it in BURGEE_ALLOWED_PRIVATE_TARGETS to allow it'
  ],
  ['https://user:pass@example.com/', 'it should not contain a user or a password']
])('refuses the URL %s when it is set', async (environmentUrl, mistake) => {
  const body = { observabilityEnvironmentId, accessToken, environmentUrl }
  const answer = await call(server, 'updateObservabilityIntegration', { body })
  const message = `environmentUrl should be an address that the server can call: ${mistake}`
  expect([answer.status, answer.body.message]).toEqual([400, [message]])
})

test.each([
  [{ accessToken: 'a\r\nb' }, /^accessToken should consist of printable ASCII/],
  [{ accessToken: 'schlüssel' }, /^accessToken should consist of printable ASCII/],
  [{ environmentUrl: 'https://abc.invalid/?a=b' }, /^environmentUrl should have no query/],
  [{ environmentUrl: 'https://abc.invalid/#a' }, /^environmentUrl should have no query/]
])('refuses an unusable connection: %j', async (members, message) => {
  const server = await serve({})
  const whole = { observabilityEnvironmentId: 'abc', accessToken: 'token', environmentUrl: 'https://abc.invalid/' }
  const answer = await call(server, 'updateObservabilityIntegration', { body: { ...whole, ...members } })
  expect(answer.status).toBe(400)
  expect([answer.body.message].flat()[0]).toMatch(message)
})
