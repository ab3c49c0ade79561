import type { Operations } from '@burgee/contract'
import { ChangeType } from '@burgee/contract/schemas'
import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { type ApiResponse, type Call, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf } from '@burgee/testing/plan'
import { storedAuditText } from '@burgee/testing/storedData'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import {
  type ReceivedMessage,
  startWebhookReceiver,
  verifyMessage,
  type WebhookReceiver
} from '../support/processes/webhookReceiver.ts'

const project = 'shop'
const HOUR = 3_600_000
const allowed = { allowedPrivateTargets: parseAllowedDestinations('127.0.0.1') ?? [] }

let receiver: WebhookReceiver
let server: TestServer
let reader: string

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  const directory = await storeWith({
    environments: { production: {}, staging: {} },
    features: [{ key: 'checkout' }, { key: 'search' }]
  })
  await addClients(directory, { reader: ['project:read'], owner: ['project:read', 'project:write:settings'] })
  server = await serve(directory, allowed)
  reader = await tokenFor(server, 'reader')
})

beforeEach(() => {
  receiver.answer = 204
})

async function done(id: keyof Operations, given: Call): Promise<ApiResponse['body']> {
  const { status, body } = await call(server, id, { ...given, params: { project, ...given.params } })
  expect([id, status < 300, status < 300 || body]).toEqual([id, true, true])
  return body
}

let count = 0

/** A new webhook with its own path. */
async function hook(members: object = {}): Promise<{ readonly id: string; readonly path: string }> {
  const path = `/hook-${++count}`
  const body = { name: path, url: `${receiver.url}${path}?token=s3cr3t`, events: ChangeType.options, ...members }
  return { id: (await done('createWebhook', { body }))._id, path: `${path}?token=s3cr3t` }
}

let changes = 0

/** Changes a feature. */
function change(feature = 'checkout'): Promise<unknown> {
  return done('updateFeature', { params: { feature }, body: { description: `Change ${++changes}` } })
}

/** Returns the messages to a path once there are this many. */
async function sentTo(path: string, wanted: number): Promise<readonly ReceivedMessage[]> {
  const sent = () => receiver.received.filter((message) => message.path === path)
  await expect.poll(() => sent().length).toBe(wanted)
  return sent()
}

/** Returns the deliveries of a webhook once they have these states. */
async function deliveriesOf(id: string, statuses: readonly string[]): Promise<ApiResponse['body']> {
  const list = async () => done('listWebhookDeliveries', { params: { id } })
  const states = async () => (await list()).map(({ status }: ApiResponse['body']) => status)
  await expect.poll(states).toEqual(statuses)
  return list()
}

function secretOf(id: string): Promise<{ readonly secret: string; readonly previousEndsAt?: string }> {
  return done('getWebhookSecret', { params: { id } })
}

