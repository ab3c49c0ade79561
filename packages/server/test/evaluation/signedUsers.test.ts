import { readFile } from 'node:fs/promises'
import { sdkKeyTypes } from '@burgee/contract'
import { type ApiResponse, call, send, type TestServer } from '@burgee/testing/harness'
import { idOf, keyOf } from '@burgee/testing/plan'
import { initializeDevCycle } from '@devcycle/js-client-sdk'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature } from '@openfeature/server-sdk'
import { type Provider, OpenFeature as WebOpenFeature } from '@openfeature/web-sdk'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { clientUser } from '../support/clientUser.ts'
import {
  ANONYMOUS,
  evaluate,
  publicOperations,
  requestFor,
  SECRET,
  serveSignedUsers,
  sign
} from '../support/signedUsers.ts'

const MESSAGE =
  'the signature of the user is missing or wrong: userHash should be the hexadecimal HMAC-SHA-256 of the user id with a user signing secret of the environment'

let server: TestServer

beforeAll(async () => {
  server = await serveSignedUsers()
})

afterAll(async () => {
  await OpenFeature.close()
  await WebOpenFeature.close()
})

const signedBy = (userHash: string) => ({ headers: { 'x-burgee-user-hash': userHash } })

function messageOf({ body }: ApiResponse): unknown {
  return body?.message ?? body?.errorDetails
}

describe('where users must be signed', () => {
  it('every operation with a public key names its user, except for the stream', () => {
    expect(publicOperations.filter(({ user }) => user === undefined).map(({ id }) => id)).toEqual(['streamEvents'])
  })

  const cells = publicOperations.flatMap((record) => {
    const { user, credential } = record
    const keyTypes = credential.type === 'sdkKey' ? credential.keyTypes : []
    return user === undefined ? [] : keyTypes.map((type) => ({ id: record.id, type, record }))
  })

  test.each(cells)('$id checks the signature with a $type key', async ({ id, type, record }) => {
    const request = (more: object = {}) =>
      call(server, id, { ...requestFor(record, 'jean'), ...more, key: keyOf(type) })
    const signed = await request(signedBy(sign('jean')))
    expect([200, 201, 204]).toContain(signed.status)
    const unsigned = [request(), request(signedBy(sign('grace'))), request(signedBy(sign('jean', 'another secret')))]
    for (const response of await Promise.all([...unsigned, request(signedBy('typed'))])) {
      if (type === 'server') expect(response.status).toBe(signed.status)
      else expect([response.status, messageOf(response)]).toEqual([401, MESSAGE])
    }
  })

  it('the refusal is the same for stored and unknown users', async () => {
    await call(server, 'updateEdgeUser', { params: { user_id: 'known' }, body: { user_id: 'known' } })
    const refused = async (user_id: string) => {
      const { status, body } = await call(server, 'updateEdgeUser', {
        params: { user_id },
        body: { user_id },
        key: keyOf('client')
      })
      return { status, body }
    }
    expect(await refused('known')).toEqual(await refused('unknown'))
  })

  it('OFREP returns its error code', async () => {
    const { status, body } = await evaluate(server, 'all', { targetingKey: 'ada', userHash: sign('grace') })
    expect([status, body]).toEqual([401, { key: 'all', errorCode: 'INVALID_CONTEXT', errorDetails: MESSAGE }])
  })

  test.each([
    ['upper-case digits', sign('ada').toUpperCase(), 200],
    ['one digit missing', sign('ada').slice(1), 401],
    ['more digits', `${sign('ada')}00`, 401],
    ['base64', Buffer.from(sign('ada'), 'hex').toString('base64'), 401],
    ['an empty text', '', 401],
    ['a number', 1, 401],
    ['a list', [sign('ada')], 401],
    ['null', null, 401]
  ])('a signature of %s gets its status', async (_, userHash, expected) => {
    expect((await evaluate(server, 'all', { targetingKey: 'ada', userHash })).status).toBe(expected)
  })

  it('a request that names no user needs no signature', async () => {
    for (const context of [{}, { country: 'CA' }, { userHash: 'typed' }]) {
      expect((await evaluate(server, 'all', context)).body).toMatchObject({ value: true })
    }
  })

  test.each([
    ['a member of the query', { query: clientUser('ada', { userHash: sign('ada') }) }],
    [
      'private custom data as text',
      { query: clientUser('ada', { privateCustomData: JSON.stringify({ userHash: sign('ada') }) }) }
    ]
  ])('client configs accept a signature as %s', async (_, input) => {
    const get = (key: string) => call(server, 'getClientConfig', { ...input, key })
    const { status, body } = await get(keyOf('client'))
    expect([status, Object.keys(body.variables)]).toEqual([200, ['all', 'by-id']])
  })

  it('edge data accepts a signature in the body, and does not store it', async () => {
    const userHash = sign('signed')
    const write = (members: object) => {
      const body = { user_id: 'signed', ...members }
      return call(server, 'updateEdgeUser', { params: { user_id: 'signed' }, body, key: keyOf('client') })
    }
    expect((await write({ userHash: sign('ada') })).status).toBe(401)
    expect((await write({ userHash, customData: { plan: 'pro' } })).status).toBe(200)
    expect((await write({ privateCustomData: { userHash } })).status).toBe(200)
    const { status } = await call(server, 'updateEdgeUser', {
      params: { user_id: 'signed' },
      body: { user_id: 'signed', customData: { userHash } },
      ...signedBy(userHash),
      key: keyOf('client')
    })
    expect(status).toBe(200)
    const { body } = await call(server, 'exportUserData', { params: { project: 'shop', user_id: 'signed' } })
    expect(JSON.stringify(body)).toContain('pro')
    expect(JSON.stringify(body)).not.toContain(userHash)
  })

  it('what a signed user writes counts for evaluations of clients only', async () => {
    const context = { targetingKey: 'mary', userHash: sign('mary') }
    const params = { user_id: 'mary' }
    const body = { [idOf('beta')]: true }
    await call(server, 'updateOptIns', { params, body, key: keyOf('client'), ...signedBy(sign('mary')) })
    expect((await evaluate(server, 'beta', context)).body.value).toBe(true)
    expect((await evaluate(server, 'beta', context, keyOf('server'))).body.value).toBeUndefined()
  })

  it('events of several users are refused as a whole if one is not signed', async () => {
    const report = (user_id: string, userHash?: string) => ({
      user: { user_id, ...(userHash === undefined ? {} : { userHash }) },
      events: [{ type: 'customEvent', customType: 'purchase' }]
    })
    const post = (batch: readonly object[], more: object = {}) =>
      call(server, 'sendEventBatches', { body: { batch }, key: keyOf('mobile'), ...more })
    const signed = [report('ada', sign('ada')), report('grace', sign('grace'))]
    expect((await post(signed)).body).toMatchObject({ accepted: 2, refused: 0 })
    // After more users than are verified at once.
    const many = Array.from({ length: 150 }, () => report('ada', sign('ada')))
    const unsigned = await post([...many, { user: { user_id: 'eve' }, events: [] }, report('eve')])
    expect([unsigned.status, unsigned.body.message]).toEqual([401, MESSAGE])
    // The header applies to users without a separate signature.
    expect((await post([report('ada', sign('ada')), report('eve')], signedBy(sign('eve')))).status).toBe(201)
  })

  it('rules cannot match the signature, with any key and in any place', async () => {
    const contexts = [
      { userHash: sign('ada') },
      { privateCustomData: { userHash: sign('ada'), plan: 'pro' } },
      { customData: { userHash: sign('ada') } }
    ]
    for (const key of sdkKeyTypes.map((type) => keyOf(type, 'off'))) {
      for (const context of contexts) {
        const { status, body } = await evaluate(server, 'by-hash', { targetingKey: 'ada', ...context }, key)
        expect([status, body.value]).toEqual([200, undefined])
      }
    }
    const query = clientUser('ada', { privateCustomData: JSON.stringify({ userHash: sign('ada'), plan: 'pro' }) })
    const { body } = await call(server, 'getClientConfig', { query, key: keyOf('client') })
    expect(Object.keys(body.variables)).toEqual(['all', 'by-id', 'by-plan'])
  })
})

