import { permissions, type Role } from '@burgee/contract'
import { addClients, tokenFor } from '@burgee/testing/apiClients'
import {
  type ApiResponse,
  call,
  hasher,
  send,
  serve,
  storeWith,
  type TestServer,
  tokenOf
} from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { personToken } from '@burgee/testing/personToken'
import { idOf, NOW } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { StoredUser } from '../../src/storage/resources/organization.ts'

const PASSWORD = 'nine dogs on a boat'
const OTHER_PASSWORD = 'three cats in a car'
const MADE_UP = /^([0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/

const shop = idOf('shop')
const roles: Readonly<Record<string, StoredUser['roles']>> = {
  owner: [{ role: 'organization_owner' }],
  admin: [{ role: 'organization_admin' }],
  /** Has full access, which neither of the two above has alone. */
  chief: [{ role: 'organization_admin' }, { role: 'organization_owner' }],
  member: [{ role: 'member' }],
  'shop-admin': [{ role: 'project_admin', _project: shop }]
}

/** An organization in full mode, with a user of each kind. */
async function serveTeam(): Promise<TestServer> {
  const directory = await storeWith({ features: [{ key: 'checkout' }] })
  const passwordVerifier = await hasher.hash(PASSWORD)
  const people = Object.entries(roles).map(([name, granted]) => {
    return [name, { roles: granted, email: `${name}@example.com`, name, passwordVerifier }] as const
  })
  const elsewhere = { name: 'elsewhere', email: 'elsewhere@example.com', roles: [] }
  await addMembers(directory, { mode: 'full', people: { ...Object.fromEntries(people), elsewhere } })
  await addClients(directory, { settings: ['organization:write:settings', 'organization:read:members'] })
  return serve(directory)
}

let server: TestServer
/** A token of each team member. */
const keys: Record<string, string> = {}

beforeAll(async () => {
  server = await serveTeam()
  for (const name of [...Object.keys(roles), 'elsewhere']) keys[name] = await personToken(server, userIdOf(name))
  keys.settings = await tokenFor(server, 'settings')
})

beforeEach(() => {
  server.clock.now = () => NOW
})

let count = 0

/** Creates a user. */
async function added(members: Readonly<Record<string, unknown>> = {}): Promise<ApiResponse['body']> {
  const name = `Person ${++count}`
  const { status, body } = await call(server, 'createUser', {
    body: { email: `person-${count}@example.com`, name, ...members }
  })
  expect([status, body.message]).toEqual([201, undefined])
  return body
}

/** Advances the clock, because tokens have a resolution of a second. */
function later(seconds = 2): void {
  const moment = server.clock.now() + seconds * 1000
  server.clock.now = () => moment
}

describe('creating a user', () => {
  it('returns the user, and once the generated password', async () => {
    const body = { email: 'Ada@Example.com', name: 'Ada', roles: [{ role: 'publisher', project: 'shop' }] }
    const { status, body: made } = await call(server, 'createUser', { body })
    expect(status).toBe(201)
    const { password, ...account } = made
    expect(password).toMatch(MADE_UP)
    expect(account).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      createdAt: new Date(NOW).toISOString(),
      updatedAt: new Date(NOW).toISOString(),
      user_id: `burgee|${account._id}`,
      email: 'ada@example.com',
      name: 'Ada',
      picture: '',
      roles: [{ role: 'publisher', project: shop }],
      isDisabled: false,
      isProvisioned: false,
      mustChangePassword: true,
      hasPassword: true,
      isEmailVerified: true,
      _createdBy: 'test-admin@clients'
    })
    for (const user of [account._id, account.user_id, 'ada@example.com', 'ADA@EXAMPLE.COM']) {
      expect((await call(server, 'getUser', { params: { user } })).body).toEqual(account)
    }
  })

  it.each([{ a: 'my-secret-password' }, ['my-secret-password'], 7_777_777])(
    'explains the password policy without repeating the password: %j',
    async (password) => {
      const body = { email: 'secret@example.com', name: 'Secret', password }
      const { status, body: refusal } = await call(server, 'createUser', { body })
      expect([status, refusal.message]).toEqual([400, ['password should be a string, got something that is not shown']])
    }
  )

  it('accepts email addresses up to the maximum length', async () => {
    const email = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`
    const { body } = await call(server, 'createUser', { body: { email, name: 'Long' } })
    expect((await call(server, 'getUser', { params: { user: email } })).body._id).toBe(body._id)
  })

  it('assigns the role member by default, and does not return a given password', async () => {
    const made = await added({ password: PASSWORD })
    expect(made.roles).toEqual([{ role: 'member' }])
    expect(made.password).toBeUndefined()
    expect((await added({ roles: [] })).roles).toEqual([])
  })

  it('generates a different password each time', async () => {
    const passwords = [await added(), await added(), await added()].map(({ password }) => password)
    expect(new Set(passwords).size).toBe(3)
  })

  test.each(['taken@example.com', 'TAKEN@example.com'])(
    'returns 409 when the email address is taken: %s',
    async (email) => {
      await call(server, 'createUser', { body: { email: 'taken@example.com', name: 'Taken' } })
      const { status, body } = await call(server, 'createUser', { body: { email, name: 'Another' } })
      expect([status, body.message, body.errorType]).toEqual([
        409,
        "Duplicate email 'taken@example.com'",
        'ERR_DUPE_USER_EMAIL'
      ])
    }
  )

  test.each<[Record<string, unknown>, RegExp]>([
    [{ email: 'nobody' }, /^email should be an e-mail address/],
    [{ email: `${'x'.repeat(250)}@example.com` }, /^email should/],
    [{ name: '' }, /^name should not be empty/],
    [{ roles: [{ role: 'emperor' }] }, /^roles\.0\.role should be one of viewer/],
    [{ roles: [{ role: 'organization_admin', project: 'shop' }] }, /^roles\.0\.project should not be given/],
    [{ password: 'short' }, /^password should have at least 12 characters/],
    [{ password: 'password1234' }, /^password should not consist mostly of common words or years/],
    [{ password: 'ada@example.co' }, /^password should not consist mostly of the name or e-mail address/],
    [{ _id: idOf('mine') }, /^property _id should not exist/],
    [{ user_id: 'burgee|mine' }, /^property user_id should not exist/],
    [{ userId: 'burgee|mine' }, /^property userId should not exist/],
    [{ passwordVerifier: 'scrypt$' }, /^property passwordVerifier should not exist/],
    [{ isDisabled: false }, /^property isDisabled should not exist/],
    [{ mustChangePassword: false }, /^property mustChangePassword should not exist/],
    [{ groups: ['admins'] }, /^property groups should not exist/],
    [{ identity: { issuer: 'x', subject: 'y' } }, /^property identity should not exist/],
    [{ _organization: 'org_other' }, /^property _organization should not exist/],
    [{ _createdBy: 'burgee' }, /^property _createdBy should not exist/]
  ])('returns 400 to %j', async (members, mistake) => {
    const { status, body } = await call(server, 'createUser', {
      body: { email: 'ada@example.com', name: 'Ada', ...members }
    })
    expect([status, body.message]).toEqual([400, [expect.stringMatching(mistake)]])
    const { password } = members
    if (typeof password === 'string') expect(JSON.stringify(body)).not.toContain(password)
  })

  it('returns 404 when a role is for an unknown project', async () => {
    const roles = [{ role: 'member', project: 'nowhere' }]
    const { status, body } = await call(server, 'createUser', { body: { email: 'x@example.com', name: 'X', roles } })
    expect([status, body.message]).toEqual([404, expect.stringContaining("Item with key 'nowhere' not found")])
  })
})

describe('nobody grants more than their own permissions', () => {
  const grant = (role: Role, project?: string) => [{ role, ...(project === undefined ? {} : { project }) }]

  test.each([
    ['owner', grant('organization_owner'), 201, undefined],
    ['owner', grant('viewer'), 403, 'granting viewer requires the permission project:read'],
    ['owner', undefined, 403, 'granting member requires the permission project:read'],
    ['owner', grant('viewer', 'shop'), 404, expect.stringContaining("Item with key 'shop' not found")],
    ['admin', grant('organization_admin'), 201, undefined],
    ['admin', grant('project_admin', 'shop'), 201, undefined],
    ['chief', [...grant('organization_owner'), ...grant('organization_admin')], 201, undefined],
    [
      'settings',
      grant('organization_owner'),
      403,
      'granting organization_owner requires the permission organization:read:settings'
    ],
    ['member', [], 403, 'this operation requires the permission organization:write:settings'],
    ['shop-admin', grant('viewer', 'shop'), 403, 'this operation requires the permission organization:write:settings']
  ] as const)('%s creates a user with %j: %i', async (name, granted, status, message) => {
    const body = { email: `new-${++count}@example.com`, name: 'New', ...(granted ? { roles: granted } : {}) }
    const answer = await call(server, 'createUser', { key: keys[name] ?? '', body })
    expect([answer.status, answer.body.message]).toEqual([status, message])
  })

  test.each([
    ['owner', 'organization_admin', 'granting organization_admin requires the permission project:read'],
    ['owner', 'viewer', 'granting viewer requires the permission project:read']
  ] as const)('%s cannot make anyone, including themselves, %s', async (name, role, message) => {
    for (const user of ['elsewhere@example.com', `${name}@example.com`]) {
      const given = { key: keys[name] ?? '', params: { user }, body: { roles: [{ role }] } }
      const answer = await call(server, 'updateUser', given)
      expect([answer.status, answer.body.message]).toEqual([403, message])
    }
  })

  test.each([
    ['updateUser', { name: 'Renamed' }, 'changing this person'],
    ['updateUser', { isDisabled: true }, 'changing this person'],
    ['updateUser', { roles: [] }, 'changing this person'],
    ['resetPassword', {}, 'resetting the password of this person']
  ] as const)('an owner cannot %s %j of a user with more permissions', async (operation, body, what) => {
    for (const name of ['admin', 'member', 'chief', 'shop-admin']) {
      const params = { user: `${name}@example.com` }
      const answer = await call(server, operation, { key: keys.owner ?? '', params, body })
      expect(answer.status).toBe(403)
      expect(answer.body.message).toMatch(new RegExp(`^${what} requires the permission project:read`))
    }
    expect((await call(server, 'getUser', { params: { user: 'admin@example.com' } })).body.name).toBe('admin')
  })
})

describe('users', () => {
  it('are listed in pages, sorted and searched', async () => {
    const ada = await added({ name: 'Zzz Last', email: 'zoe.unique@example.com' })
    const { body, headers } = await call(server, 'listUsers', { query: { sortBy: 'name', perPage: 1 } })
    expect([body.length, Number(headers.count) > 5]).toEqual([1, true])
    expect(body[0].name).toBe('shop-admin')
    for (const search of ['zoe.unique', 'zzz last']) {
      const found = await call(server, 'listUsers', { query: { search } })
      expect([found.body.map(({ _id }: StoredUser) => _id), found.headers.count]).toEqual([[ada._id], '1'])
    }
    expect((await call(server, 'listUsers', { query: { search: 'zz' } })).status).toBe(400)
    expect((await call(server, 'listUsers', { query: { perPage: 0 } })).status).toBe(400)
  })

  it('have no password data in responses', async () => {
    const { body } = await call(server, 'listUsers')
    expect(JSON.stringify(body)).not.toMatch(/scrypt|passwordVerifier|signedOutAt|identity/)
  })

  it('are visible to callers who may read members', async () => {
    expect((await call(server, 'listUsers', { key: keys.member ?? '' })).status).toBe(200)
    expect((await call(server, 'listUsers', { key: keys.elsewhere ?? '' })).status).toBe(403)
  })

  it('that are unknown return 404', async () => {
    for (const user of ['nobody', 'nobody@example.com', idOf('nobody'), 'burgee|nobody']) {
      const params = { user }
      const answers = [
        await call(server, 'getUser', { params }),
        await call(server, 'updateUser', { params, body: { name: 'X' } }),
        await call(server, 'resetPassword', { params })
      ]
      for (const { status, body } of answers)
        expect([status, body.message]).toEqual([404, expect.stringContaining(`Item with key '${user}' not found`)])
    }
  })
})

describe('changing a user', () => {
  it('changes the given members and keeps the others', async () => {
    const { _id, password: _password, ...made } = await added({ roles: [{ role: 'viewer' }] })
    later()
    const params = { user: _id }
    const renamed = await call(server, 'updateUser', { params, body: { name: 'Renamed' } })
    expect(renamed.body).toEqual({ ...made, _id, name: 'Renamed', updatedAt: new Date(NOW + 2000).toISOString() })
    const roles = [{ role: 'publisher', project: shop }, { role: 'organization_owner' }]
    const granted = await call(server, 'updateUser', { params, body: { roles } })
    expect(granted.body).toEqual({ ...renamed.body, roles })
    expect((await call(server, 'updateUser', { params, body: {} })).body).toEqual(granted.body)
  })

  test.each([
    { _id: idOf('mine') },
    { email: 'other@example.com' },
    { user_id: 'burgee|mine' },
    { passwordVerifier: 'scrypt$' },
    { password: PASSWORD },
    { mustChangePassword: false },
    { signedOutAt: null },
    { groups: ['admins'] },
    { _organization: 'org_other' }
  ])('returns 400 to %j', async (body) => {
    const answer = await call(server, 'updateUser', { params: { user: 'member@example.com' }, body })
    expect([answer.status, answer.body.message]).toEqual([400, [`property ${Object.keys(body)[0]} should not exist`]])
  })

  it('revokes all tokens of a disabled user, even if the user is enabled again', async () => {
    const { user_id } = await added({ roles: [{ role: 'viewer' }] })
    const key = await personToken(server, user_id)
    expect((await call(server, 'listProjects', { key })).status).toBe(200)
    later()
    const params = { user: user_id }
    expect((await call(server, 'updateUser', { params, body: { isDisabled: true } })).body.isDisabled).toBe(true)
    const refused = await call(server, 'listProjects', { key })
    expect([refused.status, refused.body.message]).toEqual([401, 'the token is not valid: its holder is disabled'])
    await call(server, 'updateUser', { params, body: { isDisabled: false } })
    const still = await call(server, 'listProjects', { key })
    expect([still.status, still.body.message]).toEqual([401, 'the token is not valid: its holder was signed out'])
  })

  it('removes a role at once', async () => {
    const { user_id } = await added({ roles: [{ role: 'organization_admin' }] })
    const key = await personToken(server, user_id)
    await call(server, 'updateUser', { params: { user: user_id }, body: { roles: [] } })
    expect((await call(server, 'listProjects', { key })).status).toBe(403)
  })

  it('cannot disable the caller', async () => {
    const given = { key: keys.chief ?? '', params: { user: 'chief@example.com' }, body: { isDisabled: true } }
    const { status, body } = await call(server, 'updateUser', given)
    expect([status, body.message]).toEqual([412, 'you cannot disable your own account: ask another administrator'])
  })
})

describe('resetting a password', () => {
  it('generates one, or sets the given one, which must be changed at sign-in', async () => {
    const { _id: user, user_id, password: first } = await added()
    const key = await personToken(server, user_id)
    later()
    const { status, body } = await call(server, 'resetPassword', { params: { user } })
    expect([status, body]).toEqual([200, { password: expect.stringMatching(MADE_UP) }])
    expect(body.password).not.toBe(first)
    expect((await call(server, 'listOrganizations', { key })).status).toBe(401)
    expect((await call(server, 'resetPassword', { params: { user }, body: { password: PASSWORD } })).body).toEqual({})
    expect((await call(server, 'getUser', { params: { user } })).body.mustChangePassword).toBe(true)
  })

  it('returns 400 to an unacceptable one, without repeating it', async () => {
    for (const password of ['member@example.com', 'qwertyuiop123', 'a1!x', 7]) {
      const params = { user: 'member@example.com' }
      const { status, body } = await call(server, 'resetPassword', { params, body: { password } })
      expect([status, body.message]).toEqual([400, [expect.stringMatching(/^password should /)]])
      if (typeof password === 'string') expect(JSON.stringify(body)).not.toContain(password)
    }
    const token = await tokenOf(server)
    const refused = async (text: string) => {
      const { status, body } = await send(server, {
        method: 'POST',
        path: '/v1/organizations/current/users/member@example.com/password',
        headers: { 'content-type': 'application/json', authorization: token },
        body: text
      })
      expect([status, JSON.stringify(body)]).toEqual([400, expect.not.stringContaining('Kq81')])
    }
    const texts = [
      '"Kq81-zzt\\u0000"',
      '"Kq81-zzt\\ud800"',
      '["Kq81-zzt\\u0000"]',
      '{"a":"Kq81-zzt\\u0000"}',
      'Kq81-zzt',
      '"Kq81'
    ]
    for (const text of texts) await refused(`{"password":${text}}`)
  })

  it('cannot bypass the current password', async () => {
    const { status, body } = await call(server, 'resetPassword', {
      key: keys.chief ?? '',
      params: { user: 'chief@example.com' }
    })
    expect([status, body.message]).toEqual([403, expect.stringContaining('PUT /v1/organizations/current/password')])
  })
})

describe("changing one's own password", () => {
  /** A new user with a chosen password, and a token of theirs. */
  async function someone(): Promise<{ readonly user: string; readonly key: string }> {
    const { user_id } = await added({ password: PASSWORD })
    return { user: user_id, key: await personToken(server, user_id) }
  }

  function change(key: string, currentPassword: unknown, newPassword: unknown = OTHER_PASSWORD): Promise<ApiResponse> {
    return call(server, 'changePassword', { key, body: { currentPassword, newPassword } })
  }

  it('replaces it, and revokes all sessions', async () => {
    const { user, key } = await someone()
    later()
    expect((await change(key, PASSWORD)).status).toBe(200)
    const { status, body } = await change(key, OTHER_PASSWORD, PASSWORD)
    expect([status, body.message]).toEqual([401, 'the token is not valid: its holder was signed out'])
    expect((await call(server, 'getUser', { params: { user } })).body.mustChangePassword).toBe(false)
  })

  it('accepts the current one even if the policy would refuse it', async () => {
    const { key } = await someone()
    expect((await change(key, 'something else')).status).toBe(403)
    expect((await change(key, PASSWORD)).status).toBe(200)
    const { status, body } = await change(key, PASSWORD, 'four birds on the roof')
    expect([status, body.message]).toEqual([403, 'the current password is wrong'])
    expect((await change(key, OTHER_PASSWORD, PASSWORD)).status).toBe(200)
  })

  it('accepts a generated one as the current one', async () => {
    const { user_id, password } = await added()
    expect((await change(await personToken(server, user_id), password)).status).toBe(200)
  })

  test.each([
    ['short', /^newPassword should have at least 12 characters/],
    ['password1234', /^newPassword should not consist mostly of common words or years/],
    [PASSWORD, /^newPassword must differ from the current password/],
    [null, /^newPassword should be a string/]
  ])('returns 400 to %j, without repeating it', async (newPassword, mistake) => {
    const { key } = await someone()
    const { status, body } = await change(key, PASSWORD, newPassword)
    expect([status, body.message]).toEqual([400, [expect.stringMatching(mistake)]])
    expect(JSON.stringify(body)).not.toMatch(/short"|password1234|nine dogs/)
  })

  it('returns 400 to unknown members', async () => {
    const body = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD, user_id: userIdOf('chief') }
    const { status } = await call(server, 'changePassword', { key: keys.member ?? '', body })
    expect(status).toBe(400)
  })

  it('returns 412 to a client, an assistant, and a user of the identity provider', async () => {
    const body = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD }
    const asAssistant = { 'burgee-referrer': 'mcp' }
    const answers = [
      await call(server, 'changePassword', { body }),
      await call(server, 'changePassword', { body, key: keys.member ?? '', headers: asAssistant })
    ]
    for (const { status, body } of answers) {
      expect([status, body.message]).toEqual([412, expect.stringMatching(/^only a person can change a password/)])
    }
    const { key } = await someoneWithoutPassword()
    const { status, body: refusal } = await call(server, 'changePassword', { key, body })
    expect([status, refusal.message]).toEqual([412, expect.stringMatching(/^this account has no password/)])
  })

  it('returns 429 after ten wrong ones, even to the right one, and only to that user', async () => {
    const { key } = await someone()
    const statuses = []
    for (let attempt = 0; attempt < 10; attempt++) statuses.push((await change(key, 'wrong')).status)
    expect(new Set(statuses)).toEqual(new Set([403]))
    const { status, headers } = await change(key, PASSWORD)
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await change((await someone()).key, PASSWORD)).status).toBe(200)
  })

  it('checks at most ten of many concurrent ones', async () => {
    const { key } = await someone()
    const answers = await Promise.all(Array.from({ length: 30 }, () => change(key, 'wrong')))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 403)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })

  async function someoneWithoutPassword(): Promise<{ readonly key: string }> {
    const { user_id } = { user_id: userIdOf('elsewhere') }
    await call(server, 'updateUser', { params: { user: user_id }, body: { roles: [{ role: 'member' }] } })
    return { key: await personToken(server, user_id) }
  }
})

it('an organization neither sees nor changes the users and clients of another one', async () => {
  const directory = await storeWith({})
  await addMembers(directory, { mode: 'flat', people: { ada: [] } })
  await addClients(directory, { stranger: permissions }, 'org_other')
  const shared = await serve(directory)
  const key = await tokenFor(shared, 'stranger')
  for (const user of [userIdOf('ada'), idOf('person ada'), `${idOf('ada')}@example.com`]) {
    expect((await call(shared, 'getUser', { key, params: { user } })).status).toBe(404)
    expect((await call(shared, 'getUser', { params: { user } })).status).toBe(200)
  }
  expect((await call(shared, 'getApiClient', { key, params: { client: 'test-admin' } })).status).toBe(404)
  expect((await call(shared, 'listUsers', { key })).body).toEqual([])
  const { body: clients } = await call(shared, 'listApiClients', { key })
  expect(clients.map(({ clientId }: { clientId: string }) => clientId)).toEqual(['stranger'])
})

it('a deleted project removes its roles', async () => {
  await call(server, 'createProject', { body: { key: 'brief', name: 'Brief' } })
  const roles = [{ role: 'member', project: 'brief' }, { role: 'viewer' }]
  const { _id: user } = await added({ roles })
  const { body: client } = await call(server, 'createApiClient', {
    body: { name: 'Brief', clientId: 'brief', roles: [{ role: 'member', project: 'brief' }] }
  })
  await call(server, 'deleteProject', { params: { key: 'brief' } })
  expect((await call(server, 'getUser', { params: { user } })).body.roles).toEqual([{ role: 'viewer' }])
  // Not full access, which clients without roles have.
  expect((await call(server, 'getApiClient', { params: { client: client._id } })).body.roles).toEqual([])
})

describe('the permissions of a user', () => {
  const ask = (key: string | undefined, user: string) =>
    call(server, 'getUserPermissions', { ...(key ? { key } : {}), params: { user } })

  it.each(['owner', 'admin', 'member', 'shop-admin'])('are those of the session of %s', async (name) => {
    const { body: session } = await call(server, 'getSession', { ...(keys[name] ? { key: keys[name] } : {}) })
    const { status, body } = await ask(undefined, userIdOf(name))
    expect([status, body]).toEqual([200, session.permissions])
  })

  it('name only projects that the caller can read', async () => {
    const { status, body } = await ask(keys.owner, userIdOf('member'))
    expect([status, body.projects]).toEqual([200, {}])
    expect(body.organization).toContain('organization:read:members')
  })

  it('are empty while the account is disabled', async () => {
    const { user_id: user } = await added({ roles: [{ role: 'member' }] })
    expect((await ask(undefined, user)).body.organization).not.toEqual([])
    await call(server, 'updateUser', { params: { user }, body: { isDisabled: true } })
    expect((await ask(undefined, user)).body).toEqual({ organization: [], projects: {} })
  })

  it('are refused to callers who cannot change people, and are not found for unknown users', async () => {
    expect((await ask(keys.member, userIdOf('owner'))).status).toBe(403)
    expect((await ask(undefined, 'nobody@example.com')).status).toBe(404)
  })
})
