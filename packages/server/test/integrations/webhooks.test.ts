import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { idOf, NOW, type Plan } from '@burgee/testing/plan'
import { storedAuditText } from '@burgee/testing/storedData'
import { beforeEach, describe, expect, it, test } from 'vitest'

const params = { project: 'shop' }
const HOUR = 3_600_000

const plan: Plan = {
  environments: { production: {}, staging: {} },
  features: [{ key: 'new-checkout' }, { key: 'search' }]
}

const given = { name: 'Deploy log', url: 'https://hooks.invalid/hooks/features', events: ['enabledEnvironment'] }

let server: TestServer

beforeEach(async () => {
  server = await serve(plan)
})

function create(body: object): Promise<ApiResponse> {
  return call(server, 'createWebhook', { params, body })
}

function get(id: string): Promise<ApiResponse> {
  return call(server, 'getWebhook', { params: { ...params, id } })
}

function update(id: string, body: object): Promise<ApiResponse> {
  return call(server, 'updateWebhook', { params: { ...params, id }, body })
}

function remove(id: string): Promise<ApiResponse> {
  return call(server, 'deleteWebhook', { params: { ...params, id } })
}

/** Advances the clock, so that the next audit entry is the newest. */
function later(): void {
  const next = server.clock.now() + 1000
  server.clock.now = () => next
}

async function entries(): Promise<ApiResponse['body']> {
  return (await call(server, 'listAuditEntries', { query: { project: 'shop' } })).body
}

describe('a new webhook', () => {
  it('covers every feature, environment and event by default', async () => {
    const { status, body } = await create(given)
    expect(status).toBe(201)
    expect(body).toEqual({
      ...given,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      _project: idOf('shop'),
      _environments: [],
      enabled: true,
      createdBy: 'test-admin@clients',
      source: 'api',
      createdAt: new Date(NOW).toISOString(),
      updatedAt: new Date(NOW).toISOString()
    })
    expect((await get(body._id)).body).toEqual(body)
    const [{ changes }] = await entries()
    expect(changes).toMatchObject([{ type: 'createdWebhook', newContents: { name: 'Deploy log' } }])
  })

  it('keeps its feature and its environments by id', async () => {
    const { body } = await create({
      ...given,
      description: 'For the channel',
      outputFormat: { type: 'chat' },
      _feature: 'search',
      _environments: ['staging', idOf('production'), idOf('staging')]
    })
    expect(body).toMatchObject({
      description: 'For the channel',
      outputFormat: { type: 'chat' },
      _feature: idOf('search'),
      _environments: [idOf('staging'), idOf('production')]
    })
    const other = await create({ ...given, _feature: idOf('new-checkout') })
    expect(other.body._feature).toBe(idOf('new-checkout'))
  })

  it('can be disabled from the start', async () => {
    const { body } = await create({ ...given, enabled: false })
    expect(body.enabled).toBe(false)
    const { body: on } = await update(body._id, { enabled: true })
    expect([on.enabled, (await get(body._id)).body.enabled]).toEqual([true, true])
  })

  it('reads null as all', async () => {
    const { status, body } = await create({ ...given, _feature: null, _environments: null })
    expect([status, body._environments, '_feature' in body]).toEqual([201, [], false])
  })

  it('stores each event once', async () => {
    const { body } = await create({ ...given, events: ['addedTarget', 'createdFeature', 'addedTarget'] })
    expect(body.events).toEqual(['addedTarget', 'createdFeature'])
  })

  it('is refused with a list of all unknown references', async () => {
    const { status, body } = await create({ ...given, _feature: 'nothing', _environments: ['staging', 'nowhere'] })
    expect([status, body.message]).toEqual([
      400,
      [
        '_feature should be the key or id of a feature, got "nothing"',
        '_environments.1 should be the key or id of an environment, got "nowhere"'
      ]
    ])
    expect((await call(server, 'listWebhooks', { params })).body).toEqual([])
  })

  it.each([
    ['without a name', { name: undefined }, /^name /],
    ['without a url', { url: undefined }, /^url /],
    ['without events', { events: undefined }, /^events /],
    ['with an event that there is not', { events: ['madeCoffee'] }, /^events\.0 should be one of createdFeature/],
    ['with an address of another kind', { url: 'ftp://example.com' }, /^url should be an http or https URL/],
    ['with an invalid address', { url: 'example.com/hooks' }, /^url should be an http or https URL/],
    ['with a format that there is not', { outputFormat: { type: 'xml' } }, /^outputFormat\.type should be one of/],
    ['with a member that there is not', { secret: 'x' }, /^property secret should not exist$/]
  ])('is refused %s', async (_, members, message) => {
    const { status, body } = await create({ ...given, ...members })
    expect([status, body.message]).toEqual([400, [expect.stringMatching(message)]])
  })

  it.each([
    'http://127.0.0.1:8080/',
    'https://ada:secret@10.0.0.1/hook',
    'http://[::1]/',
    'http://0x7f.1/',
    'http://169.254.169.254/latest/meta-data',
    'https://localhost/hook'
  ])('is refused with a non-public URL: %s', async (url) => {
    const { status, body } = await create({ ...given, url })
    expect([status, body.message]).toEqual([
      400,
      [expect.stringMatching(/^url should be an address that the server can call: .+ is not public/)]
    ])
    const { body: made } = await create(given)
    expect((await update(made._id, { url })).status).toBe(400)
  })

  it('is refused when the project has one with the same URL and feature', async () => {
    const { body: first } = await create({ ...given, name: 'First' })
    const { status, body } = await create({ ...given, url: 'https://HOOKS.invalid/hooks/features' })
    expect([status, body.message]).toEqual([
      409,
      `webhook "First" (${first._id}) already has this url and _feature; change that one, or use others`
    ])
    expect((await create({ ...given, _feature: 'search' })).status).toBe(201)
    expect((await create({ ...given, _feature: idOf('search') })).status).toBe(409)
    expect((await create({ ...given, url: 'https://hooks.invalid/other' })).status).toBe(201)
  })

  it('cannot be given a masked URL', async () => {
    const { body: made } = await create(given)
    const { status, body } = await update(made._id, { url: 'https://hooks.invalid/****' })
    expect([status, body.message]).toEqual([400, [expect.stringMatching(/^url should be the complete URL/)]])
  })

  it('is refused when the project has a hundred', async () => {
    const inCrowd = { project: 'crowd' }
    expect((await call(server, 'createProject', { body: { key: 'crowd', name: 'Crowd' } })).status).toBe(201)
    const add = (at: number) => {
      const body = { ...given, url: `https://hooks.invalid/${at}` }
      return call(server, 'createWebhook', { params: inCrowd, body })
    }
    for (let at = 0; at < 100; at++) expect((await add(at)).status).toBe(201)
    const { status, body } = await add(100)
    expect([status, body.message]).toEqual([409, expect.stringMatching(/^project "crowd" has 100 webhooks/)])
  })

  it('cannot become the same as another one', async () => {
    await create({ ...given, name: 'First' })
    const { body: second } = await create({ ...given, url: 'https://hooks.invalid/other' })
    expect((await update(second._id, { url: given.url })).status).toBe(409)
    const { body } = await call(server, 'getWebhook', { params: { ...params, id: second._id } })
    expect(body.url).toBe('https://hooks.invalid/other')
    expect((await update(second._id, { url: 'https://hooks.invalid/other' })).status).toBe(200)
  })

  it('may be the same as one of another project', async () => {
    await create(given)
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    expect((await call(server, 'createWebhook', { params: { project: 'other' }, body: given })).status).toBe(201)
  })
})

