import type { Operations } from '@burgee/contract'
import { ChangeType } from '@burgee/contract/schemas'
import { type Call, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { personToken } from '@burgee/testing/personToken'
import { idOf, NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import {
  type ReceivedMessage,
  startWebhookReceiver,
  type WebhookReceiver
} from '../support/processes/webhookReceiver.ts'

const project = 'shop'
const events = ChangeType.options
const allowed = { allowedPrivateTargets: parseAllowedDestinations('127.0.0.1') ?? [] }

let receiver: WebhookReceiver
let server: TestServer

async function done(id: keyof Operations, given: Call) {
  const { status, body } = await call(server, id, { ...given, params: { project, ...given.params } })
  expect([id, status, body?.message]).toEqual([id, expect.toSatisfy((code) => code < 300), undefined])
  return body
}

/** Creates a webhook to `path` of the receiver, for all changes by default. */
function hook(path: string, members: object = {}) {
  return done('createWebhook', { body: { name: path, url: `${receiver.url}/${path}`, events, ...members } })
}

const named = (name: string): Call => ({ body: { name } })

/**
 * Returns the messages to a path about a feature, up to the change that sets this description, which is the last one.
 */
async function messagesUntil(description: string, path: string, feature: string): Promise<readonly ReceivedMessage[]> {
  await done('updateFeature', { params: { feature }, body: { description } })
  const isLast = ({ body }: ReceivedMessage) =>
    body.changes.some((change: Changed) => change.newContents?.description === description)
  const ofPath = () => receiver.received.filter((message) => message.path === `/${path}`)
  for (let count = receiver.received.length; !ofPath().some(isLast); count = receiver.received.length) {
    await receiver.until(count + 1)
  }
  return ofPath().filter((message) => message.body.key === feature && !isLast(message))
}

interface Changed {
  readonly newContents?: { readonly description?: string }
}

describe('the events of each operation', () => {
  const everybody = { operator: 'and', filters: [{ type: 'all' }] }
  const on = {
    name: 'On',
    audience: { filters: everybody },
    distribution: [{ _variation: 'variation-on', percentage: 1 }]
  }
  const inProduction = (feature: string, body: object): [keyof Operations, (feature: string) => Call] => {
    return ['updateFeatureConfiguration', () => ({ params: { feature }, query: { environment: 'production' }, body })]
  }
  const own = (feature: string) => ({ _id: idOf(`${feature} target 0`), audience: { filters: everybody } })
  const shares = (feature: string, variation: string) => [
    { _variation: idOf(`${feature} ${variation}`), percentage: 1 }
  ]

  const rows: readonly (readonly [
    feature: string,
    readonly [keyof Operations, (feature: string) => Call],
    fired: readonly ChangeType[]
  ])[] = [
    ['name', ['updateFeature', (feature) => ({ params: { feature }, ...named('New') })], ['modifiedFeature']],
    ['name-v1', ['updateFeatureV1', (feature) => ({ params: { feature }, ...named('New') })], ['modifiedFeature']],
    [
      'summary',
      ['updateFeatureSummary', (feature) => ({ params: { feature }, body: { markdown: 'New' } })],
      ['modifiedFeature']
    ],
    [
      'settings',
      ['updateFeature', (feature) => ({ params: { feature }, body: { settings: { publicName: 'New' } } })],
      ['modifiedSettings']
    ],
    [
      'archived',
      ['updateFeatureStatus', (feature) => ({ params: { feature }, body: { status: 'archived' } })],
      ['modifiedFeatureStatus', 'modifiedVariable']
    ],
    [
      'variation',
      ['createVariation', (feature) => ({ params: { feature }, body: { key: 'third', name: 'Third' } })],
      ['addedVariation']
    ],
    [
      'renamed',
      ['updateVariation', (feature) => ({ params: { feature, key: 'variation-on' }, ...named('New') })],
      ['modifiedVariation']
    ],
    [
      'fewer',
      [
        'updateFeature',
        (feature) => ({
          params: { feature },
          body: { variations: [{ _id: idOf(`${feature} variation-on`), key: 'variation-on', name: 'On' }] }
        })
      ],
      ['modifiedVariation', 'removedVariation']
    ],
    [
      'variable',
      ['createVariable', (feature) => ({ body: { key: 'more', type: 'String', _feature: feature } })],
      ['addedVariable', 'modifiedVariation']
    ],
    [
      'described',
      ['updateVariable', (feature) => ({ params: { key: feature }, body: { description: 'New' } })],
      ['modifiedVariable']
    ],
    [
      'without',
      ['updateFeature', (feature) => ({ params: { feature }, body: { variables: [] } })],
      ['removedVariable', 'modifiedVariation']
    ],
    [
      'target',
      inProduction('target', { targets: [{ ...own('target'), distribution: shares('target', 'variation-on') }, on] }),
      ['addedTarget']
    ],
    [
      'retargeted',
      inProduction('retargeted', {
        targets: [{ ...own('retargeted'), distribution: shares('retargeted', 'variation-off') }]
      }),
      ['modifiedTarget']
    ],
    ['untargeted', inProduction('untargeted', { targets: [] }), ['removedTarget']],
    [
      'reordered',
      inProduction('reordered', {
        targets: [1, 0].map((at) => ({
          _id: idOf(`reordered target ${at}`),
          audience: { filters: everybody },
          distribution: shares('reordered', 'variation-on')
        }))
      }),
      ['reorderedTargets']
    ],
    ['off', inProduction('off', { status: 'inactive' }), ['disabledEnvironment']],
    ['on', inProduction('on', { status: 'active' }), ['enabledEnvironment']],
    [
      'made',
      [
        'createFeature',
        (key) => ({
          body: {
            key,
            name: 'New',
            variations: [{ key: 'variation-on', name: 'On' }],
            configurations: { production: { status: 'active', targets: [on] } }
          }
        })
      ],
      ['createdFeature', 'addedTarget', 'enabledEnvironment']
    ],
    ['killed', ['killFeature', (feature) => ({ params: { feature } })], ['killedFeature', 'disabledEnvironment']],
    ['gone', ['deleteFeature', (feature) => ({ params: { feature } })], ['deletedFeature']]
  ]
  const features = rows.flatMap(([key]) => {
    if (key === 'made') return []
    const more = key === 'on' ? { offIn: ['production'] } : key === 'reordered' ? { targets: [{}, {}] } : {}
    return [{ key, ...more }]
  })

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    server = await serve(
      { environments: { production: {}, staging: {} }, features: [...features, { key: 'last' }] },
      allowed
    )
    await hook('all')
    for (const [feature, [id, given]] of rows) await done(id, given(feature))
    await done('createVariable', { body: { key: 'free', type: 'String' } })
    await done('updateVariable', { params: { key: 'free' }, body: { description: 'Of no feature.' } })
    await done('createAudience', { body: { key: 'beta', name: 'Beta', filters: everybody } })
    await done('linkIssue', { params: { feature: 'last', issue_tracker: 'jira' }, body: { issueId: 'SHOP-1' } })
    const override = { environment: 'production', variation: 'variation-on' }
    await done('updateUserProfile', { body: { svcUserId: 'ada' } })
    await done('updateFeatureOverride', { params: { feature: 'last' }, body: override })
    await receiver.until(rows.length)
    await messagesUntil('The end.', 'all', 'last')
  })

  test.each(rows)('%s', (feature, _, fired) => {
    const messages = receiver.received.filter(({ body }) => body.key === feature)
    expect(messages).toHaveLength(1)
    const [{ body }] = messages as [ReceivedMessage]
    expect([...body.events].sort()).toEqual([...fired].sort())
    expect(new Set(body.changes.map(({ type }: { type: string }) => type))).toEqual(new Set(fired))
  })

  test('are none for changes of anything but features', () => {
    const keys = receiver.received.map(({ body }) => body.key)
    expect(keys.sort()).toEqual([...rows.map(([feature]) => feature), 'last'].sort())
  })

  test('cover every type but the emergency, which projectRequests.slow.test.ts covers', () => {
    const covered = events.filter((type) => type !== 'appliedInEmergency')
    expect([...new Set(rows.flatMap(([, , fired]) => fired))].sort()).toEqual(covered.sort())
  })

  test('have the documented members, with the values of the audit log', () => {
    const { body, headers } = receiver.received.find((message) => message.body.key === 'off') as ReceivedMessage
    expect(body).toEqual({
      events: ['disabledEnvironment'],
      key: 'off',
      projectId: 'shop',
      version: 'v1',
      changes: [
        {
          type: 'disabledEnvironment',
          newContents: { status: 'inactive' },
          previousContents: { status: 'active' },
          _environments: [idOf('production')]
        }
      ],
      date: new Date(NOW).toISOString(),
      user: { name: expect.any(String) }
    })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Burgee\//)
    })
    const { body: changed } = receiver.received.find((message) => message.body.key === 'variable') as ReceivedMessage
    const { newContents } = changed.changes.find(({ type }: { type: string }) => type === 'modifiedVariation')
    expect(newContents.variations[0].variables).toContainEqual({ _var: idOf('variable variable'), value: true })
  })
})

