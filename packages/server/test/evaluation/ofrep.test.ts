import type { Json } from '@burgee/core'
import { type ApiResponse, breakClock, call, restoreClock, send, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, DAY, type FeaturePlan, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

const everyone: FeaturePlan[] = [
  { key: 'on' },
  {
    key: 'values',
    variables: {
      text: 'String',
      count: 'Number',
      share: 'Number',
      layout: 'JSON',
      empty: 'String',
      zero: 'Number',
      none: 'JSON'
    },
    variations: {
      given: {
        text: 'hello',
        count: 3,
        share: 0.5,
        layout: { columns: [1, { wide: null }] },
        empty: '',
        zero: 0,
        none: {}
      },
      off: { text: 'bye', count: -1, share: -0.5, layout: { off: true }, empty: 'x', zero: 1, none: { x: 1 } }
    }
  },
  { key: 'split', targets: [{ serves: { 'variation-on': 0.5, 'variation-off': 0.5 } }] },
  { key: 'canada', targets: [{ filters: [attributeFilter('country', 'CA')] }] },
  { key: 'pro', targets: [{ filters: [attributeFilter('customData.plan', 'pro')] }] },
  { key: 'private', targets: [{ filters: [attributeFilter('customData.secret', 'x')] }] },
  { key: 'phone', targets: [{ filters: [attributeFilter('platform', 'iOS')] }] },
  { key: 'inactive', offIn: ['production'] },
  { key: 'archived', status: 'archived' },
  { key: 'undecidable', targets: [{ serves: { 'variation-on': 0 } }] },
  { key: 'servers-only', visibleTo: ['server'] },
  { key: 'clients-only', visibleTo: ['client'] },
  {
    key: 'growing',
    targets: [
      {
        rollout: {
          type: 'gradual',
          startDate: new Date(NOW - DAY).toISOString(),
          startPercentage: 0,
          stages: [{ type: 'linear', date: new Date(NOW + 9 * DAY).toISOString(), percentage: 1 }]
        }
      }
    ]
  }
]
const plan: Plan = {
  settings: { sdkTypeVisibility: { enabledInFeatureSettings: true } },
  environments: { production: {}, 'for-old-clients': { ofrepOffValues: true } },
  features: everyone
}

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

function flag(key: string, context: unknown = { targetingKey: 'ada' }, given: object = {}): Promise<ApiResponse> {
  return call(server, 'ofrepEvaluateFlag', { params: { key }, body: { context }, ...given })
}

function flags(context: unknown = { targetingKey: 'ada' }, given: object = {}): Promise<ApiResponse> {
  return call(server, 'ofrepEvaluateFlags', { body: { context }, ...given })
}

/** Both evaluations, for rules that they share. */
const surfaces = [
  ['single', '/ofrep/v1/evaluate/flags/on'],
  ['bulk', '/ofrep/v1/evaluate/flags']
] as const

function post(
  path: string,
  sent: { headers?: Record<string, string>; body?: string; method?: string } = {}
): Promise<ApiResponse> {
  const headers = { authorization: keyOf('server'), 'content-type': 'application/json', ...sent.headers }
  return send(server, { method: 'POST', path, body: '{"context":{"targetingKey":"ada"}}', ...sent, headers })
}

describe('one flag', () => {
  it('has its value, variation, reason and source', async () => {
    const { status, body } = await flag('on')
    expect(status).toBe(200)
    expect(body).toEqual({
      key: 'on',
      reason: 'STATIC',
      value: true,
      variant: 'variation-on',
      metadata: { _feature: idOf('on'), evalReasonDetails: 'All Users', evalReasonTargetId: idOf('on target 0') }
    })
  })

  test.each<[string, Json]>([
    ['on', true],
    ['text', 'hello'],
    ['count', 3],
    ['share', 0.5],
    ['layout', { columns: [1, { wide: null }] }],
    ['empty', ''],
    ['zero', 0],
    ['none', {}]
  ])('%s keeps the type of its value', async (key, value) => {
    expect((await flag(key)).body.value).toStrictEqual(value)
  })

  test.each([
    ['split', 'SPLIT'],
    ['canada', 'DEFAULT'],
    ['inactive', 'DISABLED'],
    ['archived', 'DISABLED']
  ])('%s has the reason %s', async (key, reason) => {
    expect((await flag(key)).body.reason).toBe(reason)
  })

  it.each(['canada', 'inactive', 'archived'])('%s that serves the user nothing has no value', async (key) => {
    const { status, body } = await flag(key)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['key', 'reason'])
  })

  it.each(['unknown', 'UPPER', 'a b', 'ü', '%', 'x'.repeat(300), 'a/b'])(
    '%s that does not exist is not found',
    async (key) => {
      const { status, body } = await flag(key)
      expect(status).toBe(404)
      expect(body).toEqual({ key, errorCode: 'FLAG_NOT_FOUND', errorDetails: `flag "${key}" does not exist` })
    }
  )

  it('whose evaluation fails has an error code', async () => {
    const { status, body } = await flag('undecidable')
    expect(status).toBe(400)
    expect(body).toMatchObject({ key: 'undecidable', errorCode: 'PARSE_ERROR' })
    expect(body.errorDetails).not.toBe('')
  })
})

