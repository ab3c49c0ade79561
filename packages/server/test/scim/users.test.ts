import { call, serve, type TestServer } from '@burgee/testing/harness'
import { personToken } from '@burgee/testing/personToken'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { connectScim, ERROR, newUser, type ScimClient, USER } from './scimClient.ts'

let server: TestServer
let scim: ScimClient

beforeAll(async () => {
  server = await serve({ features: [{ key: 'checkout' }] })
  scim = await connectScim(server)
  await scim.post('/Users', newUser({ userName: 'keeper@example.com', emails: undefined }))
})

/** A filter with this number of comparisons, which no user matches. */
function anyOf(count: number, attribute = 'userName'): string {
  return Array.from({ length: count }, () => `${attribute} eq "nobody"`).join(' or ')
}

/** Creates a user, and returns the resource. */
async function added(members: Readonly<Record<string, unknown>> = {}) {
  const { status, body } = await scim.post('/Users', newUser(members))
  expect([status, body.detail]).toEqual([201, undefined])
  return body
}

async function accountOf(id: string) {
  return (await call(server, 'getUser', { params: { user: id } })).body
}

describe('a user', () => {
  it('is created with location and ETag, and read again', async () => {
    const given = newUser()
    const { status, headers, body } = await scim.post('/Users', given)
    const { schemas, userName, externalId, name, displayName, emails, active } = given
    expect([status, headers['content-type']]).toEqual([201, 'application/scim+json'])
    expect(body).toEqual({
      schemas,
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      userName,
      externalId,
      name,
      displayName,
      emails,
      active,
      meta: {
        resourceType: 'User',
        created: new Date(NOW).toISOString(),
        lastModified: new Date(NOW).toISOString(),
        location: `${server.url}/scim/v2/Users/${body.id}`,
        version: headers.etag
      }
    })
    expect(headers.location).toBe(body.meta.location)
    expect((await scim.get(`/Users/${body.id}`)).body).toEqual(body)
    expect(await accountOf(body.id)).toMatchObject({
      email: userName,
      name: 'Ada Lovelace',
      isProvisioned: true,
      hasPassword: false,
      roles: [],
      _createdBy: 'okta@scim'
    })
  })

  it('uses the login name as its address if it has no other, and always has a name that does not show it', async () => {
    const { id } = await added({ userName: 'Grace@Example.com', emails: [], name: null, displayName: null })
    expect(await accountOf(id)).toMatchObject({ email: 'grace@example.com', name: 'Grace' })
  })

  it('without an address gets one that cannot exist', async () => {
    const { id } = await added({ userName: 'jdoe', emails: null })
    expect(await accountOf(id)).toMatchObject({ email: `${id}@unknown.invalid` })
  })

  test.each([
    ['userName', { userName: 'KEEPER@example.COM', emails: [{ value: 'other@example.com' }] }],
    ['the e-mail address', { emails: [{ value: 'Keeper@example.com' }] }]
  ])('is refused if %s belongs to another person, regardless of case', async (_, members) => {
    const { status, headers, body } = await scim.post('/Users', newUser(members))
    expect([status, headers['content-type']]).toEqual([409, 'application/scim+json'])
    expect(body).toEqual({ schemas: [ERROR], status: '409', scimType: 'uniqueness', detail: expect.any(String) })
  })

  it('is replaced: attributes that are not given are removed', async () => {
    const user = await added()
    const { status, body } = await scim.put(`/Users/${user.id}`, {
      schemas: [USER],
      id: 'ignored',
      userName: user.userName,
      displayName: 'Countess'
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: user.id, displayName: 'Countess', active: true })
    expect(Object.keys(body).sort()).toEqual(['active', 'displayName', 'id', 'meta', 'schemas', 'userName'])
  })

  it('returns 304 for its ETag, and 412 for a write with an outdated one', async () => {
    const user = await added()
    const etag = user.meta.version
    expect((await scim.get(`/Users/${user.id}`, { 'if-none-match': etag })).status).toBe(304)
    const body = { ...newUser(), userName: user.userName }
    expect((await scim.put(`/Users/${user.id}`, body, { 'if-match': etag })).status).toBe(200)
    expect((await scim.put(`/Users/${user.id}`, body, { 'if-match': etag })).status).toBe(412)
    expect((await scim.remove(`/Users/${user.id}`, { 'if-match': etag })).status).toBe(412)
  })

  it('returns the requested attributes only', async () => {
    const { id, userName, emails } = await added()
    const [{ value }] = emails
    const only = await scim.get(`/Users/${id}?attributes=userName,emails.value`)
    expect(only.body).toEqual({ schemas: [USER], id, userName, emails: [{ value }] })
    const without = await scim.get(`/Users/${id}?excludedAttributes=emails,name,meta`)
    expect(Object.keys(without.body).sort()).toEqual([
      'active',
      'displayName',
      'externalId',
      'id',
      'schemas',
      'userName'
    ])
  })
})

