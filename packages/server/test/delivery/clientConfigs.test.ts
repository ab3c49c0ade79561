import { createHash } from 'node:crypto'
import type { ProjectSettings } from '@burgee/contract/schemas'
import { compile } from '@burgee/core'
import { call, send, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import vectors from '../../../core/test/vectors/user-validation.json' with { type: 'json' }
import { deobfuscateKey } from '../../src/delivery/obfuscation/deobfuscateKey.ts'
import { clientUser } from '../support/clientUser.ts'

const plan: Plan = {
  settings: { edgeDB: { enabled: true }, optIn: { enabled: true, title: 'Early access' } },
  environments: { production: {}, staging: {} },
  features: [
    {
      key: 'checkout',
      type: 'experiment',
      variables: { steps: 'Number', title: 'String', layout: 'JSON', 'is-new': 'Boolean' },
      variations: {
        short: { steps: 3, title: 'Pay', layout: { columns: [1, 2] }, 'is-new': true },
        long: { steps: 5, title: 'Continue', layout: {}, 'is-new': false }
      },
      targets: [
        { filters: [attributeFilter('country', 'CA')], serves: { short: 1 } },
        { name: 'Everybody else', serves: { long: 1 } }
      ]
    },
    { key: 'by-plan', targets: [{ filters: [attributeFilter('customData.plan', 'pro')] }] },
    { key: 'by-secret', targets: [{ filters: [attributeFilter('customData.secret', 'yes')] }] },
    {
      key: 'beta',
      isOptIn: true,
      targets: [{ filters: [{ type: 'optIn' }] }, { filters: [attributeFilter('user_id', 'tester')] }]
    },
    { key: 'nobody', targets: [{ filters: [attributeFilter('user_id', 'nobody')] }] }
  ],
  edgeUsers: { kept: { country: 'CA', customData: { plan: 'pro' } } }
}

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

/** Returns the config of a user as client SDKs request it. */
function ask(query: Readonly<Record<string, string>>, of = server, key: string | null = keyOf('client')) {
  return call(of, 'getClientConfig', { query, key })
}

async function variablesOf(query: Readonly<Record<string, string>>, of = server): Promise<string[]> {
  return Object.keys((await ask(query, of)).body.variables)
}

describe('a client config', () => {
  const features = {
    checkout: {
      _id: idOf('checkout'),
      key: 'checkout',
      type: 'experiment',
      _variation: idOf('checkout short'),
      variationKey: 'short',
      variationName: 'short',
      settings: { optInEnabled: false, publicName: 'Try checkout', publicDescription: '' },
      eval: { reason: 'TARGETING_MATCH', details: 'Country', target_id: idOf('checkout target 0') }
    }
  }
  const variable = (key: string, type: string, value: unknown) => {
    return { _id: idOf(`variable ${key}`), _feature: idOf('checkout'), key, type, value, eval: features.checkout.eval }
  }

  test.each([
    ['getClientConfig', 'client'],
    ['getClientConfig', 'mobile'],
    ['getMobileConfig', 'client'],
    ['getMobileConfig', 'mobile']
  ] as const)('has all variables and features of a user: %s with a %s key', async (id, type) => {
    const { status, headers, body } = await call(server, id, {
      query: clientUser('ada', { country: 'CA' }),
      key: keyOf(type)
    })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toEqual({
      project: {
        _id: idOf('shop'),
        key: 'shop',
        a0_organization: 'org_test',
        settings: {
          edgeDB: { enabled: true },
          optIn: { enabled: true, title: 'Early access' },
          obfuscation: { enabled: false, required: false },
          disablePassthroughRollouts: false
        }
      },
      environment: { _id: idOf('production'), key: 'production' },
      features,
      featureVariationMap: { [idOf('checkout')]: idOf('checkout short') },
      variableVariationMap: {},
      variables: {
        steps: variable('steps', 'Number', 3),
        title: variable('title', 'String', 'Pay'),
        layout: variable('layout', 'JSON', { columns: [1, 2] }),
        'is-new': variable('is-new', 'Boolean', true)
      },
      sse: { url: `${server.url}/event-stream?sdkKey=${keyOf(type)}`, inactivityDelay: 120_000 },
      etag: expect.stringMatching(/^W\/"\d+-[0-9a-f]+"$/)
    })
  })

  it('is that of the environment of the key', async () => {
    const { body } = await ask(clientUser('ada'), server, keyOf('client', 'staging'))
    expect(body.environment.key).toBe('staging')
    expect(body.sse.url).toContain(keyOf('client', 'staging'))
  })

  it('is returned for a key in the query, as SDKs send it', async () => {
    const query = clientUser('ada', { sdkKey: keyOf('client') })
    expect((await ask(query, server, null)).status).toBe(200)
    expect((await ask({ ...query, sdkKey: 'client-unknown' }, server, null)).status).toBe(401)
    expect((await ask({ ...query, sdkKey: keyOf('server') }, server, null)).status).toBe(403)
  })

  it('has features only for the key types that may see them', async () => {
    const hiding = await serve({
      settings: { sdkTypeVisibility: { enabledInFeatureSettings: true } },
      features: [
        { key: 'for-apps', visibleTo: ['mobile'] },
        { key: 'for-pages', visibleTo: ['client'] },
        { key: 'inside', visibleTo: ['server'] }
      ]
    })
    const visibleTo = async (type: 'client' | 'mobile') => {
      const { body } = await call(hiding, 'getMobileConfig', { query: clientUser('ada'), key: keyOf(type) })
      return [Object.keys(body.features), Object.keys(body.variables)]
    }
    expect(await visibleTo('client')).toEqual([['for-pages'], ['for-pages']])
    expect(await visibleTo('mobile')).toEqual([['for-apps'], ['for-apps']])
  })

  it('has the URL of streams under the public URL', async () => {
    const behind = await serve(plan, { publicUrl: 'https://flags.example.com/burgee/' })
    const { body } = await ask(clientUser('ada'), behind)
    expect(body.sse.url).toBe(`https://flags.example.com/burgee/event-stream?sdkKey=${keyOf('client')}`)
  })

  it('changes its etag with any change', async () => {
    const changing = await serve(plan)
    const etag = async () => (await ask(clientUser('ada'), changing)).body.etag
    const before = await etag()
    expect(await etag()).toBe(before)
    const params = { project: 'shop', feature: 'nobody' }
    const { status } = await call(changing, 'updateFeature', { params, body: { tags: ['x'], name: 'Nobody at all' } })
    expect(status).toBe(200)
    expect(await etag()).toBe(before)
    await call(changing, 'updateFeatureConfiguration', {
      params,
      query: { environment: 'production' },
      body: { status: 'inactive' }
    })
    expect(await etag()).not.toBe(before)
  })

  it('has an ETag that differs exactly if the body does', async () => {
    const changing = await serve({
      ...plan,
      settings: { ...plan.settings, obfuscation: { enabled: true, required: false } }
    })
    const bodies = new Map<string, string>()
    const note = async (query: Readonly<Record<string, string>>, type: 'client' | 'mobile' = 'client') => {
      const { headers, body } = await ask(query, changing, keyOf(type))
      const text = JSON.stringify(body)
      expect(bodies.get(String(headers.etag)) ?? text).toBe(text)
      bodies.set(String(headers.etag), text)
    }
    const noteAll = async () => {
      for (const more of [{}, { country: 'CA' }, { customData: '{"plan":"pro"}' }, { obfuscated: '1' }]) {
        for (const id of ['ada', 'bob']) await note(clientUser(id, more as Record<string, string>))
      }
      await note(clientUser('ada'), 'mobile')
    }
    await noteAll()
    // Those of two users with the same results are the same.
    expect(bodies.size).toBe(5)
    await call(changing, 'updateFeatureConfiguration', {
      params: { project: 'shop', feature: 'nobody' },
      query: { environment: 'production' },
      body: { status: 'inactive' }
    })
    await noteAll()
    expect(bodies.size).toBe(10)
    expect(new Set(bodies.values()).size).toBe(10)
  })

  it('is answered with 304 if the client has it', async () => {
    const path = `/v1/sdkConfig?${new URLSearchParams(clientUser('ada', { sdkKey: keyOf('client') }))}`
    const { headers } = await send(server, { path })
    const again = await send(server, { path, headers: { 'if-none-match': String(headers.etag) } })
    expect([again.status, again.headers.etag, again.body]).toEqual([304, headers.etag, undefined])
    const other = `/v1/sdkConfig?${new URLSearchParams(clientUser('ada', { sdkKey: keyOf('client'), country: 'CA' }))}`
    expect((await send(server, { path: other, headers: { 'if-none-match': String(headers.etag) } })).status).toBe(200)
  })

  it('contains nothing about other users, approvals, mails or rules', async () => {
    const { body } = await ask(clientUser('ada', { country: 'CA', privateCustomData: '{"secret":"yes"}' }))
    expect(Object.keys(body.variables)).toContain('by-secret')
    for (const word of ['"yes"', 'Approval', 'staleness', 'observability', 'lifeCycle', 'distribution', 'nobody']) {
      expect(JSON.stringify(body)).not.toContain(word)
    }
  })
})

describe('every user of the vectors is accepted or refused as listed', () => {
  it('and the vectors have 18 users', () => {
    expect(vectors.clientUserQuery).toHaveLength(18)
  })

  test.each(vectors.clientUserQuery.map((judged) => [JSON.stringify(judged.input), judged] as const))(
    '%s',
    async (_, { input, ok, errors }) => {
      const { status, body } = await ask(input as Record<string, string>)
      expect(status).toBe(ok ? 200 : 400)
      for (const { property } of errors) expect(body.message).toContain(`${property} should`)
    }
  )
})

describe('a query', () => {
  test.each([
    ['no user_id', { user_id: '' }, 'user_id should not be empty'],
    ['a blank user_id', { user_id: '  ' }, 'user_id should not be blank'],
    ['an invalid moment', { createdDate: 'yesterday' }, 'createdDate should be epoch milliseconds or a date-time'],
    ['an empty moment', { lastSeenDate: '' }, 'lastSeenDate should not be empty'],
    ['a build that is not a number', { appBuild: 'x' }, 'appBuild should be a number, got "x"'],
    ['an unknown language', { language: 'eng' }, 'language should'],
    ['an unknown country', { country: 'XX' }, 'country should be an ISO 3166-1 alpha-2 country code, got "XX"'],
    ['custom data that is not JSON', { customData: '{' }, 'customData should be the JSON text of a flat object'],
    ['custom data that is a list', { customData: '[1]' }, 'customData should be the JSON text of a flat object'],
    ['custom data with depth', { privateCustomData: '{"a":{}}' }, 'privateCustomData should'],
    ['custom data with a prototype', { customData: '{"__proto__":1}' }, 'customData should'],
    ['an invalid switch', { enableEdgeDB: 'maybe' }, 'enableEdgeDB should'],
    ['another invalid switch', { obfuscated: '2' }, 'obfuscated should'],
    ['an invalid debug flag', { isDebug: 'x' }, 'isDebug should be one of true, false, got "x"']
  ])('with %s is refused', async (_, more, says) => {
    const { status, body } = await ask(clientUser('ada', more))
    expect([status, body]).toEqual([400, { statusCode: 400, message: expect.stringContaining(says) }])
  })

  it('that repeats a member is refused', async () => {
    const path = `/v1/sdkConfig?${new URLSearchParams(clientUser('ada'))}&user_id=eve`
    const { status, body } = await send(server, { path, headers: { authorization: keyOf('client') } })
    expect([status, body]).toEqual([400, { statusCode: 400, message: expect.stringContaining('user_id should') }])
  })

  test.each([
    ['dates as text', { createdDate: '2026-03-01T12:00:00Z' }],
    ['unknown members', { hostname: 'x', __proto__x: '1', constructor: 'y' }],
    ['a message that made it ask', { sse: '1', sseLastModified: String(NOW), sseEtag: '"1-x"' }],
    ['a message in nobody’s words', { sse: '?', sseLastModified: 'soon', sseEtag: '' }],
    ['an anonymous user', { isAnonymous: 'true' }],
    ['a debug flag', { isDebug: 'true' }]
  ])('with %s is accepted', async (_, more) => {
    const { status, body } = await ask(clientUser('ada', { country: 'CA', ...more }))
    expect([status, body.variables.steps.value]).toEqual([200, 3])
  })

  it('that repeats a stream parameter is accepted', async () => {
    const path = `/v1/sdkConfig?${new URLSearchParams(clientUser('ada'))}&sse=1&sse=1&sseEtag=a&sseEtag=b`
    const { status } = await send(server, { path, headers: { authorization: keyOf('client') } })
    expect(status).toBe(200)
  })

  it('is decoded from form encoding and JSON', async () => {
    const customData = JSON.stringify({ plan: 'pro', 'x y': null, n: 1 })
    const path = `/v1/sdkConfig?${new URLSearchParams(clientUser('user 1/é&x', { customData }))}`
    const { body } = await send(server, { path, headers: { authorization: keyOf('client') } })
    expect(Object.keys(body.variables)).toContain('by-plan')
  })

  it('cannot opt a user in', async () => {
    expect(await variablesOf(clientUser('ada', { optIns: `{"${idOf('beta')}":true}` }))).not.toContain('beta')
  })
})

describe('stored user data', () => {
  it('is used if the query requests it', async () => {
    expect(await variablesOf(clientUser('kept'))).not.toContain('by-plan')
    expect(await variablesOf(clientUser('kept', { enableEdgeDB: 'false' }))).not.toContain('by-plan')
    expect(await variablesOf(clientUser('kept', { enableEdgeDB: 'true' }))).toContain('by-plan')
  })

  it('is overridden by the query', async () => {
    const query = clientUser('kept', { enableEdgeDB: 'true', customData: '{"plan":"free"}' })
    expect(await variablesOf(query)).not.toContain('by-plan')
    expect((await ask({ ...query, country: 'US' })).body.variables.steps.value).toBe(5)
  })

  it('is not returned', async () => {
    const { body } = await ask(clientUser('kept', { enableEdgeDB: 'true' }))
    expect(JSON.stringify(body)).not.toContain('"pro"')
  })

  it('is ignored if the project has it turned off', async () => {
    const forgetful = await serve({ ...plan, settings: { edgeDB: { enabled: false } } })
    expect(await variablesOf(clientUser('kept', { enableEdgeDB: 'true' }), forgetful)).not.toContain('by-plan')
  })
})

test('an override is part of the client config, and changes its version', async () => {
  const deciding = await serve(plan)
  const before = (await ask(clientUser('ada'), deciding)).body
  const params = { project: 'shop' }
  await call(deciding, 'updateUserProfile', { params, body: { svcUserId: 'ada' } })
  await call(deciding, 'updateFeatureOverride', {
    params: { ...params, feature: 'checkout' },
    body: { environment: 'production', variation: 'short' }
  })
  const { body } = await ask(clientUser('ada'), deciding)
  expect(body.variables.steps).toMatchObject({ value: 3, eval: { reason: 'OVERRIDE', details: 'Override' } })
  expect(body.featureVariationMap[idOf('checkout')]).toBe(idOf('checkout short'))
  expect(body.etag).not.toBe(before.etag)
})

describe('an opt-in', () => {
  const choose = (user_id: string, body: object) => call(server, 'updateOptIns', { params: { user_id }, body })
  const has = (user_id: string, key = keyOf('client'), of = server) =>
    call(of, 'hasOptIn', { params: { user_id }, key })

  it('changes the variables of the user', async () => {
    await choose('eager', { [idOf('beta')]: true })
    expect(await variablesOf(clientUser('eager'))).toContain('beta')
  })

  it('can be read afterwards', async () => {
    expect((await has('user 1/é')).status).toBe(204)
    await choose('user 1/é', { [idOf('beta')]: true })
    const answer = await has('user 1/é')
    expect([answer.status, answer.body]).toEqual([200, { message: 'User "user 1/é" has opted in' }])
    await choose('user 1/é', { [idOf('beta')]: false })
    const { status, headers, body } = await has('user 1/é')
    expect([status, headers['content-type'], body]).toEqual([204, undefined, undefined])
  })

  it('applies to its own environment only', async () => {
    await choose('here', { [idOf('beta')]: true })
    expect((await has('here')).status).toBe(200)
    expect((await has('here', keyOf('client', 'staging'))).status).toBe(204)
  })

  it('is ignored once the feature or the project does not allow it', async () => {
    const closing = await serve(plan)
    const body = { [idOf('beta')]: true }
    await call(closing, 'updateOptIns', { params: { user_id: 'ada' }, body })
    expect((await has('ada', keyOf('client'), closing)).status).toBe(200)
    const params = { project: 'shop', feature: 'beta' }
    const settings = (optInEnabled: boolean) => ({ settings: { optInEnabled, publicName: 'B', publicDescription: '' } })
    await call(closing, 'updateFeature', { params, body: settings(false) })
    expect((await has('ada', keyOf('client'), closing)).status).toBe(204)
    await call(closing, 'updateFeature', { params, body: settings(true) })
    expect((await has('ada', keyOf('client'), closing)).status).toBe(200)
    await call(closing, 'updateProject', {
      params: { key: 'shop' },
      body: { settings: { optIn: { enabled: false } } }
    })
    expect((await has('ada', keyOf('client'), closing)).status).toBe(204)
  })
})

describe('obfuscation', () => {
  const serveWith = (obfuscation: ProjectSettings['obfuscation']) =>
    serve({ ...plan, settings: { ...plan.settings, obfuscation } })
  const hidden = (id: string) => `dvc_obfs_${createHash('sha256').update(id).digest('hex')}`
  const query = clientUser('ada', { country: 'CA' })
  const asked = { ...query, obfuscated: '1' }

  it('is off if the project turns it off, even if it is required', async () => {
    const off = await serveWith({ enabled: false, required: true })
    expect(Object.keys((await ask(query, off)).body.variables)).toContain('steps')
    expect(Object.keys((await ask(asked, off)).body.variables)).toContain('steps')
  })

  it('is not applied without a request if it is optional', async () => {
    const on = await serveWith({ enabled: true, required: false })
    expect(Object.keys((await ask(query, on)).body.variables)).toContain('steps')
    expect(Object.keys((await ask({ ...query, obfuscated: '0' }, on)).body.variables)).toContain('steps')
  })

  it.each(['client', 'mobile'] as const)('gives a %s key obfuscated keys', async (type) => {
    const on = await serveWith({ enabled: true, required: true })
    const { status, body } = await call(on, 'getClientConfig', { query: asked, key: keyOf(type) })
    expect(status).toBe(200)
    const variation = hidden(idOf('checkout short'))
    const reason = { reason: 'TARGETING_MATCH', details: '', target_id: idOf('checkout target 0') }
    expect(body.features).toEqual({
      [hidden(idOf('checkout'))]: {
        _id: idOf('checkout'),
        key: hidden(idOf('checkout')),
        type: 'experiment',
        _variation: idOf('checkout short'),
        variationKey: variation,
        variationName: variation,
        eval: reason
      }
    })
    expect(body.featureVariationMap).toEqual({ [idOf('checkout')]: idOf('checkout short') })
    const steps = hidden(idOf('variable steps'))
    expect(Object.keys(body.variables)).toHaveLength(4)
    expect(body.variables[steps]).toEqual({
      _id: idOf('variable steps'),
      _feature: idOf('checkout'),
      key: steps,
      type: 'Number',
      value: 3,
      eval: reason
    })
    for (const word of ['checkout', 'steps', 'is-new', 'short', 'Country']) {
      expect(JSON.stringify(body).replaceAll(/"sse":\{[^}]*\}/g, '')).not.toContain(word)
    }
  })

  it('changes with the config', async () => {
    const on = await serveWith({ enabled: true, required: false })
    await ask(asked, on)
    const body = { key: 'brand-new', type: 'Boolean' }
    await call(on, 'createVariable', { params: { project: 'shop' }, body: { ...body, _feature: 'checkout' } })
    const { body: found } = await call(on, 'getVariable', { params: { project: 'shop', key: 'brand-new' } })
    expect((await ask(asked, on)).body.variables).toHaveProperty(hidden(found._id))
  })

  it('is required of client keys if the project requires it', async () => {
    const strict = await serveWith({ enabled: true, required: true })
    const { status, body } = await ask(query, strict)
    expect([status, body.message]).toEqual([403, expect.stringContaining('obfuscated=1')])
    const context = { body: { context: { targetingKey: 'ada' } } }
    const all = await call(strict, 'ofrepEvaluateFlags', { ...context, key: keyOf('client') })
    expect([all.status, all.body.errorDetails]).toEqual([403, expect.stringContaining('obfuscated=1')])
    const one = { ...context, params: { key: 'steps' } }
    expect((await call(strict, 'ofrepEvaluateFlag', { ...one, key: keyOf('client') })).status).toBe(403)
    for (const type of ['server', 'mobile'] as const) {
      expect((await call(strict, 'ofrepEvaluateFlags', { ...context, key: keyOf(type) })).status).toBe(200)
    }
    expect((await ask(query, strict, keyOf('mobile'))).status).toBe(200)
  })

  it.each(['getObfuscatedBootstrapConfig', 'getObfuscatedBootstrapConfigV1'] as const)(
    'is available to servers that render pages: %s',
    async (id) => {
      const on = await serveWith({ enabled: true, required: true })
      const document = async () => (await call(on, id, { params: { key: keyOf('server') }, key: null })).body
      const found = await document()
      const values = (variables: object) => Object.entries(variables).map(([key, { value }]) => [key, value])
      const client = (await ask(asked, on)).body
      const user = { user_id: 'ada', country: 'CA' }
      expect(values(compile(found).variables(user, { now: NOW }))).toEqual(values(client.variables))
      expect(Object.keys(compile(found).features(user, { now: NOW }))).toEqual(Object.keys(client.features))
      expect(JSON.stringify(found)).not.toMatch(/checkout|steps|is-new|short|Everybody else|Try/)
      // Opt-in still works.
      const inBeta = { user_id: 'eager', optIns: { [idOf('beta')]: true } }
      expect(compile(found).variable(inBeta, hidden(idOf('variable beta')), { now: NOW })?.value).toBe(true)
    }
  )

  it('is not applied to documents if the project turns it off', async () => {
    const off = await serveWith({ enabled: false, required: false })
    const bootstrap = async (id: 'getBootstrapConfig' | 'getObfuscatedBootstrapConfig') =>
      (await call(off, id, { params: { key: keyOf('server') }, key: null })).body
    expect(await bootstrap('getObfuscatedBootstrapConfig')).toEqual(await bootstrap('getBootstrapConfig'))
  })

  it('is reversed for events', () => {
    const variable = { _id: 'v1', key: 'steps', type: 'Number' } as const
    const config = { project: { _id: 'p', key: 'p' }, environment: { _id: 'e', key: 'e' }, features: [] }
    const caller = { config: { ...config, variables: [variable] } }
    expect(deobfuscateKey(caller, hidden('v1'))).toBe('steps')
    expect(deobfuscateKey(caller, hidden('v2'))).toBe(hidden('v2'))
    expect(deobfuscateKey(caller, 'steps')).toBe('steps')
    expect(deobfuscateKey(caller, 'purchase')).toBe('purchase')
  })
})
