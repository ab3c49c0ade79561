import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'

const project = 'shop'
let server: TestServer

beforeAll(async () => {
  server = await serve({ features: [{ key: 'checkout' }] })
  await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
})

function create(body: object, of = server): Promise<ApiResponse> {
  return call(of, 'createEnvironment', { params: { project }, body })
}

function get(key: string, of = server): Promise<ApiResponse> {
  return call(of, 'getEnvironment', { params: { project, key } })
}

function update(key: string, body: object, of = server): Promise<ApiResponse> {
  return call(of, 'updateEnvironment', { params: { project, key }, body })
}

/** The newest entry about an environment. */
async function entry(key: string, of = server): Promise<ApiResponse['body']> {
  const query = { project, environment: key }
  return (await call(of, 'listAuditEntries', { query })).body[0]
}

/** The response to an SDK with this key, of any type. */
function evaluate(key: string, of = server): Promise<ApiResponse> {
  return call(of, 'ofrepEvaluateFlags', { key, body: { context: { targetingKey: 'ada' } } })
}

/** The keys of served flags. */
function flags({ body }: ApiResponse): string[] {
  return body.flags.filter((flag: object) => 'value' in flag).map(({ key }: { key: string }) => key)
}

describe('a new environment', () => {
  it('has the given members, and one SDK key of each type', async () => {
    const given = { key: 'qa', name: 'Quality', description: 'For testers', color: '#fff', type: 'staging' }
    const settings = { appIconURI: 'https://example.com/icon.png' }
    const { status, body } = await create({ ...given, settings })
    expect(status).toBe(201)
    const keyOfType = (type: string) => ({
      key: expect.stringMatching(new RegExp(`^${type}-burgee_[\\w-]{32}[0-9A-Za-z]{6}$`)),
      createdAt: new Date(NOW).toISOString(),
      compromised: false,
      compromised_url: ''
    })
    expect(body).toEqual({
      ...given,
      settings,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      _project: idOf('shop'),
      _createdBy: 'test-admin@clients',
      createdAt: new Date(NOW).toISOString(),
      updatedAt: new Date(NOW).toISOString(),
      sdkKeys: { mobile: [keyOfType('mobile')], client: [keyOfType('client')], server: [keyOfType('server')] },
      readonly: false
    })
    expect((await get('qa')).body).toEqual(body)
  })

  it('accepts its SDK keys at once, and turns no feature on', async () => {
    const { body } = await create({ key: 'quiet', name: 'Quiet', type: 'development' })
    for (const type of ['server', 'client', 'mobile']) {
      const answer = await evaluate(body.sdkKeys[type][0].key)
      expect([answer.status, flags(answer)]).toEqual([200, []])
    }
    expect(flags(await evaluate(keyOf('server')))).toEqual(['checkout'])
  })

  it('leaves an audit entry without SDK keys', async () => {
    const { body } = await create({ key: 'told', name: 'Told', type: 'development' })
    const logged = await entry('told')
    expect(logged._project).toBe(idOf('shop'))
    expect(logged.changes).toEqual([
      {
        type: 'createdEnvironment',
        newContents: {
          _id: body._id,
          _project: idOf('shop'),
          key: 'told',
          name: 'Told',
          type: 'development',
          settings: {}
        },
        previousContents: null,
        _environments: [body._id]
      }
    ])
  })

  test.each([
    [{ key: 'bad', name: 'Bad' }, 'type should be one of development, staging, production, disaster_recovery'],
    [{ key: 'bad', name: 'Bad', type: 'test' }, 'type should be one of'],
    [{ name: 'Bad', type: 'staging' }, 'key should be a string'],
    [{ key: 'bad', type: 'staging' }, 'name should be a string'],
    [{ key: 'Bad', name: 'Bad', type: 'staging' }, 'key should have only'],
    [{ key: 'bad', name: 'Bad', type: 'staging', color: '#12' }, 'color should be a hex colour'],
    [{ key: 'bad', name: 'Bad', type: 'staging', sdkKeys: {} }, 'property sdkKeys should not exist'],
    [{ key: 'bad', name: 'Bad', type: 'staging', _project: idOf('x') }, 'property _project should not exist'],
    [{ key: 'bad', name: 'Bad', type: 'staging', readonly: true }, 'property readonly should not exist'],
    [{ key: 'bad', name: 'Bad', type: 'staging', settings: { icon: '' } }, 'property settings.icon should not exist'],
    [
      { key: 'bad', name: 'Bad', type: 'staging', settings: { appIconURI: 'x'.repeat(2049) } },
      'settings.appIconURI should be an http or https URL of at most 2048 characters'
    ]
  ])('%j is refused', async (body, message) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(answer.body.message.join()).toContain(message)
    expect((await get('bad')).status).toBe(404)
  })

  it('cannot reuse a key of its project; other projects can', async () => {
    const answer = await create({ key: 'production', name: 'Again', type: 'production' })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      message: "Duplicate key 'production'",
      errorType: 'ERR_DUPE_ENVIRONMENT_KEY'
    })
    expect((await call(server, 'getEnvironment', { params: { project: 'other', key: 'production' } })).status).toBe(200)
  })

  it('requires an existing project', async () => {
    const body = { key: 'x', name: 'x', type: 'staging' }
    expect((await call(server, 'createEnvironment', { params: { project: 'nope' }, body })).status).toBe(404)
  })
})

