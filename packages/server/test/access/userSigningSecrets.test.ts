import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf, keyOf } from '@burgee/testing/plan'
import { storedAuditText } from '@burgee/testing/storedData'
import { beforeAll, describe, expect, it } from 'vitest'
import { evaluate, sign } from '../support/signedUsers.ts'

let server: TestServer

beforeAll(async () => {
  const environments = { production: {}, rotated: {}, prepared: {}, shown: {} }
  const directory = await storeWith({ environments, features: [{ key: 'all' }] })
  await addClients(directory, { editor: ['project:read', 'environment:read', 'environment:write'] })
  server = await serve(directory)
})

const place = (environment: string) => ({ params: { project: 'shop', environment } })
const SECRET_FORM = /^burgee_user_secret_[\w-]{43}[0-9A-Za-z]{6}$/

function setSignedUsers(environment: string, signedUsers: string): Promise<ApiResponse> {
  const params = { project: 'shop', key: environment }
  return call(server, 'updateEnvironment', { params, body: { settings: { signedUsers } } })
}

async function secretsOf(environment: string): Promise<{ _id: string; secret: string }[]> {
  return (await call(server, 'listUserSigningSecrets', place(environment))).body
}

async function statusOf(environment: string, secret: string): Promise<number> {
  const context = { targetingKey: 'ada', userHash: sign('ada', secret) }
  return (await evaluate(server, 'all', context, keyOf('client', environment))).status
}

it('an environment gets its first secret when signed users are turned on, and only then', async () => {
  expect(await secretsOf('production')).toEqual([])
  const { status, body } = await setSignedUsers('production', 'required')
  expect([status, body.settings]).toEqual([200, { signedUsers: 'required' }])
  const [first, ...others] = await secretsOf('production')
  expect([first?.secret, others]).toEqual([expect.stringMatching(SECRET_FORM), []])
  expect(await statusOf('production', first?.secret ?? '')).toBe(200)
  await setSignedUsers('production', 'accepted')
  await setSignedUsers('production', 'required')
  expect(await secretsOf('production')).toEqual([first])
})

it('a new environment can have signed users from the start', async () => {
  const body = { key: 'qa', name: 'QA', type: 'staging', settings: { signedUsers: 'required' } }
  const created = await call(server, 'createEnvironment', { params: { project: 'shop' }, body })
  expect(created.status).toBe(201)
  const [first] = await secretsOf('qa')
  const context = { targetingKey: 'ada', userHash: sign('ada', first?.secret) }
  const key = created.body.sdkKeys.client[0].key
  expect((await evaluate(server, 'all', { targetingKey: 'ada' }, key)).status).toBe(401)
  expect((await evaluate(server, 'all', context, key)).status).toBe(200)
})

describe('a replacement of a secret', () => {
  it('keeps existing signatures valid: both secrets work until one is removed', async () => {
    await setSignedUsers('rotated', 'required')
    const [old] = await secretsOf('rotated')
    const added = await call(server, 'createUserSigningSecret', place('rotated'))
    expect(added.status).toBe(201)
    const both = [old?.secret ?? '', added.body.secret]
    expect((await secretsOf('rotated')).map(({ secret }) => secret)).toEqual(both)
    for (const secret of both) expect(await statusOf('rotated', secret)).toBe(200)
    const third = await call(server, 'createUserSigningSecret', place('rotated'))
    expect([third.status, third.body.message]).toEqual([
      409,
      'environment "rotated" has 2 user signing secrets (limit: 2); remove one before you add another'
    ])
    expect((await remove('rotated', old?._id)).status).toBe(200)
    expect(await statusOf('rotated', both[0] ?? '')).toBe(401)
    expect(await statusOf('rotated', both[1] ?? '')).toBe(200)
    const last = await remove('rotated', added.body._id)
    expect([last.status, last.body.message]).toEqual([
      405,
      'Cannot DELETE last item: signedUsers of environment "rotated" is "required"; add another secret first, or set it to "off"'
    ])
  })

  it('can be prepared and undone while signed users are off', async () => {
    const { body } = await call(server, 'createUserSigningSecret', place('prepared'))
    expect((await remove('prepared', idOf('another'))).status).toBe(404)
    expect((await remove('prepared', body._id)).status).toBe(200)
    expect(await secretsOf('prepared')).toEqual([])
  })

  function remove(environment: string, id = ''): Promise<ApiResponse> {
    return call(server, 'deleteUserSigningSecret', { params: { ...place(environment).params, id } })
  }
})

it('secrets are shown by their own operations only, to publishers of a protected environment, and recorded', async () => {
  await setSignedUsers('shown', 'accepted')
  const [first] = await secretsOf('shown')
  const secret = first?.secret ?? ''
  const key = await tokenFor(server, 'editor')
  for (const id of ['listUserSigningSecrets', 'createUserSigningSecret'] as const) {
    const { status, body } = await call(server, id, { ...place('shown'), key })
    expect([status, body.message]).toEqual([403, 'this operation requires the permission feature:publish'])
  }
  const elsewhere = [
    await call(server, 'getEnvironment', { params: { project: 'shop', key: 'shown' } }),
    await call(server, 'listAuditEntries'),
    await call(server, 'exportAudit'),
    await call(server, 'listAccessLog'),
    await call(server, 'getServerConfig', { params: { key: keyOf('server', 'shown') }, key: null })
  ]
  for (const { status, body } of elsewhere) {
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain(secret)
  }
  expect(await storedAuditText(server.directory)).not.toContain(secret)
  const query = { kind: 'secretShown', sortOrder: 'asc' }
  const target = place('shown').params
  const shown = (await call(server, 'listAccessLog', { query })).body.filter((entry: { target?: object }) => {
    return JSON.stringify(entry.target) === JSON.stringify(target)
  })
  expect(shown).toMatchObject([
    { operation: 'listUserSigningSecrets', outcome: 'success', idp_user: 'test-admin@clients' },
    { operation: 'listUserSigningSecrets', outcome: 'refused', idp_user: 'editor@clients' },
    { operation: 'createUserSigningSecret', outcome: 'refused', idp_user: 'editor@clients' }
  ])
})

it('a change of the setting is in the audit log, with the secret that it created', async () => {
  const { body } = await call(server, 'listAuditEntries', { query: { perPage: 100 } })
  const types = body.flatMap(({ changes }: { changes: { type: string; newContents: object }[] }) => changes)
  expect(types).toContainEqual(
    expect.objectContaining({
      type: 'createdUserSigningSecret',
      newContents: { _id: expect.any(String), secret: expect.stringMatching(/^\*{4}.{4}$/) }
    })
  )
  expect(types).toContainEqual(
    expect.objectContaining({
      type: 'modifiedEnvironment',
      newContents: { settings: { signedUsers: 'required' } },
      previousContents: { settings: {} }
    })
  )
})
