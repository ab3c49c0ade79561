import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { allUsers, idOf, keyOf, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

const beta = idOf('beta')

const plan: Plan = {
  settings: { optIn: { enabled: true, title: 'Try it', colors: { primary: '#000000', secondary: '#ffffff' } } },
  environments: { production: {}, staging: {} },
  features: [
    { key: 'beta', isOptIn: true, targets: [{ filters: [{ type: 'optIn' }] }] },
    { key: 'elsewhere', isOptIn: true, offIn: ['production'], targets: [{ filters: [{ type: 'optIn' }] }] },
    { key: 'closed', targets: [{ filters: [{ type: 'optIn' }] }] },
    { key: 'plain', targets: [{ filters: [allUsers] }] }
  ]
}

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

function choose(user_id: string, body: unknown, given: object = {}): Promise<ApiResponse> {
  return call(server, 'updateOptIns', { params: { user_id }, body, ...given })
}

async function featureOf(user_id: string, key = keyOf('server')): Promise<unknown> {
  const { body } = await call(server, 'getOptInConfig', { query: { user_id }, key })
  return body.features.find(({ id }: { id: string }) => id === beta)
}

async function served(body: object, key?: string): Promise<string[]> {
  return Object.keys((await call(server, 'evaluateVariables', { body, ...(key ? { key } : {}) })).body).sort()
}

describe('the opt-in config of a user', () => {
  it('describes features for a page', async () => {
    const { status, body } = await call(server, 'getOptInConfig', { query: { user_id: 'nobody yet' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      settings: {
        _project: idOf('shop'),
        enabled: true,
        title: 'Try it',
        description: '',
        imageURL: '',
        colors: { primary: '#000000', secondary: '#ffffff' },
        poweredByAlignment: 'center'
      },
      features: [{ id: beta, name: 'Try beta', description: '', resolution: 'implicit', status: false }]
    })
  })

  it('depends on the environment of the key', async () => {
    const given = { query: { user_id: 'ada' }, key: keyOf('client', 'staging') }
    const { body } = await call(server, 'getOptInConfig', given)
    expect(body.features.map(({ id }: { id: string }) => id)).toEqual([beta, idOf('elsewhere')])
  })

  it('is empty if the project does not allow opt-in', async () => {
    const off = await serve({ ...plan, settings: {} })
    const { status, body } = await call(off, 'getOptInConfig', { query: { user_id: 'ada' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ settings: { enabled: false }, features: [] })
  })

  it('requires a user', async () => {
    const { status, body } = await call(server, 'getOptInConfig')
    expect(status).toBe(400)
    expect(body.message).toContain('user_id')
  })
})

describe('an opt-in choice', () => {
  it('is explicit once it is made, either way', async () => {
    expect(await featureOf('ada')).toMatchObject({ resolution: 'implicit', status: false })
    const { status, body } = await choose('ada', { [beta]: true })
    expect(status).toBe(200)
    expect(body.message).toContain('environment "production"')
    expect(await featureOf('ada')).toMatchObject({ resolution: 'explicit', status: true })
    await choose('ada', { [beta]: false })
    expect(await featureOf('ada')).toMatchObject({ resolution: 'explicit', status: false })
  })

  it('takes effect on the feature at once', async () => {
    expect(await served({ user_id: 'grace' })).toEqual(['plain'])
    await choose('grace', { [beta]: true })
    expect(await served({ user_id: 'grace' })).toEqual(['beta', 'plain'])
    await choose('grace', { [beta]: false })
    expect(await served({ user_id: 'grace' })).toEqual(['plain'])
  })

  it('is the reason of the evaluation', async () => {
    await choose('reasonable', { [beta]: true })
    const { body } = await call(server, 'evaluateVariable', {
      params: { key: 'beta' },
      body: { user_id: 'reasonable' }
    })
    expect(body.eval).toMatchObject({ reason: 'TARGETING_MATCH', details: 'Opt-In' })
  })

  it('is applied to OFREP evaluations', async () => {
    const flag = async () => {
      const body = { context: { targetingKey: 'ofrep' } }
      return (await call(server, 'ofrepEvaluateFlag', { params: { key: 'beta' }, body, key: keyOf('client') })).body
    }
    expect(await flag()).toEqual({ key: 'beta', reason: 'DEFAULT' })
    await choose('ofrep', { [beta]: true }, { key: keyOf('client') })
    expect(await flag()).toMatchObject({ key: 'beta', value: true })
  })

  it('applies to one user and one environment', async () => {
    await choose('linus', { [beta]: true })
    expect(await served({ user_id: 'somebody else' })).toEqual(['plain'])
    expect(await served({ user_id: 'linus' }, keyOf('server', 'staging'))).toEqual(['plain'])
  })

  it('does not change the choices of other features', async () => {
    const key = keyOf('server', 'staging')
    await choose('careful', { [beta]: true }, { key })
    await choose('careful', { [idOf('elsewhere')]: true }, { key })
    expect(await served({ user_id: 'careful' }, key)).toEqual(['beta', 'elsewhere', 'plain'])
  })

  it('cannot be injected by an evaluation request', async () => {
    expect(await served({ user_id: 'smuggler', optIns: { [beta]: true } })).toEqual(['plain'])
  })

  it('may be sent with a client key in the query', async () => {
    const { status } = await choose('query', { [beta]: true }, { key: null, query: { sdkKey: keyOf('mobile') } })
    expect(status).toBe(200)
    expect(await featureOf('query', keyOf('client'))).toMatchObject({ status: true })
  })
})

describe('a refused opt-in choice', () => {
  test.each([
    ['about a feature that is closed', idOf('closed')],
    ['about a feature that is off here', idOf('elsewhere')],
    ['about a feature that does not exist', 'f'.repeat(24)]
  ])('%s stores nothing', async (_, feature) => {
    const { status, body } = await choose('refused', { [beta]: true, [feature]: true })
    expect(status).toBe(403)
    expect(body.message).toContain(feature)
    expect(await featureOf('refused')).toMatchObject({ resolution: 'implicit' })
  })

  it.each(['yes', 1, null, {}])('is not a boolean: %j', async (choice) => {
    const { status, body } = await choose('refused', { [beta]: choice })
    expect(status).toBe(400)
    expect(body.message).toContain(beta)
  })

  it('is not allowed by the project', async () => {
    const off = await serve({ ...plan, settings: {} })
    const { status, body } = await call(off, 'updateOptIns', { params: { user_id: 'ada' }, body: { [beta]: true } })
    expect(status).toBe(403)
    expect(body.message).toContain('setting optIn is off')
  })
})