describe('reading environments', () => {
  it('finds one by key and by id', async () => {
    const byKey = await get('production')
    expect(byKey.status).toBe(200)
    expect(byKey.body._id).toBe(idOf('production'))
    const byIds = { params: { project: idOf('shop'), key: idOf('production') } }
    expect((await call(server, 'getEnvironment', byIds)).body).toEqual(byKey.body)
  })

  it('returns 404 for an unknown one and for one of another project', async () => {
    expect((await get('nope')).body.message).toContain("Item with key 'nope' not found")
    const elsewhere = { params: { project: 'other', key: idOf('production') } }
    expect((await call(server, 'getEnvironment', elsewhere)).status).toBe(404)
    expect((await call(server, 'getEnvironment', { params: { project: 'nope', key: 'production' } })).status).toBe(404)
    expect((await call(server, 'listEnvironments', { params: { project: 'nope' } })).status).toBe(404)
  })

  test.each([
    [{ sortBy: 'key', sortOrder: 'asc' }, ['development', 'production', 'staging'], '3'],
    [{ sortBy: 'name', sortOrder: 'desc' }, ['staging', 'production', 'development'], '3'],
    [{ sortBy: 'key', sortOrder: 'asc', perPage: 2, page: 2 }, ['staging'], '3'],
    [{ page: 9 }, [], '3'],
    [{ search: 'PROD' }, ['production'], '1'],
    [{ createdBy: 'test-admin@clients', search: 'stag' }, ['staging'], '1'],
    [{ createdBy: 'nobody@clients' }, [], '0']
  ])('%j lists the matching ones in order', async (query, keys, count) => {
    const { body, headers } = await call(server, 'listEnvironments', { params: { project: 'other' }, query })
    expect(body.map(({ key }: { key: string }) => key)).toEqual(keys)
    expect(headers.count).toBe(count)
  })

  test.each([{ page: 0 }, { perPage: 1001 }, { search: 'ab' }])('%j is refused', async (query) => {
    expect((await call(server, 'listEnvironments', { params: { project }, query })).status).toBe(400)
  })
})

describe('callers with fewer permissions', () => {
  const plan: Plan = { environments: { production: {}, live: {} } }

  it.each([
    ['environment:read' as const, []],
    ['environment:read' as const, ['environment:write' as const]]
  ])('see no SDK keys of protected environments with %s and %j', async (read, more) => {
    const { server: limited, key } = await serveLimited(plan, [read, ...more])
    const { body } = await call(limited, 'getEnvironment', { key, params: { project, key: 'production' } })
    expect(body).not.toHaveProperty('sdkKeys')
    expect(body.readonly).toBe(true)
    const listed = await call(limited, 'listEnvironments', { key, params: { project } })
    for (const environment of listed.body) expect(environment).not.toHaveProperty('sdkKeys')
    expect(JSON.stringify(listed.body)).not.toContain(keyOf('server'))
  })

  it('see the SDK keys of other environments', async () => {
    const { server: limited, key } = await serveLimited({}, ['environment:read'])
    await create({ key: 'open', name: 'Open', type: 'development' }, limited)
    const { body } = await call(limited, 'getEnvironment', { key, params: { project, key: 'open' } })
    expect(body.sdkKeys.server).toHaveLength(1)
    expect(body.readonly).toBe(true)
  })

  it('cannot change protected environments without the permission to publish', async () => {
    const { server: limited, key } = await serveLimited(plan, [
      'environment:read',
      'environment:write',
      'environment:delete'
    ])
    const inShop = { project, key: 'production' }
    const sdkKeys = { project, environment: 'production' }
    const body = { name: 'New', key: 'new', type: 'production' }
    const refused = [
      await call(limited, 'createEnvironment', { key, params: { project }, body }),
      await call(limited, 'createEnvironment', {
        key,
        params: { project },
        body: { ...body, type: 'disaster_recovery' }
      }),
      await call(limited, 'updateEnvironment', { key, params: inShop, body: { type: 'development' } }),
      await call(limited, 'deleteEnvironment', { key, params: inShop }),
      await call(limited, 'generateSdkKeys', { key, params: sdkKeys, body: { server: true } }),
      await call(limited, 'invalidateSdkKey', { key, params: { ...sdkKeys, key: keyOf('server') } })
    ]
    for (const answer of refused) {
      expect(answer.status).toBe(403)
      expect(answer.body.message).toBe('this operation requires the permission feature:publish')
    }
    expect(
      (await call(limited, 'createEnvironment', { key, params: { project }, body: { ...body, type: 'staging' } }))
        .status
    ).toBe(201)
    const promoted = await call(limited, 'updateEnvironment', {
      key,
      params: { project, key: 'new' },
      body: { type: 'production' }
    })
    expect(promoted.status).toBe(403)
    expect((await get('new', limited)).body.type).toBe('staging')
  })
})

