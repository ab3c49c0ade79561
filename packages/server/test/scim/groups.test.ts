import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { personToken } from '@burgee/testing/personToken'
import { idOf } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { connectScim, ERROR, GROUP, newUser, type ScimClient } from './scimClient.ts'

let server: TestServer
let scim: ScimClient

beforeAll(async () => {
  const directory = await storeWith({ features: [{ key: 'checkout' }] })
  await addMembers(directory, {
    mode: 'full',
    groups: [
      { group: 'Publishers', role: 'publisher' },
      { group: 'Owners', role: 'organization_owner' }
    ],
    people: {
      owner: [{ role: 'organization_owner' }],
      linked: { identity: { issuer: 'https://idp.example', subject: 'somebody' }, email: 'linked@example.com' }
    }
  })
  server = await serve(directory)
  scim = await connectScim(server)
})

async function addUser(): Promise<{ readonly id: string; readonly key: string }> {
  const { body } = await scim.post('/Users', newUser())
  const { user_id } = (await call(server, 'getUser', { params: { user: body.id } })).body
  return { id: body.id, key: await personToken(server, user_id) }
}

async function addGroup(displayName: string, ...ids: readonly string[]): Promise<string> {
  const members = ids.map((value) => ({ value }))
  const { status, body } = await scim.post('/Groups', { schemas: [GROUP], displayName, members })
  expect([status, body.detail]).toEqual([201, undefined])
  return body.id
}

async function membersOf(id: string): Promise<readonly string[]> {
  return (await scim.get(`/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value).sort()
}

/** Whether a person has the permission of publishers. */
async function canPublish(key: string): Promise<boolean> {
  const answer = await call(server, 'createFeature', { params: { project: 'shop' }, body: {}, key })
  return answer.status === 400
}

describe('a group', () => {
  it('grants the roles that its name is mapped to, from the next request on, until the person leaves', async () => {
    const { id, key } = await addUser()
    expect(await canPublish(key)).toBe(false)
    const group = await addGroup('Publishers', id)
    expect(await canPublish(key)).toBe(true)
    const { body: user } = await scim.get(`/Users/${id}`)
    const $ref = `${server.url}/scim/v2/Groups/${group}`
    expect(user.groups).toEqual([{ value: group, $ref, display: 'Publishers' }])
    await scim.patch(`/Groups/${group}`, { op: 'replace', path: 'displayName', value: 'Retired publishers' })
    expect(await canPublish(key)).toBe(false)
    await scim.patch(`/Groups/${group}`, { op: 'replace', value: { id: group, displayName: 'Publishers' } })
    expect(await canPublish(key)).toBe(true)
    await scim.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${id}"]` })
    expect(await canPublish(key)).toBe(false)
    await scim.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: id }] })
    expect(await canPublish(key)).toBe(true)
    expect((await scim.remove(`/Groups/${group}`)).status).toBe(204)
    expect(await canPublish(key)).toBe(false)
    expect((await scim.get(`/Groups/${group}`)).status).toBe(404)
  })

  it('is created, replaced and found by name, member and id at the client', async () => {
    const [one, two] = [await addUser(), await addUser()]
    const { headers, body } = await scim.post('/Groups', { displayName: 'Team', externalId: 'g1' })
    expect(body).toMatchObject({ schemas: [GROUP], displayName: 'Team', externalId: 'g1', members: [] })
    expect(headers.location).toBe(`${server.url}/scim/v2/Groups/${body.id}`)
    const members = [{ value: one.id, type: 'User', display: 'ignored' }, { value: two.id }, { value: two.id }]
    await scim.put(`/Groups/${body.id}`, { schemas: [GROUP], displayName: 'Team', externalId: 'g1', members })
    expect(await membersOf(body.id)).toEqual([one.id, two.id].sort())
    for (const filter of ['displayName eq "Team"', 'externalId eq "g1"', `members[value eq "${one.id}"]`]) {
      expect(await scim.find(filter, 'Groups')).toEqual([body.id])
    }
    const list = await scim.get('/Groups?excludedAttributes=members&filter=displayName%20eq%20%22Team%22')
    expect(list.body.Resources[0].members).toBeUndefined()
    await scim.put(`/Groups/${body.id}`, { displayName: 'Team' })
    expect(await membersOf(body.id)).toEqual([])
  })

  it('has a unique name, which is case-sensitive as in mappings', async () => {
    await addGroup('Named')
    const { status, body } = await scim.post('/Groups', { displayName: 'Named' })
    expect([status, body.scimType]).toEqual([409, 'uniqueness'])
    await addGroup('NAMED')
  })

  test.each([
    ['no name', {}],
    ['a long name', { displayName: 'x'.repeat(201) }],
    ['an unknown member', { displayName: 'New', members: [{ value: 'nobody' }] }],
    ['a member without value', { displayName: 'New', members: [{}] }],
    ['a group as a member', { displayName: 'New', members: [{ value: 'x', type: 'Group' }] }]
  ])('returns 400 for %s, and creates nothing', async (_, body) => {
    const answer = await scim.post('/Groups', body)
    expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidValue'])
    expect(await scim.find('displayName eq "New"', 'Groups')).toEqual([])
  })

  it('does not grant its roles to an account that may belong to another person', async () => {
    const linked = idOf('person linked')
    const { status, body } = await scim.post('/Groups', { displayName: 'Strangers', members: [{ value: linked }] })
    expect([status, body.scimType]).toEqual([409, 'uniqueness'])
    expect(body.detail).toContain('nothing proves that it is the same person')
  })
})

describe('the last person who can manage the organization', () => {
  it('stays, with a SCIM error for the attempt', async () => {
    const owner = idOf('person owner')
    const attempts = [
      await scim.remove(`/Users/${owner}`),
      await scim.patch(`/Users/${owner}`, { op: 'replace', path: 'active', value: false })
    ]
    for (const { status, body } of attempts) {
      expect([status, body.schemas]).toEqual([409, [ERROR]])
      expect(body.detail).toMatch(/no one could manage the organization: give another person/)
    }
    expect((await call(server, 'listUsers', { key: await personToken(server, userIdOf('owner')) })).status).toBe(200)
  })

  it('can leave when a group made another person an owner, who then stays in the group', async () => {
    const { id } = await addUser()
    const group = await addGroup('Owners', id)
    expect((await scim.remove(`/Users/${idOf('person owner')}`)).status).toBe(204)
    for (const answer of [
      await scim.patch(`/Groups/${group}`, { op: 'remove', path: 'members' }),
      await scim.remove(`/Groups/${group}`)
    ]) {
      expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('no one could manage')])
    }
    expect(await membersOf(group)).toEqual([id])
  })
})

test('the audit log names the token, and who joined and left', async () => {
  const { id } = await addUser()
  const group = await addGroup('Audited', id)
  await scim.patch(`/Groups/${group}`, { op: 'remove', path: 'members' })
  const { body } = await call(server, 'listAuditEntries', { query: { perPage: 2 } })
  const { user_id } = (await call(server, 'getUser', { params: { user: id } })).body
  for (const entry of body) expect(entry).toMatchObject({ idp_user: 'okta@scim', actor: 'client' })
  const changes = body.flatMap((entry: { changes: object[] }) => entry.changes)
  expect(changes).toMatchObject([
    { type: 'modifiedGroup', metadata: { displayName: 'Audited', removed: [user_id] } },
    { type: 'createdGroup' },
    { type: 'modifiedGroup', metadata: { added: [user_id] } }
  ])
})
