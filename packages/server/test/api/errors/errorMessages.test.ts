import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, send, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { keyOf } from '@burgee/testing/plan'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it, test } from 'vitest'

let server: TestServer

beforeAll(async () => {
  server = await serve({ features: [{ key: 'demo' }, { key: 'checkout' }] })
})

async function messageOf(answer: Promise<ApiResponse>): Promise<string> {
  const { message } = (await answer).body
  return [message].flat().join('; ')
}

describe('a 404', () => {
  const inShop = { project: 'shop' }

  test.each([
    ['getFeature', { ...inShop, feature: 'demoo' }, 'feature "demoo" in project "shop"; did you mean "demo"?'],
    ['getFeature', { ...inShop, feature: 'elsewhere' }, 'feature "elsewhere" in project "shop"'],
    ['getFeature', { project: 'shpo', feature: 'demo' }, 'project "shpo"; did you mean "shop"?'],
    [
      'getEnvironment',
      { ...inShop, key: 'prodution' },
      'environment "prodution" in project "shop"; did you mean "production"?'
    ],
    ['getVariable', { ...inShop, key: 'chekout' }, 'variable "chekout" in project "shop"; did you mean "checkout"?'],
    [
      'getVariation',
      { ...inShop, feature: 'demo', key: 'variation-onn' },
      'variation "variation-onn" in feature "demo"; did you mean "variation-on"?'
    ],
    ['getWebhook', { ...inShop, id: 'x' }, 'webhook "x" in project "shop"'],
    ['getUser', { user: 'nobody' }, 'user "nobody"']
  ] as const)(
    'of %s %j names the missing item, its place and the nearest match',
    async (operation, params, expected) => {
      const reference = /"([^"]+)"/.exec(expected)?.[1]
      const message = `Item with key '${reference}' not found: there is no ${expected}`
      expect(await messageOf(call(server, operation, { params }))).toBe(message)
    }
  )

  it('suggests the nearest key when a feature is updated', async () => {
    const given = { params: { ...inShop, feature: 'demoo' }, body: { name: 'Demo' } }
    const message = await messageOf(call(server, 'updateFeature', given))
    expect(message).toBe(
      `Item with key 'demoo' not found: there is no feature "demoo" in project "shop"; did you mean "demo"?`
    )
  })

  it('suggests no key that the caller may not read', async () => {
    const { server: limited, key } = await serveLimited({ features: [{ key: 'demo' }] }, ['variable:read'])
    const given = { params: { project: 'shop' }, query: { feature: 'demoo' }, key }
    const message = await messageOf(call(limited, 'listVariables', given))
    expect(message).toBe(`Item with key 'demoo' not found: there is no feature "demoo" in project "shop"`)
  })
})

describe('a 401', () => {
  const EXPECTS_TOKEN = 'the token is not valid: an SDK key was sent where an access token is expected'
  const EXPECTS_KEY = 'the SDK key is not known: an access token was sent where an SDK key is expected'

  it.each([keyOf('server'), keyOf('client'), 'mobile-0123456789', 'dvc_server_0123456789'])(
    'for %s says that an access token is expected, not an SDK key',
    async (key) => {
      expect(await messageOf(call(server, 'listProjects', { key }))).toContain(EXPECTS_TOKEN)
    }
  )

  it.each([
    ['burgee_secret_', 'a client secret was sent where an access token is expected'],
    ['burgee_scim_', 'a SCIM token was sent where an access token is expected; it calls /scim/v2 only']
  ])('for a credential that starts with %s says what was sent', async (prefix, expected) => {
    const message = await messageOf(call(server, 'listProjects', { key: `${prefix}${'x'.repeat(49)}` }))
    expect(message).toContain(`the token is not valid: ${expected}`)
  })

  it('for another text says that it is not a JWT', async () => {
    const message = 'the token is not valid: it is not a JWT, which has three parts separated by dots'
    expect(await messageOf(call(server, 'listProjects', { key: 'abc' }))).toBe(message)
  })

  it('for the shape of a JWT says that its parts are not those of one', async () => {
    const message = 'the token is not valid: its parts are not those of a JWT'
    expect(await messageOf(call(server, 'listProjects', { key: 'x.y.z' }))).toBe(message)
  })

  it.each(['none', 'HS256'])('for a JWT with the algorithm %s says which one is right', async (alg) => {
    const message = 'the token is not valid: its algorithm (alg) should be RS256'
    const key = `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.e30.AAAA`
    expect(await messageOf(call(server, 'listProjects', { key }))).toBe(message)
  })

  it('for Basic credentials says that an access token is expected', async () => {
    const headers = { authorization: `Basic ${btoa('ada:secret')}` }
    const message = 'the token is not valid: the Authorization header should be "Bearer " and an access token'
    expect(await messageOf(call(server, 'listProjects', { key: '', headers }))).toBe(message)
  })

  it('for an access token says that an SDK key is expected', async () => {
    const key = await tokenOf(server)
    expect(await messageOf(call(server, 'evaluateVariables', { key, body: { user_id: 'ada' } }))).toContain(EXPECTS_KEY)
  })

  it('for the token of another server says the same', async () => {
    const foreign = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
    expect(await messageOf(call(server, 'evaluateVariables', { key: foreign, body: {} }))).toContain(EXPECTS_KEY)
  })
})