describe('changing an environment', () => {
  it('replaces the members given and keeps the others', async () => {
    const { body: before } = await create({ key: 'changing', name: 'Before', type: 'staging', description: 'Stays' })
    server.clock.now = () => NOW + 5
    const { status, body } = await update('changing', { name: 'After', key: 'changed', type: 'development' })
    server.clock.now = () => NOW
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      name: 'After',
      key: 'changed',
      type: 'development',
      updatedAt: new Date(NOW + 5).toISOString()
    })
    expect((await get(before._id)).body).toEqual(body)
    expect((await get('changing')).status).toBe(404)
    expect((await entry('changed')).changes).toEqual([
      {
        type: 'modifiedEnvironment',
        newContents: { key: 'changed', name: 'After', type: 'development' },
        previousContents: { key: 'changing', name: 'Before', type: 'staging' },
        metadata: { _id: before._id, key: 'changing' },
        _environments: [before._id]
      }
    ])
  })

  it('merges its settings', async () => {
    await create({ key: 'settled', name: 'Settled', type: 'staging', settings: { appIconURI: '' } })
    await update('settled', { settings: { appIconURI: 'https://a.example' } })
    const { body } = await update('settled', { settings: { ofrepOffValues: true } })
    expect(body.settings).toEqual({ appIconURI: 'https://a.example', ofrepOffValues: true })
  })

  it('changes the OFREP response for flags that are not served', async () => {
    const off = await serve({ features: [{ key: 'checkout', targets: [{ filters: [{ type: 'optIn' }] }] }] })
    const flag = () =>
      call(off, 'ofrepEvaluateFlag', { params: { key: 'checkout' }, body: { context: { targetingKey: 'ada' } } })
    expect((await flag()).body).not.toHaveProperty('value')
    await update('production', { settings: { ofrepOffValues: true } }, off)
    expect((await flag()).body).toMatchObject({ value: false, variant: 'variation-off' })
    await update('production', { settings: { ofrepOffValues: false } }, off)
    expect((await flag()).body).not.toHaveProperty('value')
  })

  test.each([
    [{ type: 'test' }, 'type should be one of'],
    [{ key: 'No' }, 'key should have only'],
    [{ sdkKeys: { server: [] } }, 'property sdkKeys should not exist'],
    [{ _id: idOf('x') }, 'property _id should not exist'],
    [{ settings: { ofrepOffValues: 'yes' } }, 'settings.ofrepOffValues should be a boolean'],
    [{ settings: { appIconURI: 'javascript:alert(1)' } }, 'settings.appIconURI should be an http or https URL']
  ])('%j is refused and changes nothing', async (body, message) => {
    const before = await get('production')
    const answer = await update('production', { name: 'Half', ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.message.join()).toContain(message)
    expect((await get('production')).body).toEqual(before.body)
  })

  it('refuses a key of another environment in the project', async () => {
    await create({ key: 'second', name: 'Second', type: 'staging' })
    expect((await update('second', { name: 'Half', key: 'production' })).status).toBe(409)
    expect((await get('second')).body.name).toBe('Second')
  })

  it('returns 404 for an unknown one and for one of another project', async () => {
    expect((await update('nope', { name: 'x' })).status).toBe(404)
    const elsewhere = { params: { project: 'other', key: idOf('production') }, body: { name: 'x' } }
    expect((await call(server, 'updateEnvironment', elsewhere)).status).toBe(404)
  })
})