describe('a changed webhook', () => {
  it('has the members given in place of its own, and keeps the others', async () => {
    const { body: before } = await create({ ...given, _feature: 'search', _environments: ['staging'] })
    server.clock.now = () => NOW + HOUR
    const { status, body } = await update(before._id, { name: 'Log', events: ['addedTarget', 'addedTarget'] })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      name: 'Log',
      events: ['addedTarget'],
      updatedAt: new Date(NOW + HOUR).toISOString()
    })
    expect((await get(before._id)).body).toEqual(body)
    const [{ changes }] = await entries()
    expect(changes).toEqual([
      {
        type: 'modifiedWebhook',
        newContents: { name: 'Log', events: ['addedTarget'] },
        previousContents: { name: 'Deploy log', events: ['enabledEnvironment'] },
        metadata: { _id: before._id }
      }
    ])
  })

  it('can be moved to another feature and other environments, or to all', async () => {
    const { body: before } = await create({ ...given, _feature: 'search', _environments: ['staging'] })
    const moved = await update(before._id, { _feature: 'new-checkout', _environments: ['production'] })
    expect(moved.body).toMatchObject({ _feature: idOf('new-checkout'), _environments: [idOf('production')] })
    const { body } = await update(before._id, { _feature: null, _environments: null })
    expect(['_feature' in body, body._environments]).toEqual([false, []])
    expect((await get(before._id)).body).toEqual(body)
  })

  it('cannot name unknown items', async () => {
    const { body: before } = await create(given)
    expect((await update(before._id, { _environments: ['nowhere'] })).status).toBe(400)
    expect((await get(before._id)).body).toEqual(before)
  })
})

test('a webhook can be deleted once', async () => {
  const { body: made } = await create(given)
  later()
  const { status, body } = await remove(made._id)
  expect([status, body]).toEqual([200, made])
  expect((await get(made._id)).status).toBe(404)
  expect((await remove(made._id)).status).toBe(404)
  const [{ changes }] = await entries()
  expect(changes).toMatchObject([{ type: 'deletedWebhook', newContents: null }])
})

