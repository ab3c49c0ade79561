import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { call, options, serve, storeOnDisk, type TestServer } from '@burgee/testing/harness'
import type { Plan } from '@burgee/testing/plan'
import { sample } from '@burgee/testing/scale'
import { storedData } from '@burgee/testing/storedData'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import { executable, expectBuilt } from '../support/processes/executable.ts'
import { startWebhookReceiver, verifyMessage, type WebhookReceiver } from '../support/processes/webhookReceiver.ts'

const plan: Plan = { features: [{ key: 'search' }, { key: 'cart' }] }
const params = { project: 'shop' }
const settings = { allowedPrivateTargets: parseAllowedDestinations('127.0.0.1') ?? [] }

const children: ChildProcess[] = []

beforeAll(expectBuilt)

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function addWebhook(server: TestServer, { url }: WebhookReceiver): Promise<string> {
  const body = { name: 'Deploy log', url, events: ['modifiedFeature'] }
  return (await call(server, 'createWebhook', { params, body })).body._id
}

async function rename(server: TestServer, feature: string): Promise<void> {
  const body = { name: `The ${feature} of ${Math.random()}` }
  expect((await call(server, 'updateFeature', { params: { ...params, feature }, body })).status).toBe(200)
}

test('a restarted server resends messages in flight at the stop', async () => {
  const receiver = await startWebhookReceiver()
  const first = await serve(plan, settings)
  await addWebhook(first, receiver)
  receiver.answer = () => new Promise(() => {})
  await rename(first, 'search')
  const [hung] = await receiver.until(1)
  const begun = performance.now()
  await first.close()
  // The deadline of an attempt is 15 s, for which a stopping server does not wait.
  expect(performance.now() - begun).toBeLessThan(10_000)
  receiver.answer = 204
  const again = await serve(first.directory, settings)
  const [, message] = await receiver.until(2)
  expect(message?.headers['webhook-id']).toBe(hung?.headers['webhook-id'])
  expect(message?.text).toBe(hung?.text)
  await again.close()
})

/** Starts the executable on a directory; returns it as a test server. */
async function start(directory: string): Promise<{ server: TestServer; child: ChildProcess }> {
  const child = spawn(process.execPath, [executable, '--port', '0', '--store', `file:${directory}`], {
    env: {
      BURGEE_ALLOWED_PRIVATE_TARGETS: '127.0.0.1',
      BURGEE_ADMIN_CLIENT_ID: options.adminClientId,
      BURGEE_ADMIN_CLIENT_SECRET: options.adminClientSecret
    },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  children.push(child)
  let stdout = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  const line = /^burgee-server listening on (http:\/\/\S+)$/m
  await expect.poll(() => line.test(stdout)).toBe(true)
  const url = line.exec(stdout)?.[1] ?? ''
  const server = {
    url,
    port: Number(new URL(url).port),
    directory,
    clock: { now: Date.now, failure: undefined, reads: 0 },
    administrator: undefined,
    logs: []
  }
  return { server: { ...server, close: async () => {} }, child }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const moments = [
  ['at once', 0],
  ['when the outbox is empty', 1]
] as const

test.each(sample(moments, 1, 'moments of a kill'))(
  'a server killed %s after a change sends the message with the same id',
  async (_, waits) => {
    const receiver = await startWebhookReceiver()
    const directory = await storeOnDisk(plan)
    const { server, child } = await start(directory)
    await addWebhook(server, receiver)
    receiver.answer = () => new Promise(() => {})
    await rename(server, 'search')
    const messages = async () => (await storedData(directory)).outbox
    if (waits) await expect.poll(messages).toEqual([])
    await kill(child)
    const before = receiver.received.length
    const [message] = await messages()
    receiver.answer = 204
    const after = await start(directory)
    const received = (await receiver.until(before + 1)).at(-1)
    const ids = [message?._id, receiver.received[0]?.headers['webhook-id']].filter((id) => id !== undefined)
    expect(ids).not.toHaveLength(0)
    for (const id of ids) expect(received?.headers['webhook-id']).toBe(id)
    const webhook = (await call(after.server, 'listWebhooks', { params })).body[0]._id
    const { secret } = (await call(after.server, 'getWebhookSecret', { params: { ...params, id: webhook } })).body
    expect(verifyMessage(received ?? expect.fail('no message arrived'), secret, Date.now())).toMatchObject({
      key: 'search'
    })
    const list = { params: { ...params, id: webhook } }
    const delivered = [{ _id: received?.headers['webhook-id'], status: 'delivered' }]
    await expect
      .poll(async () => (await call(after.server, 'listWebhookDeliveries', list)).body)
      .toMatchObject(delivered)
    await kill(after.child)
  }
)