describe('deleting an environment', () => {
  const plan: Plan = {
    settings: { optIn: { enabled: true } },
    environments: { production: {}, staging: {} },
    features: [{ key: 'checkout', isOptIn: true }]
  }

  it('invalidates its SDK keys at once, and leaves other environments alone', async () => {
    const pair = await serve(plan)
    const params = { project, key: idOf('staging') }
    const { status, body } = await call(pair, 'deleteEnvironment', { params })
    expect([status, body]).toEqual([200, undefined])
    expect((await get('staging', pair)).status).toBe(404)
    expect((await evaluate(keyOf('server', 'staging'), pair)).status).toBe(401)
    expect(flags(await evaluate(keyOf('server'), pair))).toEqual(['checkout'])
  })

  it('deletes all of its data, and nothing else', async () => {
    const directory = await storeWith(plan)
    const store = await openStore(toStoreUrl(directory))
    const at = new Date(NOW).toISOString()
    const stamped = (name: string) => ({ _id: idOf(name), createdAt: at, updatedAt: at })
    const overridden = { _project: idOf('shop'), _feature: idOf('checkout'), _variation: idOf('checkout variation-on') }
    const webhook = { _project: idOf('shop'), url: 'https://example.com/?secret=tell-nobody', events: [] }
    const [production, staging] = [idOf('production'), idOf('staging')]
    for (const _environment of [production, staging]) {
      const override = { ...overridden, _environment, idp_user: 'ada@clients', svcUserId: 'ada' }
      await store.collection('overrides').insert({ ...stamped(`override ${_environment}`), ...override })
      const optIns = { _environment, user_id: 'ada', choices: {} }
      await store.collection('optIns').insert({ ...stamped(`opt-ins ${_environment}`), ...optIns })
    }
    for (const [name, _environments] of [
      ['all', []],
      ['one', [staging]],
      ['two', [staging, production]]
    ] as const) {
      const made = { ...stamped(name), ...webhook, name, enabled: true, secrets: [], _environments: [..._environments] }
      await store.collection('webhooks').insert(made)
    }
    await store.close()
    const pair = await serve(directory)
    expect((await call(pair, 'deleteEnvironment', { params: { project, key: 'staging' } })).status).toBe(200)
    const log = await call(pair, 'listAuditEntries', { query: { project } })
    expect(log.body[0].changes.map(({ type }: { type: string }) => type).sort()).toEqual([
      'deletedEnvironment',
      'deletedWebhook',
      'modifiedWebhook'
    ])
    expect(JSON.stringify(log.body)).not.toContain('tell-nobody')
    await pair.close()
    const after = await openStore(toStoreUrl(directory))
    for (const name of ['configurations', 'overrides', 'optIns'] as const) {
      const { items } = await after.collection(name).list()
      expect([name, ...items.map(({ _environment }) => _environment)]).toEqual([name, production])
    }
    const webhooks = await after.collection('webhooks').list({ sortBy: 'name' })
    expect(webhooks.items.map(({ name, _environments }) => [name, _environments])).toEqual([
      ['all', []],
      ['two', [production]]
    ])
    await after.close()
  })

  it('is refused for the last one of a project', async () => {
    const lonely = await serve({})
    const { status, body } = await call(lonely, 'deleteEnvironment', { params: { project, key: 'production' } })
    expect(status).toBe(405)
    expect(body).toEqual({ statusCode: 405, message: 'Cannot DELETE last item', error: 'Method Not Allowed' })
    expect((await evaluate(keyOf('server'), lonely)).status).toBe(200)
  })

  it('returns 404 for an unknown one and for one of another project', async () => {
    expect((await call(server, 'deleteEnvironment', { params: { project, key: 'nope' } })).status).toBe(404)
    const elsewhere = { params: { project: 'other', key: idOf('production') } }
    expect((await call(server, 'deleteEnvironment', elsewhere)).status).toBe(404)
  })
})