test('webhooks can be listed by name and by creator', async () => {
  await create({ ...given, name: 'Alpha' })
  await create({ ...given, name: 'Beta', _feature: 'search' })
  const list = async (query: Record<string, string>) => {
    const { body, headers } = await call(server, 'listWebhooks', { params, query })
    return [headers.count, body.map(({ name }: ApiResponse['body']) => name)]
  }
  expect(await list({ sortBy: 'name', sortOrder: 'asc' })).toEqual(['2', ['Alpha', 'Beta']])
  expect(await list({ search: 'alp' })).toEqual(['1', ['Alpha']])
  expect(await list({ createdBy: 'test-admin@clients', sortBy: 'name' })).toEqual(['2', ['Beta', 'Alpha']])
  expect(await list({ createdBy: 'somebody' })).toEqual(['0', []])
})

test('a webhook of another project is not found', async () => {
  const { body } = await create(given)
  await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
  for (const id of ['getWebhook', 'updateWebhook', 'deleteWebhook'] as const) {
    expect((await call(server, id, { params: { project: 'other', id: body._id } })).status).toBe(404)
  }
})

describe('a secret in the URL of a webhook', () => {
  const secret = 'https://mallory:hunter2@hooks.invalid/hooks?token=s3cr3t&s3cr3t#s3cr3t'
  const rotated = 'https://mallory:hunter3@hooks.invalid/hooks?token=f1n3ss3&f1n3ss3'

  it('is in the response and in no audit entry, however the webhook is deleted', async () => {
    const { body } = await create({ ...given, url: secret })
    expect(body.url).toBe(secret)
    later()
    await update(body._id, { url: rotated })
    later()
    await update(body._id, { name: 'Renamed' })
    later()
    await remove(body._id)
    const logged = await entries()
    expect(logged.map(({ changes }: ApiResponse['body']) => changes[0].type)).toEqual([
      'deletedWebhook',
      'modifiedWebhook',
      'modifiedWebhook',
      'createdWebhook'
    ])
    expect(logged[3].changes[0].newContents.url).toBe('https://hooks.invalid/****')
    expect(JSON.stringify(logged)).not.toMatch(/mallory|hunter|s3cr3t|f1n3ss3/)
  })

  it('is in no audit entry when the webhook is deleted with its feature', async () => {
    await create({ ...given, url: secret, _feature: 'search' })
    later()
    await call(server, 'deleteFeature', { params: { ...params, feature: 'search' } })
    const [{ changes }] = await entries()
    expect(changes.map(({ type }: ApiResponse['body']) => type)).toContain('deletedWebhook')
    expect(JSON.stringify(changes)).not.toMatch(/hunter2|s3cr3t/)
  })

  it('leaves an audit entry when only it is changed', async () => {
    const { body } = await create({ ...given, url: 'https://hooks.invalid/hooks?token=one' })
    later()
    await update(body._id, { url: 'https://hooks.invalid/hooks?token=two' })
    const [{ changes }] = await entries()
    expect(changes).toEqual([
      {
        type: 'modifiedWebhook',
        newContents: { url: 'https://hooks.invalid/****' },
        previousContents: { url: 'https://hooks.invalid/****' },
        metadata: { _id: body._id }
      }
    ])
  })

  it('is in no log, and in no refusal of another webhook', async () => {
    await create({ ...given, url: secret })
    const { status, body } = await create({ ...given, url: secret })
    expect(status).toBe(409)
    expect(JSON.stringify(body)).not.toMatch(/hunter2|s3cr3t/)
    await create({ ...given, url: `${secret}  no address` })
    expect(server.logs.join()).not.toMatch(/hunter2|s3cr3t/)
  })

  it('is not in the stored audit log', async () => {
    const { body } = await create({ ...given, url: secret })
    await remove(body._id)
    await server.close()
    const stored = await storedAuditText(server.directory)
    expect(stored).toContain('deletedWebhook')
    expect(stored).not.toMatch(/hunter2|s3cr3t/)
  })
})

test('callers who may only read see only the host of a URL', async () => {
  const { server: limited, key } = await serveLimited(plan, ['project:read'])
  const url = 'https://mallory:hunter2@hooks.invalid/hooks?token=s3cr3t'
  const { body: made } = await call(limited, 'createWebhook', { params, body: { ...given, url } })
  const masked = { ...made, url: 'https://hooks.invalid/****' }
  expect((await call(limited, 'listWebhooks', { params, key })).body).toEqual([masked])
  expect((await call(limited, 'getWebhook', { params: { ...params, id: made._id }, key })).body).toEqual(masked)
  expect((await call(limited, 'getWebhook', { params: { ...params, id: made._id } })).body).toEqual(made)
})

test('callers who may only read cannot change webhooks', async () => {
  const { server: limited, key } = await serveLimited(plan, ['project:read'])
  expect((await call(limited, 'listWebhooks', { params, key })).status).toBe(200)
  expect((await call(limited, 'createWebhook', { params, key, body: given })).status).toBe(403)
})
