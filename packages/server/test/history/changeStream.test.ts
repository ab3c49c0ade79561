import { addClients, CLIENT_SECRET, tokenFor } from '@burgee/testing/apiClients'
import { call, send, serve, storeWith, type TestServer, tokenOf } from '@burgee/testing/harness'
import { addMembers } from '@burgee/testing/members'
import { idOf, NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { type EventStream, openEventStream, toggle, waitUntil } from '../support/events/eventStream.ts'

const DAY = 24 * 3_600_000
const path = '/v1/projects/shop/changes'

let server: TestServer

beforeAll(async () => {
  const directory = await storeWith({ environments: { production: {}, staging: {} }, features: [{ key: 'plain' }] })
  await addClients(directory, {
    reader: ['project:read', 'feature:read', 'environment:read'],
    narrow: ['project:read'],
    leaving: ['project:read', 'feature:read', 'environment:read'],
    crowd: ['project:read'],
    'no-project': ['feature:read']
  })
  server = await serve(directory, {}, NOW, { streamTimings: { keepAliveMs: 150, expiryCheckMs: 20 } })
})

async function follow(token: string, lastEventId?: string): Promise<EventStream> {
  const headers = { authorization: token, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) }
  const stream = await openEventStream(server, path, headers)
  if (stream.status === 200) await waitUntil(() => stream.text().includes('retry: '))
  return stream
}

/** Turns the feature off and on, which adds two entries, and returns their ids. */
async function change(): Promise<readonly [first: string, second: string]> {
  await toggle(server, 'inactive')
  await toggle(server, 'active')
  const { body } = await call(server, 'listAuditEntries', { query: { project: 'shop', perPage: 2 } })
  return [body[1]._id, body[0]._id]
}

describe('the stream of changes', () => {
  it('sends each entry of the project with its id', async () => {
    const stream = await follow(await tokenFor(server, 'reader'))
    expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' })
    const [first, second] = await change()
    await waitUntil(() => stream.messages().length === 2)
    expect(stream.messages().map(({ id }) => id)).toEqual([first, second])
    expect(stream.messages()[0]?.data).toEqual({
      at: expect.any(String),
      actor: 'client',
      idp_user: expect.stringMatching(/@clients$/),
      types: ['disabledEnvironment'],
      resource: { type: 'feature', id: idOf('plain'), key: 'plain' },
      environments: ['production']
    })
  })

  it('names resources other than features, and no SDK key', async () => {
    const stream = await follow(await tokenFor(server, 'reader'))
    const params = { project: 'shop', environment: 'staging', key: 'staging' }
    await call(server, 'updateEnvironment', { params, body: { name: 'Stage' } })
    const keys = await call(server, 'generateSdkKeys', { params, body: { server: true } })
    expect(keys.body.message).toBeUndefined()
    await waitUntil(() => stream.messages().length === 2)
    const resource = { type: 'environment', id: idOf('staging'), key: 'staging' }
    expect(stream.messages().map(({ data }) => data.resource)).toEqual([resource, resource])
    expect(stream.text()).not.toMatch(/server-/)
  })

  it('sends a comment to keep the connection open', async () => {
    const stream = await follow(await tokenFor(server, 'reader'))
    await waitUntil(() => /^:$/m.test(stream.text()))
  })

  it('sends only what the caller may see', async () => {
    const narrow = await follow(await tokenFor(server, 'narrow'))
    const all = await follow(await tokenOf(server))
    await change()
    await call(server, 'updateProject', { params: { key: 'shop' }, body: { name: `Shop ${Math.random()}` } })
    await call(server, 'createProject', { body: { key: `other-${Date.now()}`, name: 'Other' } })
    await waitUntil(() => all.messages().length === 3 && narrow.messages().length === 1)
    expect(narrow.messages()[0]?.data).toMatchObject({ types: ['modifiedProject'], environments: [] })
  })
})