describe('all flags', () => {
  it('are sorted by key, and equal their single evaluations', async () => {
    const { status, body } = await flags()
    expect(status).toBe(200)
    const keys = body.flags.map(({ key }: { key: string }) => key)
    expect(keys).toEqual([...keys].sort())
    expect(keys).toContain('inactive')
    for (const answered of body.flags) expect(answered).toEqual((await flag(answered.key)).body)
  })

  it('include the others when one fails', async () => {
    const { body } = await flags()
    const failed = body.flags.filter((answered: object) => 'errorCode' in answered)
    expect(failed).toEqual([{ key: 'undecidable', errorCode: 'PARSE_ERROR', errorDetails: expect.any(String) }])
  })

  test.each([
    ['server', true, false],
    ['client', false, true],
    ['mobile', false, false]
  ] as const)('include what a %s key may see', async (type, seesServers, seesClients) => {
    const key = keyOf(type)
    const keys = (await flags(undefined, { key })).body.flags.map((answered: { key: string }) => answered.key)
    expect(keys).toContain('on')
    expect(keys.includes('servers-only')).toBe(seesServers)
    expect(keys.includes('clients-only')).toBe(seesClients)
    expect((await flag('servers-only', undefined, { key })).status).toBe(seesServers ? 200 : 404)
    expect((await flag('clients-only', undefined, { key })).status).toBe(seesClients ? 200 : 404)
  })
})

describe('an environment that serves off values', () => {
  const key = keyOf('server', 'for-old-clients')

  test.each([
    ['canada', 'DEFAULT', false, 'variation-off'],
    ['archived', 'DISABLED', false, 'variation-off']
  ])('answers %s with the value of its off variation', async (name, reason, value, variant) => {
    expect((await flag(name, undefined, { key })).body).toEqual({ key: name, reason, value, variant })
  })

  it('does so in bulk evaluations', async () => {
    const { body } = await flags(undefined, { key })
    for (const answered of body.flags) {
      if (!('errorCode' in answered)) expect(answered).toHaveProperty('value')
    }
  })

  it('does not change flags that are served', async () => {
    expect((await flag('on', undefined, { key })).body).toEqual((await flag('on')).body)
  })
})

