import type { Operations } from '@burgee/contract'
import { tokenFor } from '@burgee/testing/apiClients'
import { type ApiResponse, type Call, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { personToken } from '@burgee/testing/personToken'
import { beforeEach, describe, expect, it } from 'vitest'

const OWNER = { role: 'organization_owner' } as const
const ADMIN = { role: 'organization_admin' } as const

let server: TestServer
let admin: string
let adminClient: string
let owner: string

beforeEach(async () => {
  const directory = await storeWith({})
  await addMembers(directory, {
    mode: 'full',
    groups: [{ group: 'board', role: 'organization_owner' }],
    clients: { deputy: [ADMIN], chief: [OWNER, ADMIN] },
    people: {
      olga: [OWNER, ADMIN],
      pia: [OWNER],
      mapped: { groups: ['board'] },
      ada: [ADMIN],
      max: [{ role: 'member' }]
    }
  })
  server = await serve(directory)
  owner = await personToken(server, userIdOf('olga'))
  admin = await personToken(server, userIdOf('ada'))
  adminClient = await tokenFor(server, 'deputy')
})

const grant =
  '403 granting organization_owner requires the role organization_owner: only owners can grant and remove it'
const account = (action: string) =>
  `403 ${action} requires the role organization_owner: only owners can change an account with the rights of an owner`
const everything = (action: string) =>
  `403 ${action} requires the role organization_owner: this includes the rights of owners`

const user = (name: string) => ({ params: { user: userIdOf(name) } })
const invitation = { email: 'new@example.com', name: 'New', roles: [OWNER] }
const program = { name: 'program', roles: [OWNER] }
const settings = (permissions: object) => ({ body: { permissions } })

/** A request, and the refusal of an administrator who is no owner; an owner may do it. */
type Row = readonly [what: string, id: keyof Operations, request: Partial<Call>, refusal: string]

const changing = account('changing this person')
const rows: readonly Row[] = [
  ['makes a member an owner', 'updateUser', { ...user('max'), body: { roles: [OWNER] } }, grant],
  ['invites an owner', 'createUser', { body: invitation }, grant],
  ['takes the role from an owner', 'updateUser', { ...user('pia'), body: { roles: [ADMIN] } }, changing],
  ['renames an owner', 'updateUser', { ...user('pia'), body: { name: 'Other' } }, changing],
  ['disables an owner', 'updateUser', { ...user('pia'), body: { isDisabled: true } }, changing],
  ['disables an owner by a group', 'updateUser', { ...user('mapped'), body: { isDisabled: true } }, changing],
  [
    'resets the password of an owner',
    'resetPassword',
    { ...user('pia'), body: {} },
    account('resetting the password of this person')
  ],
  [
    'removes the second factors of an owner',
    'resetSecondFactors',
    user('pia'),
    account('removing the second factors of this person')
  ],
  ['signs an owner out', 'signOutUser', user('pia'), account('signing this person out')],
  ['creates a client that is an owner', 'createApiClient', { body: program }, grant],
  [
    'creates a client without roles',
    'createApiClient',
    { body: { name: 'program' } },
    everything('a client without roles')
  ],
  [
    'changes a client that is an owner',
    'updateApiClient',
    { params: { client: 'chief' }, body: { name: 'Other' } },
    account('changing this client')
  ],
  [
    'replaces the secret of a client that is an owner',
    'rotateApiClientSecret',
    { params: { client: 'chief' } },
    account('replacing the secret of this client')
  ],
  [
    'deletes a client that is an owner',
    'deleteApiClient',
    { params: { client: 'chief' } },
    account('revoking this client')
  ],
  [
    'maps a group to owners',
    'updateOrganizationSettings',
    settings({
      groups: [
        { group: 'board', ...OWNER },
        { group: 'staff', ...OWNER }
      ]
    }),
    grant
  ],
  ['removes the mapping of owners', 'updateOrganizationSettings', settings({ groups: [] }), grant],
  [
    'makes everyone an owner by flat mode',
    'updateOrganizationSettings',
    settings({ mode: 'flat' }),
    everything('changing the permission mode of the organization')
  ],
  [
    'creates a SCIM token, which can fill groups',
    'createScimToken',
    { body: { name: 'okta' } },
    everything('creating a SCIM token')
  ]
]

function outcomeOf({ status, body }: ApiResponse): string {
  return status < 300 ? 'allowed' : `${status} ${body.message}`
}

describe('an administrator who is no owner', () => {
  it.each(rows)('neither %s nor does so by a client of the same role', async (_, id, request, refusal) => {
    const before = await call(server, 'listUsers')
    for (const key of [admin, adminClient]) expect(outcomeOf(await call(server, id, { ...request, key }))).toBe(refusal)
    expect((await call(server, 'listUsers')).body).toEqual(before.body)
  })

  it('cannot become an owner, and manages all others', async () => {
    expect(
      outcomeOf(await call(server, 'updateUser', { ...user('ada'), body: { roles: [OWNER, ADMIN] }, key: admin }))
    ).toBe(grant)
    const allowed: readonly [keyof Operations, Partial<Call>][] = [
      ['updateUser', { ...user('max'), body: { roles: [ADMIN] } }],
      ['resetPassword', { ...user('max'), body: {} }],
      ['createUser', { body: { ...invitation, roles: [ADMIN] } }],
      ['createApiClient', { body: { ...program, roles: [ADMIN] } }],
      [
        'updateOrganizationSettings',
        settings({
          groups: [
            { group: 'board', ...OWNER },
            { group: 'staff', ...ADMIN }
          ]
        })
      ]
    ]
    for (const [id, request] of allowed) {
      expect([id, outcomeOf(await call(server, id, { ...request, key: admin }))]).toEqual([id, 'allowed'])
    }
  })
})

describe('an owner', () => {
  it.each(rows)('%s', async (_, id, request) => {
    expect(outcomeOf(await call(server, id, { ...request, key: owner }))).toBe('allowed')
  })
})

it('the administrator client makes the first owner', async () => {
  expect(outcomeOf(await call(server, 'updateUser', { ...user('max'), body: { roles: [OWNER] } }))).toBe('allowed')
})