describe('a secret', () => {
  it('signs each message so that Standard Webhooks libraries verify it', async () => {
    const { id, path } = await hook()
    const { secret } = await secretOf(id)
    await change()
    const [message] = (await sentTo(path, 1)) as [ReceivedMessage]
    expect(verifyMessage(message, secret, server.clock.now())).toEqual(message.body)
    const [{ _id }] = await deliveriesOf(id, ['delivered'])
    expect(message.headers).toMatchObject({
      'webhook-id': _id,
      'webhook-timestamp': String(server.clock.now() / 1000)
    })
    const { secret: other } = await secretOf((await hook()).id)
    expect(() => verifyMessage(message, other, server.clock.now())).toThrow('No matching signature')
  })

  it('signs for a day after it was replaced', async () => {
    const { id, path } = await hook()
    const { secret: first } = await secretOf(id)
    const rotated = await done('rotateWebhookSecret', { params: { id } })
    const now = server.clock.now()
    expect(rotated).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      previousEndsAt: new Date(now + 24 * HOUR).toISOString()
    })
    expect(rotated.secret).not.toBe(first)
    expect(await secretOf(id)).toEqual(rotated)
    await change()
    const [both] = (await sentTo(path, 1)) as [ReceivedMessage]
    for (const secret of [first, rotated.secret]) expect(verifyMessage(both, secret, now)).toEqual(both.body)

    const { secret: third } = await done('rotateWebhookSecret', { params: { id } })
    await change()
    const [, without] = (await sentTo(path, 2)) as [ReceivedMessage, ReceivedMessage]
    for (const secret of [rotated.secret, third]) expect(verifyMessage(without, secret, now)).toEqual(without.body)
    expect(() => verifyMessage(without, first, now)).toThrow('No matching signature')

    server.clock.now = () => now + 24 * HOUR
    try {
      const given = { params: { id }, key: await tokenFor(server, 'owner') }
      expect(await done('getWebhookSecret', given)).toEqual({ secret: third })
      const attempt = await done('testWebhook', given)
      expect(attempt.status).toBe(204)
    } finally {
      server.clock.now = () => now
    }
    const [, , alone] = (await sentTo(path, 3)) as [ReceivedMessage, ReceivedMessage, ReceivedMessage]
    expect(verifyMessage(alone, third, now + 24 * HOUR)).toEqual(alone.body)
    expect(() => verifyMessage(alone, rotated.secret, now + 24 * HOUR)).toThrow('No matching signature')
  })

  it('is in no other response, no audit entry and no log', async () => {
    const { id } = await hook({ name: 'Secret' })
    const { secret } = await secretOf(id)
    const { secret: next } = await done('rotateWebhookSecret', { params: { id } })
    const texts = [
      await done('updateWebhook', { params: { id }, body: { name: 'Secret too' } }),
      await done('getWebhook', { params: { id } }),
      await done('listWebhooks', {}),
      await done('deleteWebhook', { params: { id } }),
      await done('listAuditEntries', { query: { project } })
    ]
    texts.push(await storedAuditText(server.directory))
    for (const each of [secret, next]) expect(JSON.stringify([texts, server.logs])).not.toContain(each.slice(6, -1))
    expect(JSON.stringify(texts)).not.toContain('whsec_')
    expect(JSON.stringify(texts)).toContain('"secret":"replaced"')
  })

  it('is shown to callers who may change the webhook', async () => {
    const { id } = await hook()
    const given = { params: { project, id }, key: reader }
    for (const operation of ['getWebhookSecret', 'rotateWebhookSecret', 'testWebhook'] as const) {
      expect((await call(server, operation, given)).status).toBe(403)
    }
    expect((await call(server, 'listWebhookDeliveries', given)).status).toBe(200)
  })
})