describe('a context', () => {
  test.each([
    ['canada', { targetingKey: 'ada', country: 'CA' }, true],
    ['canada', { user_id: 'ada', country: 'CA' }, true],
    ['canada', { userId: 'ada', country: 'CA' }, true],
    ['canada', { targetingKey: '', user_id: 'ada', country: 'CA' }, true],
    ['canada', { targetingKey: 'ada', country: 5 }, undefined],
    ['canada', { targetingKey: 'ada', country: 'CANADA' }, undefined],
    ['pro', { targetingKey: 'ada', plan: 'pro' }, true],
    ['pro', { targetingKey: 'ada', customData: { plan: 'pro' } }, true],
    ['pro', { targetingKey: 'ada', plan: 'free', customData: { plan: 'pro' } }, true],
    ['pro', { targetingKey: 'ada', customData: { plan: 'pro' }, plan: 'free' }, undefined],
    ['pro', { targetingKey: 'ada', privateCustomData: { plan: 'pro' } }, true],
    ['pro', { targetingKey: 'ada', customData: { plan: ['pro'] } }, undefined],
    ['pro', { targetingKey: 'ada', plan: { name: 'pro' }, since: null, at: '2026-01-01T00:00:00.000Z' }, undefined],
    ['phone', { targetingKey: 'ada', platform: 'iOS' }, undefined]
  ])('evaluates %s: %j', async (key, context, value) => {
    const { status, body } = await flag(key, context)
    expect(status).toBe(200)
    expect(body.value).toBe(value)
  })

  it('may omit the targeting key for flags that are off', async () => {
    for (const body of [{}, { context: {} }]) {
      const answer = await call(server, 'ofrepEvaluateFlag', { params: { key: 'inactive' }, body })
      expect(answer.body).toEqual({ key: 'inactive', reason: 'DISABLED' })
    }
  })

  test.each([
    [{}, 'the evaluation context has no targetingKey, user_id or userId'],
    [{ targetingKey: '' }, 'the evaluation context has no targetingKey, user_id or userId']
  ])('without a targeting key is refused where a hash needs it: %j', async (context, errorDetails) => {
    const { status, body } = await flag('split', context)
    expect(status).toBe(400)
    expect(body).toEqual({ key: 'split', errorCode: 'TARGETING_KEY_MISSING', errorDetails })
  })

  it('without a targeting key fails only for the flags that need one', async () => {
    const { status, body } = await flags({})
    expect(status).toBe(200)
    const failed = body.flags.filter(
      (answered: { errorCode?: string }) => answered.errorCode === 'TARGETING_KEY_MISSING'
    )
    expect(failed.map(({ key }: { key: string }) => key)).toContain('split')
    expect(body.flags).toContainEqual({ key: 'inactive', reason: 'DISABLED' })
  })

  test.each([
    ['x', 'context should be an object, got "x"'],
    [[], 'context should be an object, got []'],
    [null, 'context should be an object, got null'],
    [{ targetingKey: 5, user_id: 'ada' }, 'targetingKey should be a string, got 5'],
    [{ targetingKey: {} }, 'targetingKey should be a string, got {}'],
    [{ targetingKey: null }, 'targetingKey should be a string, got null'],
    [{ user_id: 5 }, 'user_id should be a string, got 5'],
    [{ userId: ['ada'] }, 'userId should be a string, got ["ada"]'],
    [{ targetingKey: 'x'.repeat(201) }, 'targetingKey should have at most 200 characters, got 201'],
    [{ targetingKey: 'ada', appVersion: '1'.repeat(201) }, 'appVersion should have at most 200 characters, got 201'],
    [{ targetingKey: 'ada', email: 'x'.repeat(16_385) }, 'email should have at most 16384 characters, got 16385'],
    [{ targetingKey: 'ada', plan: 'x'.repeat(16_385) }, 'plan should have at most 16384 characters, got 16385'],
    [
      { targetingKey: 'ada', privateCustomData: { plan: 'x'.repeat(16_385) } },
      'plan should have at most 16384 characters, got 16385'
    ]
  ])('is refused if invalid: %j', async (context, errorDetails) => {
    const single = await flag('on', context)
    expect(single.status).toBe(400)
    expect(single.body).toEqual({ key: 'on', errorCode: 'INVALID_CONTEXT', errorDetails })
    const bulk = await flags(context)
    expect(bulk.status).toBe(400)
    expect(bulk.body).toEqual({ errorCode: 'INVALID_CONTEXT', errorDetails })
  })
})