test.each(['userName', 'externalId'])('a user has a %s of at most 512 characters', async (attribute) => {
  const longest = 'x'.repeat(512)
  const { id } = await added({ [attribute]: longest })
  const tooLong = await scim.post('/Users', newUser({ [attribute]: `${longest}y` }))
  const message = `${attribute} should have at most 512 characters, got 513`
  expect([tooLong.status, tooLong.body]).toMatchObject([
    400,
    { scimType: 'invalidValue', detail: expect.stringContaining(message) }
  ])
  const operation = { op: 'replace', path: attribute, value: `${longest}z` }
  expect((await scim.patch(`/Users/${id}`, operation)).status).toBe(400)
})

describe('a list of users', () => {
  it('is filtered, sorted and paged', async () => {
    const names = ['list-b', 'list-a', 'list-c'].map((name) => `${name}@example.com`)
    for (const userName of names) await added({ userName, displayName: userName.toUpperCase(), emails: [] })
    const filter = encodeURIComponent('userName sw "LIST-"')
    const { body } = await scim.get(`/Users?filter=${filter}&sortBy=userName&sortOrder=descending&startIndex=2&count=1`)
    expect(body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 })
    expect(body.Resources.map(({ userName }: { userName: string }) => userName)).toEqual(['list-b@example.com'])
    const search = await scim.post('/Users/.search', { filter: 'userName sw "list-"', count: 0 })
    expect(search.body).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] })
  })

  test.each([
    'userName eq "FILTER@example.com"',
    'externalId eq "Filter-1"',
    'emails eq "filter@home.example"',
    'emails.value ew "@home.example"',
    'emails[type eq "home" and value co "filter"]',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "filter@example.com"',
    'externalId eq "Filter-1" and not (active eq false)',
    'externalId eq "Filter-1" and active eq "True"',
    'externalId eq "Filter-1" and (name.familyName pr or displayName eq "x")',
    'externalId eq "Filter-1" and meta.lastModified ge "2020-01-01T00:00:00Z"',
    'displayName eq "with \\"quotes\\" and ) ] inside"'
  ])('finds one user by %s', async (filter) => {
    const found = await scim.find('userName eq "filter@example.com"')
    const [id] = found.length
      ? found
      : [
          (
            await added({
              userName: 'filter@example.com',
              externalId: 'Filter-1',
              displayName: 'with "quotes" and ) ] inside',
              emails: [{ value: 'filter@home.example', type: 'home' }]
            })
          ).id
        ]
    expect(await scim.find(filter)).toEqual([id])
  })

  test.each([
    'externalId eq "filter-1"',
    'userName eq "filter@example.com" and active eq false',
    'userName eq "filter@example.com" and displayName eq null'
  ])('finds none by %s', async (filter) => {
    expect(await scim.find(filter)).toEqual([])
  })

  test.each([
    ['userName', 'an operator (pr, eq'],
    ['userName is "x"', 'got is'],
    ['nothing eq "x"', 'is not an attribute'],
    ['userName eq', 'a value should follow'],
    ['userName eq "x', 'a string is not terminated'],
    ['(userName eq "x"', '\\")\\" is missing'],
    ['userName eq "x" or', 'an attribute is missing at the end'],
    ['active gt true', 'does not apply to booleans'],
    ['userName[type eq "x"]', 'has no sub-attributes'],
    [`${'('.repeat(500)}userName pr${')'.repeat(500)}`, 'nests deeper'],
    [`userName eq "${'x'.repeat(5000)}"`, 'more than 4096'],
    [anyOf(51), 'more than 50 comparisons'],
    [`emails[${anyOf(51, 'value')}]`, 'more than 50 comparisons']
  ])('returns 400 for the filter %s', async (filter, reason) => {
    const { status, body } = await scim.get(`/Users?filter=${encodeURIComponent(filter)}`)
    expect([status, body.scimType]).toEqual([400, 'invalidFilter'])
    expect(body.detail).toContain(reason.replaceAll('\\"', '"'))
  })

  it('accepts 50 comparisons', async () => {
    const { status, body } = await scim.get(`/Users?filter=${encodeURIComponent(anyOf(50))}`)
    expect([status, body.totalResults]).toEqual([200, 0])
  })

  it('has at most 200 users per page', async () => {
    const { body } = await scim.get('/Users?count=1000000&startIndex=-5')
    expect(body.itemsPerPage).toBeLessThanOrEqual(200)
    expect(body.startIndex).toBe(1)
    expect((await scim.get('/Users?count=many')).body).toMatchObject({ scimType: 'invalidValue' })
  })
})