describe('a webhook', () => {
  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    const directory = await storeWith({
      environments: { production: {}, staging: {} },
      features: ['one', 'two', 'three', 'four', 'five', 'six'].map((key) => ({ key }))
    })
    await addMembers(directory, { mode: 'flat', people: { ada: [] }, clients: {} })
    server = await serve(directory, allowed)
    await hook('all')
  })

  const typesOf = (messages: readonly ReceivedMessage[]) => messages.map(({ body }) => body.events)

  it('receives the events that it names, of its feature and its environments', async () => {
    await hook('of-one', { _feature: 'one' })
    await hook('in-staging', { _environments: ['staging'] })
    await hook('switches', { events: ['enabledEnvironment', 'disabledEnvironment', 'modifiedFeature'] })
    await hook('nothing', { events: [] })
    const switched = { configurations: { production: { status: 'inactive' }, staging: { targets: [] } } }
    for (const feature of ['one', 'two']) await done('updateFeature', { params: { feature }, body: switched })
    const typesSentTo = async (path: string, feature: string) => {
      return typesOf(await messagesUntil(`${path} ${feature}`, path, feature)).filter(
        ([event]) => event !== 'modifiedFeature'
      )
    }
    const both = expect.toSatisfy((types: string[]) => types.length === 2)
    expect(await typesSentTo('all', 'one')).toEqual([both])
    expect(await typesSentTo('of-one', 'one')).toEqual([both])
    expect(await typesSentTo('in-staging', 'two')).toEqual([['removedTarget']])
    expect(await typesSentTo('switches', 'two')).toEqual([['disabledEnvironment']])
    const paths = new Set(receiver.received.map(({ path, body }) => `${path} ${body.key}`))
    expect(paths).not.toContain('/of-one two')
    expect([...paths].join()).not.toContain('/nothing')
  })

  it('receives the key of the feature before the change', async () => {
    await done('updateFeature', { params: { feature: 'three' }, body: { key: 'third' } })
    await done('updateFeature', { params: { feature: 'third' }, ...named('Third') })
    const messages = await messagesUntil('The third.', 'all', 'third')
    expect(messages.map(({ body }) => body.changes[0].newContents)).toEqual([{ name: 'Third' }])
    const [renamed] = receiver.received.filter(({ path, body }) => path === '/all' && body.key === 'three')
    expect(renamed?.body.changes[0]).toMatchObject({
      newContents: { key: 'third' },
      previousContents: { key: 'three' }
    })
  })

  it('receives the author: people with name and e-mail address, clients with their name', async () => {
    const key = await personToken(server, userIdOf('ada'))
    await done('updateFeature', { params: { feature: 'four' }, ...named('Four'), key })
    await done('updateFeature', { params: { feature: 'four' }, ...named('Fourth') })
    const messages = await messagesUntil('The fourth.', 'all', 'four')
    expect(messages.map(({ body }) => body.user)).toEqual([
      { name: 'ada', email: `${idOf('ada')}@example.com` },
      { name: 'Administrator' }
    ])
  })

  it('of one feature receives its deletion, and is deleted with it', async () => {
    const { _id: id } = await hook('of-five', { _feature: 'five' })
    await done('deleteFeature', { params: { feature: 'five' } })
    await expect.poll(() => receiver.received.filter(({ path }) => path === '/of-five').length).toBe(1)
    const [message] = receiver.received.filter(({ path }) => path === '/of-five')
    expect(message?.body).toMatchObject({ events: ['deletedFeature'], key: 'five', changes: [{ newContents: null }] })
    expect((await call(server, 'getWebhook', { params: { project, id } })).status).toBe(404)
  })

  it('receives huge changes without their contents', async () => {
    const summary = { markdown: 'x'.repeat(300_000) }
    await done('updateFeatureSummary', { params: { feature: 'six' }, body: summary })
    const [message] = await messagesUntil('The sixth.', 'all', 'six')
    expect(message?.body).toMatchObject({ key: 'six', contentsOmitted: true, changes: [{ type: 'modifiedFeature' }] })
    expect(message?.text.length).toBeLessThan(1000)
  })
})