describe.each(surfaces)('an error of the %s evaluation', (surface, path) => {
  const key = surface === 'single' ? { key: 'on' } : {}
  const other = { authorization: `server-${'x'.repeat(32)}` }

  test.each([
    ['no key', 401, { headers: { authorization: '' } }, 'GENERAL'],
    ['an unknown key', 401, { headers: other }, 'GENERAL'],
    ['another method', 405, { method: 'PUT' }, 'GENERAL'],
    ['no JSON', 400, { body: '{"context":' }, 'PARSE_ERROR'],
    ['an empty body', 400, { body: '' }, 'PARSE_ERROR'],
    ['a list', 400, { body: '[]' }, 'INVALID_CONTEXT'],
    ['too much', 413, { body: `{"context":{"a":"${'x'.repeat(1_100_000)}"}}` }, 'GENERAL'],
    ['another content type', 415, { headers: { 'content-type': 'text/plain' } }, 'GENERAL'],
    ['an unknown encoding', 415, { headers: { 'content-encoding': 'zstd' } }, 'GENERAL']
  ])('for %s has status %i, a code and the flag', async (_, status, sent, errorCode) => {
    const answer = await post(path, sent)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    expect(answer.body).toEqual({ ...key, errorCode, errorDetails: expect.stringMatching(/\w+ \w+/) })
  })

  it('for an internal error has status 500, a code and the flag, but not the cause', async () => {
    breakClock(server, 'a secret cause')
    const answer = await post(path).finally(() => restoreClock(server))
    expect(answer.status).toBe(500)
    const requestId = String(answer.headers['x-request-id'])
    expect(answer.body).toEqual({ ...key, errorCode: 'GENERAL', errorDetails: expect.stringContaining(requestId) })
    expect(JSON.stringify(answer.body)).not.toContain('secret')
    const logged = server.logs.filter((line) => line.includes(requestId))
    expect(logged.join('')).toContain('a secret cause')
  })
})

it.each(['/ofrep/v1/configuration', '/ofrep/v1/evaluate', '/ofrep/v2/evaluate/flags'])(
  'there is no OFREP operation at %s',
  async (path) => {
    const { status, body } = await post(path)
    expect(status).toBe(404)
    expect(body).toEqual({ errorCode: 'GENERAL', errorDetails: `no route for POST ${path}; /docs describes the API` })
  }
)

describe('the metadata of all flags', () => {
  it('name the flag set and its version for telemetry', async () => {
    const { body } = await flags()
    expect(body.metadata).toEqual({ flagSetId: 'shop/production', version: expect.stringMatching(/^\d+-\w+$/) })
    const config = await call(server, 'getServerConfig', { params: { key: keyOf('server') }, key: null })
    expect(config.headers.etag).toBe(`W/"${body.metadata.version}"`)
  })

  it('are the same for keys of the same environment, and differ between environments', async () => {
    const { metadata } = (await flags()).body
    expect((await flags(undefined, { key: keyOf('client') })).body.metadata).toEqual(metadata)
    const { metadata: other } = (await flags(undefined, { key: keyOf('server', 'for-old-clients') })).body
    expect(other.flagSetId).toBe('shop/for-old-clients')
    expect(other.version).not.toBe(metadata.version)
  })

  it('change with the config and take the ETag with them', async () => {
    const changing = await serve(plan)
    const before = await call(changing, 'ofrepEvaluateFlags', { body: { context: { targetingKey: 'ada' } } })
    const target = { name: 'Nobody', distribution: [{ _variation: 'variation-on', percentage: 1 }] }
    const audience = { filters: { operator: 'and', filters: [attributeFilter('email', 'nobody@example.com')] } }
    const { status } = await call(changing, 'updateFeatureConfiguration', {
      params: { project: 'shop', feature: 'canada' },
      query: { environment: 'production' },
      body: { targets: [{ ...target, audience }] }
    })
    expect(status).toBe(200)
    const headers = { 'if-none-match': String(before.headers.etag) }
    const after = await call(changing, 'ofrepEvaluateFlags', { body: { context: { targetingKey: 'ada' } }, headers })
    expect([after.status, after.body.flags]).toEqual([200, before.body.flags])
    expect(after.body.metadata.version).not.toBe(before.body.metadata.version)
  })
})

