import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { call, jobsToCheck, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { DAY, idOf, NOW } from '@burgee/testing/plan'
import { storedAuditText } from '@burgee/testing/storedData'
import { expect, it, test, vi } from 'vitest'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import { startWebhookReceiver } from '../support/processes/webhookReceiver.ts'

const params = { project: 'shop', environment: 'production' }
const events = ['expiringSdkKey', 'expiringApiClient']
const allowed = { allowedPrivateTargets: parseAllowedDestinations('127.0.0.1') ?? [] }
const at = (days: number) => new Date(NOW + days * DAY).toISOString()

/** The warnings in the log. */
function warningsOf({ logs }: TestServer): object[] {
  return logs.flatMap((line) => {
    const entry = JSON.parse(line)
    return / expires soon$/.test(entry.msg) ? [entry] : []
  })
}

async function metricsOf(server: TestServer): Promise<Record<string, number>> {
  const { body } = await send(server, { path: '/metrics' })
  const lines = String(body).matchAll(/^burgee_expiring_credentials\{kind="(\w+)",state="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, kind, state, count]) => [`${kind} ${state}`, Number(count)]))
}

const noOthers = {
  'scim_token expiring': 0,
  'scim_token expired': 0,
  'workload_trust expiring': 0,
  'workload_trust expired': 0
}

it('warns about keys and clients once in webhooks, daily in the log, and in metrics, even after a restart', async () => {
  const receiver = await startWebhookReceiver()
  const first = await serve(await storeWith({}), allowed)
  await call(first, 'createWebhook', { params, body: { name: 'Ops', url: receiver.url, events } })
  const { body } = await call(first, 'generateSdkKeys', { params, body: { server: true, expiresAt: at(10) } })
  const { key } = body.sdkKeys.server.at(-1)
  const masked = `****${key.slice(-4)}`
  await call(first, 'generateSdkKeys', { params, body: { server: true, expiresAt: at(15) } })
  await call(first, 'createApiClient', { body: { name: 'Bot', clientId: 'bot', roles: [], expiresAt: at(10) } })
  const received = await receiver.until(2)
  const ofKey = received.find(({ body: message }) => message.events[0] === 'expiringSdkKey')
  expect(ofKey?.body).toMatchObject({
    events: ['expiringSdkKey'],
    key: 'production',
    projectId: 'shop',
    changes: [
      {
        type: 'expiringSdkKey',
        _environments: [idOf('production')],
        metadata: { environment: 'production', type: 'server', key: masked, expiresAt: at(10) }
      }
    ]
  })
  const ofClient = received.find(({ body: message }) => message.events[0] === 'expiringApiClient')
  const metadata = { clientId: 'bot', name: 'Bot', expiresAt: at(10) }
  expect(ofClient?.body).toMatchObject({ key: 'bot', changes: [{ type: 'expiringApiClient', metadata }] })
  const none = { ...noOthers, 'sdk_key expired': 0, 'api_client expired': 0 }
  expect(await metricsOf(first)).toEqual({ ...none, 'sdk_key expiring': 1, 'api_client expiring': 1 })
  await jobsToCheck(first)
  expect(warningsOf(first)).toMatchObject([
    { level: 40, project: 'shop', environment: 'production', type: 'server', key: masked, expiresAt: at(10) },
    { level: 40, clientId: 'bot', expiresAt: at(10) }
  ])
  expect(first.logs.join()).not.toContain(key)
  first.clock.now = () => NOW + 1 * DAY
  // The second key is now within the warning days too.
  await vi.waitFor(() => expect(warningsOf(first)).toHaveLength(5), { timeout: 60_000 })
  await receiver.until(3)
  await first.close()

  const again = await serve(first.directory, allowed, NOW + 11 * DAY)
  await vi.waitFor(() => expect(warningsOf(again)).toHaveLength(1), { timeout: 60_000 })
  expect(await metricsOf(again)).toEqual({
    ...noOthers,
    'sdk_key expiring': 1,
    'sdk_key expired': 1,
    'api_client expiring': 0,
    'api_client expired': 1
  })
  expect(receiver.received).toHaveLength(3)
  // Another expiry is another warning.
  await call(again, 'updateSdkKey', { params: { ...params, key }, body: { expiresAt: at(20) } })
  const { body: last } = (await receiver.until(4)).at(-1) ?? {}
  expect(last.changes[0].metadata).toMatchObject({ key: masked, expiresAt: at(20) })
  const history = await storedAuditText(again.directory)
  expect(history).toContain('expiringSdkKey')
  expect(history).not.toContain(key)
})

it('warns about SCIM tokens and trusts', async () => {
  const receiver = await startWebhookReceiver()
  const server = await serve({}, allowed)
  const subscribed = ['expiringScimToken', 'expiringWorkloadTrust']
  await call(server, 'createWebhook', { params, body: { name: 'Ops', url: receiver.url, events: subscribed } })
  const chat = { name: 'Chat', url: `${receiver.url}/chat`, events: subscribed, outputFormat: { type: 'chat' } }
  await call(server, 'createWebhook', { params, body: chat })
  expect((await call(server, 'createScimToken', { body: { name: 'okta', expiresAt: at(10) } })).status).toBe(201)
  const trust = {
    key: 'deploy',
    name: 'Deploy',
    issuer: 'https://ci.example.com',
    audience: 'https://flags.example.com',
    conditions: [{ claim: 'repository_id', op: 'equals', value: '70107786' }],
    grants: { projects: ['shop'], role: 'publisher' },
    expiresAt: at(12)
  }
  expect((await call(server, 'createWorkloadTrust', { body: trust })).status).toBe(201)
  const received = await receiver.until(4)
  const changes = received.flatMap(({ body }) => body.changes ?? [])
  expect(changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'expiringScimToken', metadata: { name: 'okta', expiresAt: at(10) } }),
      expect.objectContaining({
        type: 'expiringWorkloadTrust',
        metadata: { trust: 'deploy', name: 'Deploy', expiresAt: at(12) }
      })
    ])
  )
  expect(received.flatMap(({ body }) => body.text ?? []).sort()).toEqual([
    `SCIM token okta expires: ${at(10)}`,
    `Trust deploy expires: ${at(12)}`
  ])
  expect(await metricsOf(server)).toMatchObject({ 'scim_token expiring': 1, 'workload_trust expiring': 1 })
  await jobsToCheck(server)
  expect(warningsOf(server)).toHaveLength(2)
  expect(receiver.received).toHaveLength(4)
})

