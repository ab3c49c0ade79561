import { type Operation, type Operations, operations, type SdkKeyCredential } from '@burgee/contract'
import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { idOf, keyOf } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { clientUser } from '../support/clientUser.ts'

/** The operations with an SDK key in a header, except streams. */
type Keyed = {
  [Id in keyof Operations]: Operations[Id] extends
    | { readonly credential: { readonly type: 'token' } | { readonly inPath: true } }
    | { readonly responseKind: 'stream' }
    ? never
    : Id
}[keyof Operations]

/** The required input of each operation besides the key. */
const sound: Record<Keyed, object> = {
  evaluateVariable: { params: { key: 'plain' }, body: { user_id: 'ada' } },
  evaluateVariables: { body: { user_id: 'ada' } },
  evaluateFeatures: { body: { user_id: 'ada' } },
  track: { body: { user: { user_id: 'ada' }, events: [] } },
  sendEvents: { body: { user: { user_id: 'ada' }, events: [] } },
  sendEventBatches: { body: { batch: [] } },
  updateEdgeUser: { params: { user_id: 'ada' }, body: { user_id: 'ada' } },
  deleteEdgeUser: { params: { user_id: 'gone' } },
  getOptInConfig: { query: { user_id: 'ada' } },
  updateOptIns: { params: { user_id: 'ada' }, body: { [idOf('beta')]: true } },
  hasOptIn: { params: { user_id: 'eager' } },
  getClientConfig: { query: clientUser('ada') },
  getMobileConfig: { query: clientUser('ada') },
  ofrepEvaluateFlag: { params: { key: 'plain' }, body: { context: { targetingKey: 'ada' } } },
  ofrepEvaluateFlags: { body: { context: { targetingKey: 'ada' } } },
  sendEdgeEvents: { body: { entries: [{ at: 0, payloadId: 'one' }] } }
}

const ids = Object.keys(sound) as Keyed[]

let server: TestServer

beforeAll(async () => {
  server = await serve({
    settings: { edgeDB: { enabled: true }, optIn: { enabled: true } },
    environments: { production: {}, staging: {} },
    features: [
      { key: 'plain', offIn: ['staging'] },
      { key: 'beta', isOptIn: true }
    ]
  })
  await call(server, 'updateOptIns', { params: { user_id: 'eager' }, body: { [idOf('beta')]: true } })
})

function ask(id: Keyed, given: { query?: object; [member: string]: unknown } = {}): Promise<ApiResponse> {
  const query = { ...('query' in sound[id] ? (sound[id].query as object) : {}), ...given.query }
  return call(server, id, { ...sound[id], ...given, query })
}

const right = keyOf('server')
const headers: [string, Record<string, string>][] = [
  ['nothing', {}],
  ['an empty header', { authorization: '' }],
  ['Bearer without a key', { authorization: 'Bearer' }],
  ['Bearer and spaces', { authorization: 'Bearer    ' }],
  ['an unknown key', { authorization: `server-${'x'.repeat(32)}` }],
  ['a key cut short', { authorization: keyOf('server').slice(0, -1) }],
  ['a key with more behind it', { authorization: `${right}x` }],
  ['a key in capitals', { authorization: right.toUpperCase() }],
  ['Bearer twice', { authorization: `Bearer Bearer ${right}` }],
  ['another scheme', { authorization: `Basic ${right}` }],
  ['Basic', { authorization: `Basic ${Buffer.from(`${right}:`).toString('base64')}` }],
  ['two keys', { authorization: `${right}, ${right}` }],
  ['a key in quotes', { authorization: `"${right}"` }],
  ['a name of an object', { authorization: '__proto__' }],
  ['another header', { 'x-sdk-key': right }],
  ['a cookie', { cookie: `sdkKey=${right}` }]
]

describe.each(ids)('%s', (id) => {
  const record: Operation & { readonly credential: SdkKeyCredential } = operations[id]
  const { keyTypes } = record.credential
  const key = keyOf(keyTypes.includes('server') ? 'server' : 'client')

  test.each(headers)('returns 401 to %s', async (_, given) => {
    const { status, body } = await ask(id, { key: null, headers: given })
    expect(status).toBe(401)
    const message: string = body.message ?? body.errorDetails
    expect(message).toMatch(/SDK key/)
    expect(message).not.toContain(right)
  })

  test.each(['server', 'client', 'mobile'] as const)('accepts or refuses a %s key by its type', async (type) => {
    const isAllowed = keyTypes.includes(type)
    for (const given of [keyOf(type), `Bearer ${keyOf(type)}`, `bearer  ${keyOf(type)}`]) {
      const { status, body } = await ask(id, { key: given })
      expect(status).toBe(isAllowed ? record.status : 403)
      if (!isAllowed)
        expect(body.message).toBe(`this operation takes a ${keyTypes.join(' or ')} key, got a ${type} key`)
    }
  })

  it('accepts the query parameter sdkKey exactly where the contract says so', async () => {
    const { status } = await ask(id, { key: null, query: { sdkKey: key } })
    expect(status).toBe(record.credential.inQuery ? record.status : 401)
  })

  it('accepts the header X-API-Key exactly where the contract says so', async () => {
    const { status } = await ask(id, { key: null, headers: { 'x-api-key': key } })
    expect(status).toBe(record.credential.inApiKeyHeader ? record.status : 401)
  })

  it('prefers the Authorization header', async () => {
    const given = { query: { sdkKey: key }, headers: { 'x-api-key': key } }
    expect((await ask(id, { ...given, key: 'server-unknown' })).status).toBe(401)
    expect((await ask(id, { query: { sdkKey: 'x' }, headers: { 'x-api-key': 'x' }, key })).status).toBe(record.status)
  })

  it('checks the key before anything else', async () => {
    const given = { key: null, params: { key: 'NO KEY', user_id: 'x' }, query: { enableEdgeDB: 'maybe' } }
    const answer = await ask(id, { ...given, headers: { 'content-type': 'text/plain', 'content-encoding': 'zstd' } })
    expect(answer.status).toBe(401)
  })
})

describe('a key', () => {
  it('grants access to its own environment and no other', async () => {
    const inStaging = await call(server, 'evaluateVariables', {
      body: { user_id: 'ada' },
      key: keyOf('server', 'staging')
    })
    const inProduction = await call(server, 'evaluateVariables', { body: { user_id: 'ada' } })
    expect(Object.keys(inStaging.body)).toEqual(['beta'])
    expect(Object.keys(inProduction.body)).toEqual(['plain', 'beta'])
  })

  it('writes into its own environment and no other', async () => {
    const body = { [idOf('beta')]: true }
    await call(server, 'updateOptIns', { params: { user_id: 'eve' }, body, key: keyOf('client', 'staging') })
    const choice = async (environment: string) => {
      const given = { query: { user_id: 'eve' }, key: keyOf('client', environment) }
      return (await call(server, 'getOptInConfig', given)).body.features[0].resolution
    }
    expect(await choice('staging')).toBe('explicit')
    expect(await choice('production')).toBe('implicit')
  })

  it('is never logged', () => {
    expect(server.logs.length).toBeGreaterThan(0)
    for (const environment of ['production', 'staging']) {
      for (const type of ['server', 'client', 'mobile'] as const) {
        expect(server.logs.join('')).not.toContain(keyOf(type, environment))
      }
    }
  })
})