describe('the ETag of all flags', () => {
  async function etagOf(context: unknown, given: object = {}): Promise<string> {
    return String((await flags(context, given)).headers.etag)
  }

  it('is quoted and stable', async () => {
    const etag = await etagOf({ targetingKey: 'ada' })
    expect(etag).toMatch(/^"[^"]+"$/)
    expect(await etagOf({ targetingKey: 'ada' })).toBe(etag)
  })

  test.each([
    ['as it was sent', (etag: string) => etag],
    ['weak', (etag: string) => `W/${etag}`],
    ['bare', (etag: string) => etag.replaceAll('"', '')],
    ['in a list', (etag: string) => `"other", ${etag}, W/"third"`],
    ['any', () => '*']
  ])('causes 304 when it is sent %s', async (_, spell) => {
    const etag = await etagOf({ targetingKey: 'ada' })
    const answer = await flags(undefined, { headers: { 'if-none-match': spell(etag) } })
    expect(answer.status).toBe(304)
    expect(answer.body).toBeUndefined()
    expect(answer.headers.etag).toBe(etag)
  })

  it.each(['"other"', '', '""', 'W/', ',', '"*"'])('causes no 304 when it differs: %j', async (header) => {
    expect((await flags(undefined, { headers: { 'if-none-match': header } })).status).toBe(200)
  })

  it.each([
    'flagConfigEtag=a&flagConfigEtag=b',
    'flagConfigEtag=',
    'flagConfigLastModified=a&flagConfigLastModified=1'
  ])('does not depend on the query: %s', async (query) => {
    const { status, headers } = await send(server, {
      method: 'POST',
      path: `/ofrep/v1/evaluate/flags?${query}`,
      headers: { authorization: keyOf('server'), 'content-type': 'application/json' },
      body: JSON.stringify({ context: { targetingKey: 'ada' } })
    })
    expect([status, headers.etag]).toEqual([200, await etagOf({ targetingKey: 'ada' })])
  })

  it('changes with the context if the result does', async () => {
    const inCanada = await etagOf({ targetingKey: 'ada', country: 'CA' })
    const headers = { 'if-none-match': inCanada }
    expect((await flags({ targetingKey: 'ada', country: 'CA' }, { headers })).status).toBe(304)
    expect((await flags({ targetingKey: 'ada', country: 'DE' }, { headers })).status).toBe(200)
  })

  it('changes if time alone changes the result', async () => {
    const contexts = Array.from({ length: 20 }, (_, index) => ({ targetingKey: `user ${index}` }))
    const before = await Promise.all(contexts.map((context) => etagOf(context)))
    server.clock.now = () => NOW + 10 * DAY
    const after = await Promise.all(contexts.map((context) => etagOf(context)))
    server.clock.now = () => NOW
    expect(before.filter((etag, index) => etag !== after[index]).length).toBeGreaterThan(10)
  })

  it('is the same when it is remembered, and so are the flags', async () => {
    const context = { targetingKey: 'ada', country: 'CA', plan: 'pro' }
    const fresh = await flags(context)
    for (const poll of [1, 2, 3]) {
      const unchanged = await flags(context, { headers: { 'if-none-match': String(fresh.headers.etag) } })
      expect([poll, unchanged.status, unchanged.headers.etag]).toEqual([poll, 304, fresh.headers.etag])
      const changed = await flags(context, { headers: { 'if-none-match': '"other"' } })
      expect([changed.status, changed.headers.etag, changed.body]).toEqual([200, fresh.headers.etag, fresh.body])
    }
  })

  it('changes for a client that polls when a rollout begins, and while its user has an override', async () => {
    const later = { rollout: { type: 'schedule' as const, startDate: new Date(NOW + DAY).toISOString() } }
    const polled = await serve({ features: [{ key: 'on' }, { key: 'later', targets: [later] }] })
    const context = { targetingKey: 'ada' }
    let etag = '"none"'
    const poll = async () => {
      const answer = await call(polled, 'ofrepEvaluateFlags', { body: { context }, headers: { 'if-none-match': etag } })
      etag = String(answer.headers.etag)
      return answer.status
    }
    expect([await poll(), await poll(), await poll()]).toEqual([200, 304, 304])
    polled.clock.now = () => NOW + 2 * DAY
    expect([await poll(), await poll(), await poll()]).toEqual([200, 304, 304])
    await call(polled, 'updateUserProfile', { params: { project: 'shop' }, body: { svcUserId: 'ada' } })
    const override = { environment: 'production', variation: 'variation-off' }
    await call(polled, 'updateFeatureOverride', { params: { project: 'shop', feature: 'on' }, body: override })
    expect([await poll(), await poll()]).toEqual([200, 304])
    await call(polled, 'deleteCurrentOverrides', { params: { project: 'shop' } })
    expect([await poll(), await poll()]).toEqual([200, 304])
    polled.clock.now = () => NOW
    expect(await poll()).toBe(200)
  })

  it('differs between keys that see different flags', async () => {
    expect(await etagOf({ targetingKey: 'ada' }, { key: keyOf('client') })).not.toBe(
      await etagOf({ targetingKey: 'ada' })
    )
  })

  it('is compared only after the key is accepted', async () => {
    expect((await flags(undefined, { key: null, headers: { 'if-none-match': '*' } })).status).toBe(401)
  })
})