describe('SDK keys', () => {
  /** A new environment, and a function that generates keys of it. */
  async function environment(key: string) {
    const { body } = await create({ key, name: key, type: 'production' })
    return {
      id: body._id as string,
      keys: body.sdkKeys as Record<string, { key: string }[]>,
      generate: (types: object) =>
        call(server, 'generateSdkKeys', { params: { project, environment: key }, body: types }),
      invalidate: (sdkKey: string) =>
        call(server, 'invalidateSdkKey', { params: { project, environment: key, key: sdkKey } })
    }
  }

  it('are added after existing ones, which stay valid', async () => {
    const { keys, generate } = await environment('growing')
    const { status, body } = await generate({ server: true, mobile: true, client: false })
    expect(status).toBe(201)
    expect(body.sdkKeys.server.slice(0, 1)).toEqual(keys.server)
    expect([body.sdkKeys.server.length, body.sdkKeys.mobile.length, body.sdkKeys.client.length]).toEqual([2, 2, 1])
    for (const { key } of [...body.sdkKeys.server, ...body.sdkKeys.mobile]) {
      expect((await evaluate(key)).status).toBe(200)
    }
    expect((await get('growing')).body).toMatchObject(body)
  })

  it.each([{}, { server: false }, { server: false, client: false, mobile: false }])(
    'cannot be requested by %j',
    async (types) => {
      const { generate } = await environment(`none-${Object.keys(types).length}`)
      const { status, body } = await generate(types)
      expect(status).toBe(400)
      expect(body.message.join()).toContain('should ask for a key of at least one type')
    }
  )

  it.each([
    [{ server: 'yes' }, 'server should be a boolean'],
    [{ server: true, edge: true }, 'property edge should not exist']
  ])('cannot be generated from %j', async (types, message) => {
    const answer = await call(server, 'generateSdkKeys', {
      params: { project, environment: 'production' },
      body: types
    })
    expect(answer.status).toBe(400)
    expect(answer.body.message.join()).toContain(message)
  })

  it('are invalidated at once, by key or id of the environment', async () => {
    const { id, keys, generate } = await environment('rotating')
    await generate({ server: true })
    const old = keys.server![0]!.key
    const { status, body } = await call(server, 'invalidateSdkKey', {
      params: { project: idOf('shop'), environment: id, key: old }
    })
    expect([status, body]).toEqual([200, undefined])
    expect((await evaluate(old)).status).toBe(401)
    const { sdkKeys } = (await get('rotating')).body
    expect(sdkKeys.server).toHaveLength(1)
    expect((await evaluate(sdkKeys.server[0].key)).status).toBe(200)
  })

  it.each(['server', 'client', 'mobile'])('are kept when they are the last %s key', async (type) => {
    const { keys, invalidate } = await environment(`last-${type}`)
    const { status, body } = await invalidate(keys[type]![0]!.key)
    expect(status).toBe(405)
    expect(body.message).toBe(`Cannot DELETE last item: create another ${type} key first`)
    expect((await evaluate(keys[type]![0]!.key)).status).toBe(200)
  })

  it('return 404 without being repeated when they are unknown or of another environment', async () => {
    const { invalidate } = await environment('strict')
    for (const sdkKey of ['server-this-key-is-not-known-to-anybody', keyOf('server')]) {
      const { status, body } = await invalidate(sdkKey)
      expect(status).toBe(404)
      expect(body.message).toBe(
        `Item with key '****${sdkKey.slice(-4)}' not found: there is no SDK key "****${sdkKey.slice(-4)}" in environment "strict"`
      )
    }
    expect((await evaluate(keyOf('server'))).status).toBe(200)
  })

  it('return 404 in an unknown environment', async () => {
    const params = { project, environment: 'nope' }
    expect((await call(server, 'generateSdkKeys', { params, body: { server: true } })).status).toBe(404)
    expect((await call(server, 'invalidateSdkKey', { params: { ...params, key: keyOf('server') } })).status).toBe(404)
  })

  it('are masked in the audit log and appear nowhere in the logs', async () => {
    const { keys, generate, invalidate } = await environment('secretive')
    const { body } = await generate({ client: true })
    const made = body.sdkKeys.client[1].key
    const first = keys.client![0]!.key
    server.clock.now = () => NOW + 1
    await invalidate(first)
    server.clock.now = () => NOW
    const { body: log } = await call(server, 'listAuditEntries', { query: { project, environment: 'secretive' } })
    expect(log[0].changes).toEqual([
      {
        type: 'deletedSdkKey',
        newContents: null,
        previousContents: { type: 'client', key: `****${first.slice(-4)}` },
        _environments: [body._id]
      }
    ])
    expect(log.flatMap(({ changes }: { changes: object[] }) => changes)).toContainEqual({
      type: 'createdSdkKey',
      newContents: { type: 'client', key: `****${made.slice(-4)}` },
      previousContents: null,
      _environments: [body._id]
    })
    for (const key of [made, first]) {
      expect(JSON.stringify(log)).not.toContain(key)
      expect(server.logs.join()).not.toContain(key)
    }
  })
})