test.each([
  ['accepted', 'missing', undefined, 200],
  ['accepted', 'right', sign('ada'), 200],
  ['accepted', 'wrong', sign('grace'), 401],
  ['off', 'missing', undefined, 200],
  ['off', 'wrong', sign('grace'), 200]
])('where signed users are %s, a %s signature gets its status', async (environment, _, userHash, expected) => {
  const context = { targetingKey: 'ada', ...(userHash === undefined ? {} : { userHash }) }
  expect((await evaluate(server, 'by-id', context, keyOf('client', environment))).status).toBe(expected)
})

it('counts signatures by result', async () => {
  const count = async (result: string) => {
    const { body } = await send(server, { path: '/metrics' })
    return Number(new RegExp(`^burgee_user_signatures_total\\{result="${result}"\\} (\\d+)$`, 'm').exec(body)?.[1])
  }
  const before = await count('missing')
  await evaluate(server, 'all', { targetingKey: 'ada' }, keyOf('client', 'accepted'))
  await evaluate(server, 'all', { targetingKey: 'ada' }, keyOf('client', 'off'))
  expect(await count('missing')).toBe(before + 1)
  expect(await count('valid')).toBeGreaterThan(0)
})

describe('an anonymous user', () => {
  const lenient = keyOf('client', 'lenient')
  const anonymous = (user_id: string) => ({ targetingKey: user_id, isAnonymous: true })

  it('must be signed by default', async () => {
    expect((await evaluate(server, 'all', anonymous(ANONYMOUS))).status).toBe(401)
  })

  test.each([
    ['a random UUID', anonymous(ANONYMOUS), 200],
    ['another id', anonymous('ada'), 401],
    ['a UUID that is not random', anonymous('3f2b8c1e-9a4d-1e6f-8b7a-1c2d3e4f5a6b'), 401],
    ['a random UUID, without isAnonymous', { targetingKey: ANONYMOUS }, 401],
    ['a random UUID and a wrong signature', { ...anonymous(ANONYMOUS), userHash: sign('ada') }, 401]
  ])('with %s gets its status if they may be unsigned', async (_, context, expected) => {
    expect((await evaluate(server, 'all', context, lenient)).status).toBe(expected)
  })

  it('gets no stored data of the id', async () => {
    const stored = { params: { user_id: ANONYMOUS }, key: keyOf('server', 'lenient') }
    await call(server, 'updateOptIns', { ...stored, body: { [idOf('beta')]: true } })
    const get = async (isAnonymous: string, more: object = {}) => {
      const query = clientUser(ANONYMOUS, { isAnonymous, enableEdgeDB: 'true' })
      return Object.keys((await call(server, 'getClientConfig', { query, key: lenient, ...more })).body.variables)
    }
    expect(await get('false', signedBy(sign(ANONYMOUS)))).toEqual(['all', 'by-plan', 'beta', 'by-id'])
    expect(await get('true')).toEqual(['all'])
    expect((await evaluate(server, 'beta', anonymous(ANONYMOUS), lenient)).body.value).toBeUndefined()
  })

  it('sends events, and writes or reads no edge data and no choices', async () => {
    const input = { key: lenient }
    const user = { user_id: ANONYMOUS, isAnonymous: true }
    const events = [{ type: 'customEvent', customType: 'purchase' }]
    expect((await call(server, 'sendEvents', { ...input, body: { user, events } })).status).toBe(201)
    const params = { user_id: ANONYMOUS }
    const refused = [
      call(server, 'updateEdgeUser', { ...input, params, body: user }),
      call(server, 'updateOptIns', { ...input, params, body: { [idOf('beta')]: true } }),
      call(server, 'hasOptIn', { ...input, params }),
      call(server, 'getOptInConfig', { ...input, query: { user_id: ANONYMOUS, isAnonymous: 'true' } })
    ]
    for (const { status } of await Promise.all(refused)) expect(status).toBe(401)
  })
})

