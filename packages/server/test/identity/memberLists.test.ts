import { roles } from '@burgee/contract'
import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { personToken } from '@burgee/testing/personToken'
import { idOf } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

/** The members of an account that only administrators and the user can see. */
const FULL = ['email', 'groups', 'hasPassword', 'isEmailVerified', 'lastLoginAt', 'mustChangePassword']
const MANAGERS: readonly string[] = ['organization_admin', 'organization_owner']

let server: TestServer

beforeAll(async () => {
  const directory = await storeWith({})
  const identity = { issuer: 'https://login.example.com', subject: 'secret-subject' }
  await addMembers(directory, {
    mode: 'full',
    people: {
      ...Object.fromEntries(roles.map((role) => [role, [{ role }]])),
      ada: { identity, groups: ['secret-group'], lastLoginAt: '2026-02-28T12:00:00.000Z' }
    }
  })
  server = await serve(directory)
  await call(server, 'updateUser', { params: { user: userIdOf('ada') }, body: { name: 'Ada' } })
  await call(server, 'createUser', { body: { email: 'made@example.com', name: 'Made', roles: [] } })
})

const email = `${idOf('ada')}@example.com`
const tokenOf = (name: string) => personToken(server, userIdOf(name))

describe.each(roles)('a caller with the role %s', (role) => {
  const isManager = MANAGERS.includes(role)

  it(`sees ${isManager ? 'all' : 'only names and roles'} of other accounts, and all of their own`, async () => {
    const key = await tokenOf(role)
    const list = await call(server, 'listUsers', { key })
    const accounts = [...list.body, (await call(server, 'getUser', { key, params: { user: userIdOf('ada') } })).body]
    for (const account of accounts) {
      const isOwn = account.user_id === userIdOf(role)
      const shown = Object.keys(account).filter((name) => FULL.includes(name))
      expect([account.name, shown.length > 0]).toEqual([account.name, isManager || isOwn])
      expect(account).not.toHaveProperty('identity')
    }
    const members = (await call(server, 'listMembers', { key })).body
    const addresses = members.filter((member: { email: string }) => member.email !== '')
    expect(addresses.length).toBe(isManager ? members.length : 1)
  })

  it(`${isManager ? 'finds' : 'cannot find'} accounts by their address`, async () => {
    const key = await tokenOf(role)
    const found = await call(server, 'listUsers', { key, query: { search: idOf('ada') } })
    expect(found.body).toHaveLength(isManager ? 1 : 0)
    const { status, body } = await call(server, 'getUser', { key, params: { user: email } })
    expect(status).toBe(isManager ? 200 : 404)
    if (isManager) return
    const missing = await call(server, 'getUser', { key, params: { user: 'nobody@example.com' } })
    expect(body.message.replace(email, 'nobody@example.com').replace(email, 'nobody@example.com')).toBe(
      missing.body.message
    )
  })

  it(`sees ${isManager ? '' : 'no '}addresses, groups and subjects of accounts in the audit log`, async () => {
    const { body } = await call(server, 'listAuditEntries', { key: await tokenOf(role) })
    const text = JSON.stringify(body)
    expect(text.includes('made@example.com')).toBe(isManager)
  })
})

test('people find their own account by its address', async () => {
  const own = await call(server, 'getUser', {
    key: await tokenOf('viewer'),
    params: { user: `${idOf('viewer')}@example.com` }
  })
  expect([own.status, own.body.email]).toEqual([200, `${idOf('viewer')}@example.com`])
})