describe('a test', () => {
  it('sends a signed sample once, and returns the result', async () => {
    const { id, path } = await hook({ events: ['addedTarget', 'modifiedFeature'] })
    const entries = (await call(server, 'listAuditEntries')).headers.count
    const attempt = await done('testWebhook', { params: { id } })
    expect(attempt).toMatchObject({ at: new Date(server.clock.now()).toISOString(), status: 204 })
    expect(attempt).not.toHaveProperty('error')
    const [message] = (await sentTo(path, 1)) as [ReceivedMessage]
    expect(verifyMessage(message, (await secretOf(id)).secret, server.clock.now())).toEqual({
      events: ['addedTarget'],
      key: 'sample-feature',
      projectId: 'shop',
      version: 'v1',
      changes: [{ type: 'addedTarget' }],
      date: new Date(server.clock.now()).toISOString(),
      user: { name: 'Administrator' },
      test: true
    })
    expect(await done('listWebhookDeliveries', { params: { id } })).toEqual([])
    expect((await call(server, 'listAuditEntries')).headers.count).toBe(entries)
  })

  it('returns how the receiver fails, without retries', async () => {
    const { id, path } = await hook({ enabled: false, outputFormat: { type: 'chat' } })
    receiver.answer = 410
    expect(await done('testWebhook', { params: { id } })).toMatchObject({
      status: 410,
      error: 'the receiver answered 410',
      response: 'noted'
    })
    const [{ body }] = (await sentTo(path, 1)) as [ReceivedMessage]
    expect(body).toEqual({
      text: 'This is a test; nothing has changed. Administrator created feature sample-feature of project shop'
    })
    const { body: webhook } = await call(server, 'getWebhook', { params: { project, id } })
    expect(webhook).not.toHaveProperty('disabledReason')
  })

  it('returns why there was no response', async () => {
    const { _id: id } = await done('createWebhook', {
      body: { name: 'Nobody', url: 'http://127.0.0.1:9/', events: [] }
    })
    const attempt = await done('testWebhook', { params: { id } })
    expect(attempt).toEqual({ at: expect.any(String), error: expect.any(String), durationMs: expect.any(Number) })
  })

  it('runs once at a time for each webhook', async () => {
    const { id } = await hook()
    const { id: other } = await hook()
    let release = () => {}
    const isHeld = new Promise<void>((resolve) => {
      release = resolve
    })
    const before = receiver.received.length
    receiver.answer = async () => {
      await isHeld
      return 200
    }
    const first = done('testWebhook', { params: { id } })
    await receiver.until(before + 1)
    const { status, body } = await call(server, 'testWebhook', { params: { project, id } })
    expect([status, body.message]).toEqual([409, expect.stringMatching(/^a test of webhook ".+" is running/)])
    receiver.answer = 200
    expect((await done('testWebhook', { params: { id: other } })).status).toBe(200)
    release()
    expect((await first).status).toBe(200)
    expect((await done('testWebhook', { params: { id } })).status).toBe(200)
  })

  it('runs at most three times concurrently in a project, regardless of other projects', async () => {
    const hooks = [await hook(), await hook(), await hook(), await hook()]
    await done('createProject', { body: { key: 'patient', name: 'Patient' } })
    const body = { name: 'Patient', url: `${receiver.url}/patient`, events: [] }
    const { body: theirs } = await call(server, 'createWebhook', { params: { project: 'patient' }, body })
    let release = () => {}
    const isHeld = new Promise<void>((resolve) => {
      release = resolve
    })
    const before = receiver.received.length
    receiver.answer = async () => {
      await isHeld
      return 200
    }
    const running = hooks.slice(0, 3).map(({ id }) => done('testWebhook', { params: { id } }))
    await receiver.until(before + 3)
    receiver.answer = 200
    const refused = await call(server, 'testWebhook', { params: { project, id: hooks[3]!.id } })
    const message = '3 tests of webhooks of project "shop" are running; retry when one of them has finished'
    expect([refused.status, refused.body.message, refused.headers['retry-after']]).toEqual([429, message, '15'])
    const params = { project: 'patient', id: theirs._id }
    expect((await call(server, 'testWebhook', { params })).body.status).toBe(200)
    release()
    await Promise.all(running)
    expect((await done('testWebhook', { params: { id: hooks[3]!.id } })).status).toBe(200)
  })

  it('runs at most thirty times a minute in a project', async () => {
    const projectWithHook = async (key: string): Promise<Call> => {
      await done('createProject', { body: { key, name: key } })
      const body = { name: key, url: `${receiver.url}/${key}`, events: [] }
      const { body: made } = await call(server, 'createWebhook', { params: { project: key }, body })
      return { params: { project: key, id: made._id } }
    }
    const [busy, quiet] = [await projectWithHook('busy'), await projectWithHook('quiet')]
    for (let times = 0; times < 30; times += 1) expect((await call(server, 'testWebhook', busy)).status).toBe(200)
    const refused = await call(server, 'testWebhook', busy)
    expect([refused.status, refused.body.message]).toEqual([
      429,
      expect.stringMatching(/^too many webhook tests in this project \(limit: 30 per minute\); retry in \d+ s$/)
    ])
    expect((await call(server, 'testWebhook', quiet)).status).toBe(200)
  })
})