describe('the credential', () => {
  test.each([
    ['Authorization, bare', { authorization: keyOf('server') }],
    ['Authorization, Bearer', { authorization: `Bearer ${keyOf('client')}` }],
    ['Authorization, bearer', { authorization: `bearer ${keyOf('mobile')}` }],
    ['X-API-Key', { 'x-api-key': keyOf('client') }]
  ])('may be sent in %s', async (_, headers) => {
    expect((await flag('on', undefined, { key: null, headers })).status).toBe(200)
    expect((await flags(undefined, { key: null, headers })).status).toBe(200)
  })

  it('in Authorization has precedence over X-API-Key', async () => {
    const headers = { authorization: 'server-unknown', 'x-api-key': keyOf('client') }
    expect((await flag('on', undefined, { key: null, headers })).status).toBe(401)
  })

  it('may not be sent in the query', async () => {
    const query = { sdkKey: keyOf('client') }
    expect((await flag('on', undefined, { key: null, query })).status).toBe(401)
  })
})

describe('a rate limit', () => {
  it('returns 429 with both headers, and does not affect other keys and operations', async () => {
    const limited = await serve(plan, { ofrepRateLimit: 3 })
    const evaluate = (id: 'ofrepEvaluateFlag' | 'ofrepEvaluateFlags', key = keyOf('client')) => {
      return call(limited, id, { params: { key: 'on' }, body: { context: { targetingKey: 'ada' } }, key })
    }
    for (let index = 0; index < 3; index++) expect((await evaluate('ofrepEvaluateFlag')).status).toBe(200)
    for (const id of ['ofrepEvaluateFlag', 'ofrepEvaluateFlags'] as const) {
      const { status, headers, body } = await evaluate(id)
      expect(status).toBe(429)
      expect(body).toMatchObject({ ...(id === 'ofrepEvaluateFlag' ? { key: 'on' } : {}), errorCode: 'GENERAL' })
      const seconds = Number(headers['retry-after'])
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(60)
      expect(headers['retry-later']).toBe(new Date(NOW + seconds * 1000).toISOString())
    }
    expect((await evaluate('ofrepEvaluateFlag', keyOf('server'))).status).toBe(200)
    expect((await call(limited, 'evaluateVariables', { body: { user_id: 'ada' } })).status).toBe(200)
  })
})