describe('deprovisioning', () => {
  const end = {
    'active: false': (id: string) => scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }),
    'PUT without access': (id: string) => scim.put(`/Users/${id}`, { ...newUser(), active: false }),
    DELETE: (id: string) => scim.remove(`/Users/${id}`)
  }

  test.each(Object.entries(end))('by %s ends the tokens of the person at once', async (_, deprovision) => {
    const { id } = await added()
    const { user_id } = await accountOf(id)
    const key = await personToken(server, user_id)
    expect((await call(server, 'listProjects', { key })).status).toBe(200)
    expect((await deprovision(id)).status).toBeLessThan(300)
    expect((await call(server, 'listProjects', { key })).status).toBe(401)
    expect(await accountOf(id)).toMatchObject({ isDisabled: true })
  })

  it('is undone by activating the person; earlier tokens stay revoked', async () => {
    const { id } = await added()
    const { user_id } = await accountOf(id)
    const key = await personToken(server, user_id)
    // Token timestamps have a resolution of one second.
    server.clock.now = () => NOW + 2000
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    const { body } = await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
    expect(body.active).toBe(true)
    expect(await accountOf(id)).toMatchObject({ isDisabled: false })
    expect((await call(server, 'listProjects', { key })).status).toBe(401)
    server.clock.now = () => NOW
  })

  it('by DELETE hides the user, and creating them again restores the account without roles', async () => {
    const user = await added()
    await call(server, 'updateUser', { params: { user: user.id }, body: { roles: [{ role: 'publisher' }] } })
    expect((await scim.remove(`/Users/${user.id}`)).status).toBe(204)
    for (const method of ['get', 'remove'] as const) expect((await scim[method](`/Users/${user.id}`)).status).toBe(404)
    expect(await scim.find(`userName eq "${user.userName}"`)).toEqual([])
    const { userName, externalId } = user
    const again = await added({ userName, externalId, emails: user.emails })
    expect(again.id).toBe(user.id)
    expect(await accountOf(user.id)).toMatchObject({ isDisabled: false, roles: [] })
  })

  it('releases the address of a deleted person for the next one, who gets a separate account', async () => {
    const user = await added()
    await scim.remove(`/Users/${user.id}`)
    const next = await added({ userName: user.userName, emails: user.emails })
    expect(next.id).not.toBe(user.id)
    expect(await accountOf(user.id)).toMatchObject({ email: `${user.id}@deprovisioned.invalid`, isDisabled: true })
  })

  it('does not enable a person whom an administrator disabled', async () => {
    const { id, userName } = await added()
    await call(server, 'updateUser', { params: { user: id }, body: { isDisabled: true } })
    const { body } = await scim.put(`/Users/${id}`, { ...newUser(), userName })
    expect(body.active).toBe(true)
    expect(await accountOf(id)).toMatchObject({ isDisabled: true })
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
    expect(await accountOf(id)).toMatchObject({ isDisabled: true })
    await call(server, 'updateUser', { params: { user: id }, body: { isDisabled: false } })
    expect(await accountOf(id)).toMatchObject({ isDisabled: false })
  })
})

describe('an administrator', () => {
  it('cannot change what SCIM manages', async () => {
    const { id } = await added()
    const renamed = await call(server, 'updateUser', { params: { user: id }, body: { name: 'Mallory' } })
    expect([renamed.status, renamed.body.message]).toEqual([412, expect.stringContaining('provisioned by SCIM')])
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    const enabled = await call(server, 'updateUser', { params: { user: id }, body: { isDisabled: false } })
    expect([enabled.status, enabled.body.message]).toEqual([412, expect.stringContaining('deactivated by SCIM')])
  })
})

describe('an account that existed before', () => {
  it('is found by its address, and SCIM manages it from the first write on', async () => {
    const { body: local } = await call(server, 'createUser', { body: { email: 'local@example.com', name: 'Local' } })
    expect(await scim.find('userName eq "Local@example.com"')).toEqual([local._id])
    expect(await accountOf(local._id)).toMatchObject({ isProvisioned: false })
    const { status, body } = await scim.patch(`/Users/${local._id}`, {
      op: 'add',
      path: 'externalId',
      value: 'external-local'
    })
    expect([status, body.externalId]).toEqual([200, 'external-local'])
    expect(await accountOf(local._id)).toMatchObject({ isProvisioned: true, roles: [{ role: 'member' }] })
  })
})