describe('a delivery', () => {
  it('is listed with its result, newest first', async () => {
    const { id } = await hook()
    const now = server.clock.now()
    await change()
    server.clock.now = () => now + 1000
    await change('search')
    const listed = await deliveriesOf(id, ['delivered', 'delivered'])
    server.clock.now = () => now
    expect(listed.map(({ _feature }: ApiResponse['body']) => _feature)).toEqual([idOf('search'), idOf('checkout')])
    const [newest] = listed
    expect(newest).toMatchObject({
      _project: idOf('shop'),
      _webhook: id,
      events: ['modifiedFeature'],
      attempts: [{ status: 204, durationMs: expect.any(Number) }]
    })
    expect(newest).not.toHaveProperty('nextAttemptAt')
    expect(await done('getWebhookDelivery', { params: { id, delivery: newest._id } })).toEqual(newest)
    const query = (members: object) =>
      call(server, 'listWebhookDeliveries', { params: { project, id }, query: { ...members } })
    const { body, headers } = await query({ perPage: 1, page: 2 })
    expect([headers.count, body]).toEqual(['2', [listed[1]]])
    expect((await query({ status: 'dead' })).body).toEqual([])
    expect((await query({ status: 'delivered' })).body).toHaveLength(2)
    expect((await query({ status: 'lost' })).status).toBe(400)
  })

  it('that fails is pending until its next attempt, which can be brought forward', async () => {
    const { id, path } = await hook()
    receiver.answer = 500
    await change()
    const [delivery] = await deliveriesOf(id, ['pending'])
    const read = () => done('getWebhookDelivery', { params: { id, delivery: delivery._id } })
    await expect.poll(async () => (await read()).attempts.length).toBe(1)
    const { attempts, nextAttemptAt } = await read()
    expect(attempts).toMatchObject([{ status: 500, error: 'the receiver answered 500', response: 'noted' }])
    expect(Date.parse(nextAttemptAt)).toBeGreaterThanOrEqual(server.clock.now() + 5000)
    const params = { project, id, delivery: delivery._id }
    const { body: seen } = await call(server, 'getWebhookDelivery', { params, key: reader })
    expect(seen.attempts).toEqual([
      { at: expect.any(String), status: 500, error: 'the receiver answered 500', durationMs: expect.any(Number) }
    ])
    expect((await call(server, 'redeliverWebhook', { params, key: reader })).status).toBe(403)
    await change()
    let release = () => {}
    const isHeld = new Promise<void>((resolve) => {
      release = resolve
    })
    receiver.answer = async () => {
      await isHeld
      return 200
    }
    const again = await done('redeliverWebhook', { params: { id, delivery: delivery._id } })
    expect(again).toMatchObject({ status: 'pending', nextAttemptAt: new Date(server.clock.now()).toISOString() })
    await sentTo(path, 2)
    const { status, body } = await call(server, 'redeliverWebhook', { params })
    expect([status, body.message]).toEqual([409, expect.stringContaining('is being attempted')])
    release()
    // And the one behind it is sent.
    await deliveriesOf(id, ['delivered', 'delivered'])
  })

  it('that is pending has the time of its attempt, also during the first one', async () => {
    const { id, path } = await hook()
    let release = () => {}
    const isHeld = new Promise<void>((resolve) => {
      release = resolve
    })
    receiver.answer = async () => {
      await isHeld
      return 200
    }
    await change()
    await sentTo(path, 1)
    const [delivery] = await done('listWebhookDeliveries', { params: { id } })
    const at = new Date(server.clock.now()).toISOString()
    expect(delivery).toMatchObject({ status: 'pending', events: ['modifiedFeature'], attempts: [], nextAttemptAt: at })
    expect(await done('getWebhookDelivery', { params: { id, delivery: delivery._id } })).toEqual(delivery)
    release()
    await deliveriesOf(id, ['delivered'])
  })

  it('that is queued behind another one shows when that one is attempted next', async () => {
    const { id } = await hook()
    receiver.answer = 500
    await change()
    const [first] = await deliveriesOf(id, ['pending'])
    const read = (delivery: string) => done('getWebhookDelivery', { params: { id, delivery } })
    await expect.poll(async () => (await read(first._id)).attempts.length).toBe(1)
    const { nextAttemptAt } = await read(first._id)
    const now = server.clock.now()
    server.clock.now = () => now + 1000
    await change()
    const [second] = await deliveriesOf(id, ['pending', 'pending'])
    server.clock.now = () => now
    expect([second._id === first._id, second.nextAttemptAt]).toEqual([false, nextAttemptAt])
    expect((await read(second._id)).nextAttemptAt).toBe(nextAttemptAt)
  })

  it('that is dead can be redelivered with its id', async () => {
    const { id, path } = await hook()
    receiver.answer = 410
    await change()
    const [dead] = await deliveriesOf(id, ['dead'])
    const read = () => done('getWebhook', { params: { id } })
    await expect.poll(async () => (await read()).enabled).toBe(false)
    expect(await read()).toMatchObject({ disabledReason: expect.stringContaining('410') })
    const { status, body } = await call(server, 'redeliverWebhook', { params: { project, id, delivery: dead._id } })
    expect([status, body.message]).toEqual([409, expect.stringContaining('is disabled')])
    const on = await done('updateWebhook', { params: { id }, body: { enabled: true } })
    expect([on.enabled, 'disabledReason' in on, 'disabledReason' in (await read())]).toEqual([true, false, false])
    receiver.answer = 200
    const entries = (await call(server, 'listAuditEntries')).headers.count
    const again = await done('redeliverWebhook', { params: { id, delivery: dead._id } })
    expect(again).toMatchObject({ _id: dead._id, status: 'pending' })
    const [first, second] = (await sentTo(path, 2)) as [ReceivedMessage, ReceivedMessage]
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(second.body).toEqual(first.body)
    const [delivered] = await deliveriesOf(id, ['delivered'])
    expect(delivered.attempts.map(({ status }: ApiResponse['body']) => status)).toEqual([410, 200])
    await done('redeliverWebhook', { params: { id, delivery: dead._id } })
    await sentTo(path, 3)
    expect((await call(server, 'listAuditEntries')).headers.count).toBe(entries)
  })

  it('of another webhook, or of another project, is not found', async () => {
    const { id } = await hook()
    const { id: other } = await hook()
    await change()
    const [{ _id: delivery }] = await deliveriesOf(id, ['delivered'])
    await done('createProject', { body: { key: `else-${count}`, name: 'Else' } })
    for (const operation of ['getWebhookDelivery', 'redeliverWebhook'] as const) {
      for (const params of [
        { project, id: other, delivery },
        { project: `else-${count}`, id, delivery }
      ]) {
        expect((await call(server, operation, { params })).status).toBe(404)
      }
    }
    for (const operation of [
      'getWebhookSecret',
      'rotateWebhookSecret',
      'testWebhook',
      'listWebhookDeliveries'
    ] as const) {
      expect((await call(server, operation, { params: { project: `else-${count}`, id } })).status).toBe(404)
    }
  })
})

