import { type ApiResponse, call, send, serve, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { attributeFilter, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'

const plan: Plan = {
  settings: { edgeDB: { enabled: true } },
  features: [
    { key: 'by-plan', targets: [{ filters: [attributeFilter('customData.plan', 'pro')] }] },
    { key: 'by-country', targets: [{ filters: [attributeFilter('country', 'CA')] }] },
    { key: 'by-email', targets: [{ filters: [attributeFilter('email', 'ada@example.com')] }] }
  ]
}

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

function keep(user_id: string, members: object, given: object = {}): Promise<ApiResponse> {
  return call(server, 'updateEdgeUser', { params: { user_id }, body: { user_id, ...members }, ...given })
}

/** The keys of the variables that a user gets with stored data. */
async function served(user_id: string): Promise<string[]> {
  const answer = await call(server, 'evaluateVariables', { body: { user_id }, query: { enableEdgeDB: 'true' } })
  return Object.keys(answer.body)
}

describe('stored user data', () => {
  test.each([
    [{ customData: { plan: 'pro' } }, ['by-plan']],
    [{ customData: '{"plan":"pro"}' }, ['by-plan']],
    [{ country: 'CA' }, ['by-country']],
    [{ country: { home: 'CA' } }, ['by-country']],
    [{ email: 'ada@example.com', language: { ui: 'en' }, lastSeenDate: NOW }, ['by-email']],
    [{}, []]
  ])('%j is used for targeting', async (members, keys) => {
    const user_id = `user ${JSON.stringify(members)}`
    const { status, body } = await keep(user_id, members)
    expect(status).toBe(200)
    expect(body).toEqual({ message: `Data of user "${user_id}" saved` })
    expect(await served(user_id)).toEqual(keys)
  })

  it('is merged with later data, attribute by attribute', async () => {
    await keep('joined', { country: 'CA', customData: { plan: 'pro', seats: 3 } })
    await keep('joined', { email: 'ada@example.com', customData: { seats: 4 } })
    expect(await served('joined')).toEqual(['by-plan', 'by-country', 'by-email'])
  })

  it('loses an attribute that is set to null', async () => {
    await keep('forgetful', { customData: { plan: 'pro' } })
    await keep('forgetful', { customData: { plan: null } })
    expect(await served('forgetful')).toEqual([])
  })

  it('does not apply to other projects or users', async () => {
    await keep('mine', { customData: { plan: 'pro' } })
    expect(await served('Mine')).toEqual([])
  })

  it('accepts any user id', async () => {
    for (const user_id of ['a/b', 'c?d#e', '%25', 'ünïcode', '__proto__', 'constructor', '..']) {
      const answer = await keep(user_id, { customData: { plan: 'pro' } })
      expect([user_id, answer.status]).toEqual([user_id, 200])
      expect(await served(user_id)).toEqual(['by-plan'])
    }
  })

  it('survives a restart', async () => {
    const first = await serve(plan)
    const bodies = [
      { country: 'CA', customData: { plan: 'pro', seats: 3, old: true } },
      { customData: { seats: 4, old: null } }
    ]
    for (const members of bodies) {
      const given = { params: { user_id: 'ada' }, body: { user_id: 'ada', ...members } }
      expect((await call(first, 'updateEdgeUser', given)).status).toBe(200)
    }
    await first.close()
    const store = await openStore(toStoreUrl(first.directory))
    const kept = await store.collection('edgeUsers').get({ _project: idOf('shop'), user_id: 'ada' })
    await store.close()
    expect(kept?.fromServers?.country).toBe('CA')
    expect(kept?.fromServers?.customData).toEqual({ plan: 'pro', seats: 4 })
  })

  it('is ignored by an evaluation that does not request it', async () => {
    await keep('unasked', { customData: { plan: 'pro' } })
    expect((await call(server, 'evaluateVariables', { body: { user_id: 'unasked' } })).body).toEqual({})
  })
})

describe('keys of every type', () => {
  test.each(['server', 'client', 'mobile'] as const)(
    '%s may store data, with the key in the header and in the query',
    async (type) => {
      expect((await keep('keyed', { name: 'x' }, { key: keyOf(type) })).status).toBe(200)
      expect((await keep('keyed', { name: 'x' }, { key: null, query: { sdkKey: keyOf(type) } })).status).toBe(200)
    }
  )
})

describe('refused user data', () => {
  test.each([
    [{ user_id: 'somebody else' }, 'user_id should be "refused" as in the path, got "somebody else"'],
    [{ user_id: 5 }, 'user_id should be a string, got 5'],
    [{ language: 'eng' }, 'language'],
    [{ country: { home: 'CAN' } }, 'country'],
    [{ customData: { a: [1] } }, 'customData'],
    [{ customData: 'nope' }, 'customData'],
    [{ customData: '{"__proto__":1}' }, 'customData'],
    [{ customData: '{"constructor":1}' }, 'customData'],
    [{ lastSeenDate: 'junk' }, 'lastSeenDate']
  ])('%j is reported and not stored', async (members, message) => {
    const answer = await keep('refused', { customData: { plan: 'pro' }, ...members })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
    expect(await served('refused')).toEqual([])
  })

  it('has no user_id in the body', async () => {
    const path = '/v1/edgedb/refused'
    const headers = { authorization: keyOf('server'), 'content-type': 'application/json' }
    const { status, body } = await send(server, { method: 'PATCH', path, headers, body: '{"country":"CA"}' })
    expect(status).toBe(400)
    expect(body.message).toContain('user_id should be a string, got nothing')
  })

  test.each(['', ' ', '\t'])('has no user: %j', async (user_id) => {
    const answer = await keep(user_id, { country: 'CA' })
    expect([400, 404]).toContain(answer.status)
  })

  it('belongs to a project with user data turned off', async () => {
    const off = await serve({})
    const answer = await call(off, 'updateEdgeUser', { params: { user_id: 'ada' }, body: { user_id: 'ada' } })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe('project "shop" does not store user data: its setting edgeDB is off')
  })
})

test('stored data of a user is limited to the size that evaluation accepts', async () => {
  const customData = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key-${index}`, 'x'.repeat(100)]))
  expect((await keep('grown', { customData })).status).toBe(200)
  const more = Object.fromEntries(Object.entries(customData).map(([key, value]) => [`other-${key}`, value]))
  const { status, body } = await keep('grown', { customData: more })
  expect(status).toBe(400)
  expect(body.message).toMatch(
    /^customData would have \d+ characters of JSON together with the stored data; it should have at most 16384$/
  )
})