it('is not created with the login name of an account that has another address', async () => {
  await call(server, 'createUser', { body: { email: 'named@example.com', name: 'Named' } })
  const { status, body } = await scim.post(
    '/Users',
    newUser({ userName: 'Named@example.com', emails: [{ value: 'x@named.example' }] })
  )
  expect([status, body.scimType]).toEqual([409, 'uniqueness'])
})

describe('bad input', () => {
  test.each([
    ['no JSON', 'userName', 400, 'invalidSyntax'],
    ['a list', [], 400, 'invalidSyntax'],
    ['another schema', { schemas: ['urn:x'], userName: 'x@example.com' }, 400, 'invalidSyntax'],
    ['no userName', { schemas: [USER] }, 400, 'invalidValue'],
    ['a userName of another type', { userName: 5 }, 400, 'invalidValue'],
    ['an invalid address', { userName: 'ada', emails: [{ value: 'ada' }] }, 400, 'invalidValue'],
    ['a long userName', { userName: `${'x'.repeat(2000)}@example.com` }, 400, 'invalidValue'],
    ['active of another type', { userName: 'x@example.com', active: 'maybe' }, 400, 'invalidValue'],
    ['a string as name', { userName: 'x@example.com', name: 'Ada' }, 400, 'invalidValue'],
    [
      'two primary addresses',
      { userName: 'x@example.com', emails: [1, 2].map((n) => ({ value: `${n}@x.example`, primary: true })) },
      400,
      'invalidValue'
    ],
    ['a repeated member', '{"userName":"x@example.com","userName":"y@example.com"}', 400, 'invalidSyntax'],
    ['a prototype', '{"userName":"x@example.com","__proto__":{}}', 400, 'invalidSyntax'],
    ['a body over the limit', JSON.stringify({ userName: 'x'.repeat(2 ** 20) }), 413, undefined]
  ])('returns a SCIM error for %s', async (_, given, expected, scimType) => {
    const { status, headers, body } = await scim.post('/Users', given)
    expect([status, body.scimType, body.detail]).toEqual([expected, scimType, expect.any(String)])
    expect(headers['content-type']).toBe('application/scim+json')
    expect(body).toMatchObject({ schemas: [ERROR], status: String(expected) })
  })

  test.each([
    [{ op: 'move', path: 'active', value: true }, 'invalidSyntax'],
    [{ op: 'replace', path: 'nothing', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq "x"].nothing', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'active[value eq "x"]', value: true }, 'invalidPath'],
    [{ op: 'replace', path: 5, value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq "home"].value', value: 'x@example.com' }, 'noTarget'],
    [{ op: 'replace', path: 'active', value: 'maybe' }, 'invalidValue'],
    [{ op: 'replace', path: 'active' }, 'invalidValue'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'remove', path: 'userName' }, 'mutability'],
    [{ op: 'remove' }, 'noTarget']
  ])('returns a SCIM error for the operation %j, and changes nothing', async (operation, scimType) => {
    const [id = ''] = await scim.find('userName eq "keeper@example.com"')
    const before = (await scim.get(`/Users/${id}`)).body
    const { status, body } = await scim.patch(
      `/Users/${id}`,
      { op: 'replace', path: 'displayName', value: 'X' },
      operation
    )
    expect([status, body.scimType]).toEqual([400, scimType])
    expect((await scim.get(`/Users/${id}`)).body).toEqual(before)
  })

  test.each([
    ['GET', '/Nothing', 404],
    ['GET', '/Users/nobody', 404],
    ['GET', '/Users/%zz', 404],
    ['GET', '/Me', 501],
    ['POST', '/Bulk', 501],
    ['DELETE', '/Schemas', 405],
    ['GET', '/ResourceTypes?filter=x', 403]
  ])('returns a SCIM error for %s %s', async (method, path, expected) => {
    const ask = { GET: scim.get, DELETE: scim.remove, POST: (to: string) => scim.post(to, {}) }[method]
    const answer = await ask?.(path)
    expect(answer?.status).toBe(expected)
    expect(answer?.body).toMatchObject({ schemas: [ERROR], status: String(expected), detail: expect.any(String) })
    expect(server.logs.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })
})

test('the discovery endpoints describe what the server supports', async () => {
  const config = (await scim.get('/ServiceProviderConfig')).body
  expect(config).toMatchObject({ patch: { supported: true }, bulk: { supported: false }, etag: { supported: true } })
  const types = (await scim.get('/ResourceTypes')).body
  expect(types.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group'])
  const schema = (await scim.get(`/Schemas/${USER}`)).body
  expect(schema.attributes.map(({ name }: { name: string }) => name)).toContain('userName')
})