test('a user and password in the URL are sent as basic authentication', async () => {
  const url = `${receiver.url.replace('//', '//ada:p%40ss%20word@')}/private`
  const { _id: id } = await done('createWebhook', { body: { name: 'Private', url, events: [] } })
  expect(await done('testWebhook', { params: { id } })).toMatchObject({ status: 204 })
  const [{ headers }] = (await sentTo('/private', 1)) as [ReceivedMessage]
  expect(headers.authorization).toBe(`Basic ${Buffer.from('ada:p@ss word').toString('base64')}`)
})

test('no message is sent to a webhook that is disabled', async () => {
  const { id, path } = await hook({ enabled: false })
  const { path: always } = await hook()
  await change()
  await sentTo(always, 1)
  await done('updateWebhook', { params: { id }, body: { enabled: true } })
  await change()
  await sentTo(always, 2)
  expect(await deliveriesOf(id, ['delivered'])).toHaveLength(1)
  await sentTo(path, 1)
  await done('updateWebhook', { params: { id }, body: { enabled: false } })
  await change()
  await sentTo(always, 3)
  expect(await deliveriesOf(id, ['delivered'])).toHaveLength(1)
})

test('no message is sent to webhooks of a deleted project', async () => {
  await done('createProject', { body: { key: 'brief', name: 'Brief' } })
  const body = { name: 'Brief', url: `${receiver.url}/brief`, events: ChangeType.options }
  const inBrief = { project: 'brief' }
  await done('createWebhook', { params: inBrief, body })
  receiver.answer = 500
  await done('createFeature', { params: inBrief, body: { key: 'short', name: 'Short' } })
  await sentTo('/brief', 1)
  await done('deleteProject', { params: { key: 'brief' } })
  receiver.answer = 200
  const now = server.clock.now()
  server.clock.now = () => now + HOUR
  const { path } = await hook()
  await change()
  await sentTo(path, 1)
  server.clock.now = () => now
  expect(receiver.received.filter((message) => message.path === '/brief')).toHaveLength(1)
})