describe('published clients', () => {
  it('OpenFeature in browsers sends the signature in the context', async () => {
    const start = async (domain: string, context: Record<string, string>) => {
      const provider = new OFREPWebProvider({
        baseUrl: server.url,
        headers: [['authorization', keyOf('client')]],
        cacheMode: 'disabled',
        pollInterval: 0
      })
      // Its hooks may be undefined, which exactOptionalPropertyTypes distinguishes from missing.
      await WebOpenFeature.setProviderAndWait(domain, provider as Provider, context)
      return WebOpenFeature.getClient(domain).getBooleanValue('by-id', false)
    }
    expect(await start('signed', { targetingKey: 'ada', userHash: sign('ada') })).toBe(true)
    await expect(start('unsigned', { targetingKey: 'ada' })).rejects.toThrow()
    await expect(start('wrong', { targetingKey: 'ada', userHash: sign('grace') })).rejects.toThrow()
  })

  it('OpenFeature on servers sends the signature in the context', async () => {
    // This version reads an object, although its type declares pairs.
    const options = { baseUrl: server.url, headers: { authorization: keyOf('mobile') } } as never
    await OpenFeature.setProviderAndWait('signed', new OFREPProvider(options))
    const client = OpenFeature.getClient('signed')
    const evaluated = (context: Record<string, string>) => client.getBooleanValue('by-id', false, context)
    expect(await evaluated({ targetingKey: 'ada', userHash: sign('ada') })).toBe(true)
    expect(await evaluated({ targetingKey: 'ada' })).toBe(false)
  })

  it('the JavaScript SDK sends the signature in private custom data', async () => {
    const silent = () => {}
    const logger = { debug: silent, info: silent, warn: silent, error: silent }
    const start = (userHash: string) => {
      const user = { user_id: 'ada', privateCustomData: { userHash } }
      const options = { apiProxyURL: server.url, logger, disableRealtimeUpdates: true }
      return initializeDevCycle(keyOf('client'), user, options)
    }
    const counted = async () => {
      const { body } = await send(server, { path: '/metrics' })
      return Number(/^burgee_events_total (\d+)$/m.exec(body)?.[1])
    }
    await expect(start(sign('grace')).onClientInitialized()).rejects.toThrow(/Invalid SDK Key/)
    const client = start(sign('ada'))
    await client.onClientInitialized()
    expect(client.variableValue('by-id', false)).toBe(true)
    const before = await counted()
    client.track({ type: 'purchase' })
    await client.flushEvents()
    await client.close()
    expect(await counted()).toBeGreaterThan(before)
  })
})

it('the guide signs as the server does', async () => {
  const guide = await readFile(new URL('../../../../docs/guides/signed-users.md', import.meta.url), 'utf8')
  expect(guide).toContain(`\`${SECRET}\``)
  const vectors = [...guide.matchAll(/^\| `(.+)` \| `([\da-f]{64})` \|$/gm)]
  expect(vectors).toHaveLength(2)
  for (const [, targetingKey = '', userHash] of vectors) {
    expect((await evaluate(server, 'all', { targetingKey, userHash })).status).toBe(200)
  }
})