it('sends warnings as chat messages, and not to webhooks of other environments or of a feature', async () => {
  const receiver = await startWebhookReceiver()
  const directory = await storeWith({ environments: { production: {}, staging: {} }, features: [{ key: 'plain' }] })
  const server = await serve(directory, allowed)
  const hook = (path: string, members: object) =>
    call(server, 'createWebhook', { params, body: { name: path, url: `${receiver.url}/${path}`, events, ...members } })
  await hook('other', { _environments: ['staging'] })
  await hook('feature', { _feature: 'plain' })
  await hook('chat', { outputFormat: { type: 'chat' }, _environments: ['production'] })
  const { body } = await call(server, 'generateSdkKeys', { params, body: { mobile: true, expiresAt: at(1) } })
  const masked = `****${body.sdkKeys.mobile.at(-1).key.slice(-4)}`
  const [message] = await receiver.until(1)
  expect([message?.path, message?.body]).toEqual([
    '/chat',
    { text: `SDK key ${masked} (mobile) of production in project shop expires: ${at(1)}` }
  ])
  await jobsToCheck(server)
  expect(receiver.received).toHaveLength(1)
})

it('allows only callers who may see clients to subscribe to warnings about them', async () => {
  const directory = await storeWith({})
  await addClients(directory, { limited: ['project:read', 'project:write:settings'] })
  const server = await serve(directory)
  const key = await tokenFor(server, 'limited')
  const body = { name: 'Ops', url: 'https://hooks.example.com/', events: ['expiringSdkKey'] }
  const made = await call(server, 'createWebhook', { params, body, key })
  expect(made.status).toBe(201)
  const { _id: id } = made.body
  const refused = [
    await call(server, 'createWebhook', { params, body: { ...body, url: `${body.url}2`, events }, key }),
    await call(server, 'updateWebhook', { params: { ...params, id }, body: { events }, key })
  ]
  for (const { status, body: answer } of refused) {
    expect([status, answer.message]).toEqual([403, 'this operation requires the permission organization:read:settings'])
  }
  for (const event of ['expiringScimToken', 'expiringWorkloadTrust']) {
    const answer = await call(server, 'updateWebhook', { params: { ...params, id }, body: { events: [event] }, key })
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('organization:write:settings')])
  }
})

test('no warnings are sent when they are disabled', async () => {
  const server = await serve({}, { expiryWarningDays: 0 })
  await call(server, 'generateSdkKeys', { params, body: { server: true, expiresAt: at(1) } })
  await jobsToCheck(server)
  expect(warningsOf(server)).toEqual([])
})
