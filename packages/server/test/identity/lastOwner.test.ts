import { type ApiResponse, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { personToken } from '@burgee/testing/personToken'
import { beforeEach, describe, expect, it } from 'vitest'

let server: TestServer

const owner = { role: 'organization_admin' } as const

/** Serves an organization in full mode with these owners and a member. */
async function serveOwners(...names: readonly string[]): Promise<void> {
  const directory = await storeWith({})
  const owners = Object.fromEntries(names.map((name) => [name, [owner]]))
  await addMembers(directory, { mode: 'full', people: { ...owners, member: [{ role: 'member' }] } })
  server = await serve(directory)
}

function change(name: string, body: object, key?: string): Promise<ApiResponse> {
  return call(server, 'updateUser', { params: { user: userIdOf(name) }, body, ...(key ? { key } : {}) })
}

function setPermissions(permissions: object): Promise<ApiResponse> {
  return call(server, 'updateOrganizationSettings', { body: { permissions } })
}

const message =
  'after this change no one could manage the organization: give another person the permission organization:write:settings first'

/** Asserts that a request was refused, and that the person can still manage the organization. */
async function expectKept({ status, body }: ApiResponse, name: string): Promise<void> {
  expect([status, body.message]).toEqual([409, message])
  const { body: account } = await call(server, 'getUser', { params: { user: userIdOf(name) } })
  expect(account).toMatchObject({ isDisabled: false, roles: [owner] })
}

describe('the last person who can manage the organization', () => {
  beforeEach(() => serveOwners('ada'))

  it('keeps the role and stays enabled', async () => {
    await expectKept(await change('ada', { roles: [{ role: 'member' }] }), 'ada')
    await expectKept(await change('ada', { roles: [] }), 'ada')
    await expectKept(await change('ada', { isDisabled: true }), 'ada')
    const own = await personToken(server, userIdOf('ada'))
    await expectKept(await change('ada', { roles: [] }, own), 'ada')
  })

  it('can be renamed, get another role that suffices, and leave after a successor was named', async () => {
    expect((await change('ada', { name: 'Ada L.' })).status).toBe(200)
    expect((await change('ada', { roles: [{ role: 'organization_owner' }] })).status).toBe(200)
    expect((await change('member', { roles: [owner] })).status).toBe(200)
    expect((await change('ada', { isDisabled: true })).status).toBe(200)
    await expectKept(await change('member', { isDisabled: true }), 'member')
  })

  it('does not count while disabled', async () => {
    expect((await change('member', { roles: [owner] })).status).toBe(200)
    expect((await change('member', { isDisabled: true })).status).toBe(200)
    await expectKept(await change('ada', { roles: [] }), 'ada')
  })

  it('stays when a mapping of groups is removed', async () => {
    await change('member', { roles: [owner] })
    const groups = [{ group: 'owners', role: 'organization_owner' }]
    expect((await setPermissions({ groups })).status).toBe(200)
    expect((await setPermissions({ groups: [] })).status).toBe(200)
  })
})

describe('two people who can manage the organization', () => {
  it('cannot demote each other at the same time', async () => {
    for (const body of [{ roles: [{ role: 'member' }] }, { isDisabled: true }]) {
      await serveOwners('ada', 'bob')
      const [ofAda, ofBob] = await Promise.all(['ada', 'bob'].map((name) => personToken(server, userIdOf(name))))
      const answers = await Promise.all([change('bob', body, ofAda), change('ada', body, ofBob)])
      const { body: people } = await call(server, 'listUsers')
      const owners = people.filter(
        ({ isDisabled, roles }: ApiResponse['body']) => !isDisabled && roles[0]?.role === owner.role
      )
      expect(owners).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })
})

describe('an organization without a person who can manage it', () => {
  it('can be changed by its administrator client', async () => {
    await serveOwners()
    expect((await change('member', { roles: [] })).status).toBe(200)
    expect((await change('member', { isDisabled: true })).status).toBe(200)
  })

  it('results from leaving flat mode, where everyone can manage it', async () => {
    await serveOwners()
    expect((await setPermissions({ mode: 'flat' })).status).toBe(200)
    expect((await setPermissions({ mode: 'full' })).status).toBe(200)
  })
})