describe('a chat message', () => {
  it('has one line with the actor, the action, the feature and the environments', async () => {
    const { path } = await hook({ outputFormat: { type: 'chat' } })
    const off = { configurations: { production: { status: 'inactive' }, staging: { status: 'inactive', targets: [] } } }
    await done('updateFeature', { params: { feature: 'search' }, body: off })
    await done('createFeature', { body: { key: 'fresh', name: 'Fresh' } })
    await done('deleteFeature', { params: { feature: 'fresh' } })
    const messages = await sentTo(path, 3)
    expect(messages.map(({ body }) => body.text).sort()).toEqual([
      'Administrator changed feature search of project shop: targets removed in staging, turned off in staging and production',
      'Administrator created feature fresh of project shop',
      'Administrator deleted feature fresh of project shop'
    ])
    for (const { body } of messages) expect(Object.keys(body)).toEqual(['text'])
  })

  it('has names without links in Markdown', async () => {
    await done('updateEnvironment', { params: { key: 'production' }, body: { name: '[Production](https://evil)' } })
    const { path } = await hook({ outputFormat: { type: 'chat' }, events: ['enabledEnvironment'] })
    const query = { environment: 'production' }
    await done('updateFeatureConfiguration', { params: { feature: 'search' }, query, body: { status: 'active' } })
    const [{ body }] = (await sentTo(path, 1)) as [ReceivedMessage]
    expect(body.text).toContain('turned on in [Production]\u200b(https://evil)')
    await done('updateFeatureConfiguration', { params: { feature: 'search' }, query, body: { status: 'inactive' } })
  })

  it('has sanitized names: no mentions, no invisible characters, limited length', async () => {
    const name = `<!channel> @here & \u200b${'x'.repeat(70)}`
    await done('updateEnvironment', { params: { key: 'production' }, body: { name } })
    const { path } = await hook({ outputFormat: { type: 'chat' }, events: ['enabledEnvironment'] })
    const query = { environment: 'production' }
    await done('updateFeatureConfiguration', { params: { feature: 'search' }, query, body: { status: 'active' } })
    const [{ body }] = (await sentTo(path, 1)) as [ReceivedMessage]
    expect(body.text).toBe(
      `Administrator changed feature search of project shop: turned on in &lt;!channel&gt; @\u200bhere &amp; ${'x'.repeat(60)}…`
    )
  })
})