describe('Last-Event-ID', () => {
  it('replays later entries, and continues without gaps or repetitions', async () => {
    const [first, second] = await change()
    const stream = await follow(await tokenFor(server, 'reader'), first)
    const [third, fourth] = await change()
    await waitUntil(() => stream.messages().length === 3)
    expect(stream.messages().map(({ id }) => id)).toEqual([second, third, fourth])
  })

  it('of the preamble replays what follows', async () => {
    const token = await tokenFor(server, 'reader')
    await change()
    const opened = await follow(token)
    const id = /^id: (.*)$/m.exec(opened.text())?.[1] ?? ''
    opened.hangUp()
    const [first, second] = await change()
    const stream = await follow(token, id)
    await waitUntil(() => stream.messages().length === 2)
    expect(stream.messages().map((message) => message.id)).toEqual([first, second])
  })

  it('is known after a restart of the server', async () => {
    const directory = await storeWith({ features: [{ key: 'plain' }] })
    const former = await serve(directory)
    await toggle(former, 'inactive')
    await toggle(former, 'active')
    const [second, first] = (await call(former, 'listAuditEntries')).body
    await former.close()
    const restarted = await serve(directory)
    const headers = { authorization: await tokenOf(restarted), 'last-event-id': first._id }
    const stream = await openEventStream(restarted, path, headers)
    await waitUntil(() => stream.messages().length === 1)
    expect(stream.messages()[0]?.id).toBe(second._id)
  })

  test.each([
    ['an unknown id', idOf('nowhere')],
    ['text', 'x; drop']
  ])('with %s gives a reset, with the last entry to continue from', async (_, id) => {
    const [, latest] = await change()
    const stream = await follow(await tokenFor(server, 'reader'), id)
    await waitUntil(() => stream.text().includes('event: reset'))
    expect(stream.text()).toMatch(new RegExp(`event: reset\nid: ${latest}\ndata: {}\n\n`))
  })

  it('of an entry of another project causes a reset', async () => {
    await call(server, 'createProject', { body: { key: 'elsewhere', name: 'Elsewhere' } })
    const { body } = await call(server, 'listAuditEntries', { query: { type: 'createdProject', perPage: 1 } })
    const stream = await follow(await tokenFor(server, 'reader'), body[0]._id)
    await waitUntil(() => stream.text().includes('event: reset'))
  })

  it('older than a day causes a reset', async () => {
    const directory = await storeWith({ features: [{ key: 'plain' }] })
    await addClients(directory, { reader: ['project:read'] })
    const old = await serve(directory)
    await toggle(old, 'inactive')
    const [entry] = (await call(old, 'listAuditEntries')).body
    old.clock.now = () => NOW + DAY + 60_000
    const headers = { authorization: await tokenFor(old, 'reader'), 'last-event-id': entry._id }
    const stream = await openEventStream(old, path, headers)
    await waitUntil(() => stream.text().includes('event: reset'))
  })
})

describe('a stream ends', () => {
  it('when the client of the token is deleted', async () => {
    const stream = await follow(await tokenFor(server, 'leaving'))
    await call(server, 'deleteApiClient', { params: { client: 'leaving' } })
    await waitUntil(() => stream.isOver())
    await change()
    expect(stream.messages()).toEqual([])
  })

  it('when the token is revoked', async () => {
    const token = await tokenFor(server, 'reader')
    const stream = await follow(token)
    const form = new URLSearchParams({ token, client_id: 'reader', client_secret: CLIENT_SECRET })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await send(server, { method: 'POST', path: '/oauth/revoke', headers, body: form.toString() })
    await waitUntil(() => stream.isOver())
  })

  it('when the caller loses the role in the project', async () => {
    const directory = await storeWith({})
    const roles = [{ role: 'viewer', _project: idOf('shop') }] as const
    await addMembers(directory, { mode: 'full', clients: { viewer: roles } })
    const own = await serve(directory)
    const stream = await openEventStream(own, path, { authorization: await tokenFor(own, 'viewer') })
    expect(stream.status).toBe(200)
    const { status } = await call(own, 'updateApiClient', { params: { client: 'viewer' }, body: { roles: [] } })
    expect(status).toBe(200)
    await waitUntil(() => stream.isOver())
  })

  it('when the project is deleted', async () => {
    await call(server, 'createProject', { body: { key: 'brief', name: 'Brief' } })
    const stream = await openEventStream(server, '/v1/projects/brief/changes', { authorization: await tokenOf(server) })
    await call(server, 'deleteProject', { params: { key: 'brief' } })
    await waitUntil(() => stream.isOver())
  })

  it('when the token expires', async () => {
    const own = await serve({})
    const stream = await openEventStream(own, path, { authorization: await tokenOf(own) })
    expect(stream.status).toBe(200)
    own.clock.now = () => NOW + 2 * DAY
    await waitUntil(() => stream.isOver())
  })
})

describe('refusals', () => {
  it('requires a token, the permission and a visible project', async () => {
    const at = (project: string, key?: string | null) =>
      call(server, 'streamChanges', { params: { project }, ...(key === undefined ? {} : { key }) })
    expect((await at('shop', null)).status).toBe(401)
    expect((await at('shop', 'garbage')).status).toBe(401)
    expect((await at('shop', await tokenFor(server, 'no-project'))).status).toBe(403)
    expect(await at('nowhere')).toMatchObject({ status: 404, body: { message: expect.stringContaining('nowhere') } })
    expect((await at('x'.repeat(101))).status).toBe(400)
  })

  it('limits the streams of a caller, over all of its tokens', async () => {
    const open: EventStream[] = []
    for (let count = 0; count < 20; count++) open.push(await follow(await tokenFor(server, 'crowd')))
    const key = await tokenFor(server, 'crowd')
    const refused = await call(server, 'streamChanges', { params: { project: 'shop' }, key })
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
    expect(refused.body.message).toContain('20 open streams')
    const other = await call(server, 'streamChanges', { params: { project: 'shop' } })
    expect(other.status).toBe(200)
    open[0]?.hangUp()
    await waitUntil(
      async () => (await call(server, 'streamChanges', { params: { project: 'shop' }, key })).status === 200
    )
  })
})