describe('a query parameter that no operation has', () => {
  const list = (query: Readonly<Record<string, string>>) => call(server, 'listAuditEntries', { query })

  it.each([
    ['perpage', 'perPage'],
    ['per_page', 'perPage'],
    ['sortOrdr', 'sortOrder'],
    ['porject', 'project']
  ])('is refused by the management API if it is probably a misspelled one: %s', async (name, meant) => {
    const { status, body } = await list({ [name]: '1' })
    expect([status, body.message]).toEqual([400, [`property ${name} should not exist (did you mean "${meant}"?)`]])
  })

  it('is ignored if it is another word, as published clients send them', async () => {
    const { headers } = await list({})
    const given = await list({ user: 'nobody', action: 'create', sortBy: 'action', utm_source: 'x' })
    expect([given.status, given.headers.count]).toEqual([200, headers.count])
  })

  it('is ignored by the operations of SDKs', async () => {
    const given = { key: keyOf('server'), query: { enableEdgDB: 'maybe' }, body: { user_id: 'ada' } }
    expect((await call(server, 'evaluateVariables', given)).status).toBe(200)
  })
})

describe('a 400', () => {
  it.each([
    [{ varations: [] }, 'property varations should not exist (did you mean "variations"?)'],
    [{ variations: [{ key: 'a', nmae: 'A' }] }, 'property variations.0.nmae should not exist (did you mean "name"?)'],
    [
      { configurations: { production: { tragets: [] } } },
      'property configurations.production.tragets should not exist (did you mean "targets"?)'
    ],
    [{ whatever: 1 }, 'property whatever should not exist']
  ])('for the unknown member in %j suggests the nearest', async (members, expected) => {
    const body = { key: 'new', name: 'New', ...members }
    const { status, body: said } = await call(server, 'createFeature', { params: { project: 'shop' }, body })
    expect([status, said.message]).toEqual([400, expect.arrayContaining([expected])])
  })

  it('for a missing query parameter names its place', async () => {
    const params = { project: 'shop', feature: 'demo' }
    const answer = call(server, 'updateFeatureConfiguration', { params, body: {} })
    expect(await messageOf(answer)).toBe('environment should be a string, got nothing: it is a query parameter')
  })

  it('for a missing member of the body does not', async () => {
    const headers = { authorization: keyOf('server'), 'content-type': 'application/json' }
    const answer = send(server, { method: 'POST', path: '/v1/variables', headers, body: '{}' })
    expect(await messageOf(answer)).toBe('user_id should be a string, got nothing')
  })
})

describe('a 400 for a filter', () => {
  const messagesFor = async (filter: object) => {
    const filters = { operator: 'and', filters: [{ type: 'user', comparator: '=', values: ['x'], ...filter }] }
    const body = { name: 'A', key: 'a', filters }
    return messageOf(call(server, 'createAudience', { params: { project: 'shop' }, body: body as never }))
  }

  it('names the form that a property belongs to', async () => {
    expect(await messagesFor({ subType: 'email', dataKey: 'seats' })).toBe(
      'property filters.filters.0.dataKey should not exist: it belongs to subType "customData"'
    )
  })

  it('suggests the nearest property', async () => {
    expect(await messagesFor({ subType: 'customData', dataKeyType: 'String', dataKei: 'seats' })).toContain(
      'property filters.filters.0.dataKei should not exist (did you mean "dataKey"?)'
    )
  })
})
