import { type PermissionMode, permissions, roles } from '@burgee/contract'
import { tokenFor } from '@burgee/testing/apiClients'
import { serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { addMembers, userIdOf } from '@burgee/testing/members'
import { personToken } from '@burgee/testing/personToken'
import { idOf, makeEnvironments, makeProject } from '@burgee/testing/plan'
import { openStore } from '../../../src/storage/open/openStore.ts'
import type { StoredGrant } from '../../../src/storage/resources/organization.ts'
import type { RoleHolder, Scope } from './expectedAccess.ts'

/** A caller: a client or a user. */
export interface Caller extends RoleHolder {
  readonly name: string
  readonly isClient: boolean
}

/** A server with a caller of every role in every scope, and their tokens. */
export interface RoleMatrix {
  readonly server: TestServer
  readonly tokens: ReadonlyMap<string, string>
}

/** The name of an owner who is no caller. */
export const SPARE_OWNER = 'spare-owner'

const places: readonly Scope[] = ['organization', 'shop', 'other']

/** All distinct callers in this mode. Roles of clients are interpreted the same in every mode. */
export function callersIn(mode: PermissionMode): readonly Caller[] {
  const all = people.map(({ name, grants }): Caller => ({ name: `person-${name}`, isClient: false, mode, grants }))
  if (mode !== 'full') return all
  const clients = all.map((person) => ({ ...person, name: person.name.replace('person', 'client'), isClient: true }))
  const grants = [{ role: 'organization_admin', place: 'organization' }] as const
  return [...all, ...clients, { name: 'client-capped', isClient: true, mode, grants, lacks: 'feature:publish' }]
}

/** One caller of every role in every possible scope, one without roles, and some with several. */
const people: readonly Pick<Caller, 'name' | 'grants'>[] = [
  ...roles.flatMap((role) => {
    const isOfOrganization = role.startsWith('organization_')
    return (isOfOrganization ? (['organization'] as const) : places).map((place) => {
      return { name: `${role}-${place}`, grants: [{ role, place }] }
    })
  }),
  { name: 'nobody', grants: [] },
  {
    name: 'viewer-here',
    grants: [
      { role: 'viewer', place: 'shop' },
      { role: 'project_admin', place: 'other' }
    ]
  },
  {
    name: 'publisher-here',
    grants: [
      { role: 'viewer', place: 'organization' },
      { role: 'publisher', place: 'shop' }
    ]
  },
  {
    name: 'owner-and-member',
    grants: [
      { role: 'organization_owner', place: 'organization' },
      { role: 'member', place: 'shop' }
    ]
  }
]

/**
 * Starts a server with the projects `shop` and `other`. `shop` has the environments `production` and `development`, and in
 * both the feature `checkout` is on.
 */
export async function serveRoleMatrix(mode: PermissionMode): Promise<RoleMatrix> {
  const directory = await storeWith({
    environments: { production: {}, development: {} },
    features: [{ key: 'checkout' }]
  })
  const store = await openStore(toStoreUrl(directory))
  await store.collection('environments').update(idOf('development'), { type: 'development' })
  await store
    .collection('projects')
    .insert({ ...makeProject({}), _id: idOf('other'), key: 'other', name: 'The other one' })
  for (const environment of makeEnvironments({ environments: { elsewhere: {} } })) {
    await store.collection('environments').insert({ ...environment, _project: idOf('other') })
  }
  await store.close()
  const callers = callersIn(mode)
  const grantsOf = ({ grants }: Caller): readonly StoredGrant[] => {
    return grants.map(({ role, place }) => ({ role, ...(place === 'organization' ? {} : { _project: idOf(place) }) }))
  }
  const named = (isClient: boolean) => {
    const those = callers.filter((caller) => caller.isClient === isClient)
    return Object.fromEntries(those.map((caller) => [caller.name, grantsOf(caller)]))
  }
  const people = { ...named(false), [SPARE_OWNER]: [{ role: 'organization_owner' }] } as const
  await addMembers(directory, { mode, clients: named(true), people })
  await cap(directory, callers)
  const server = await serve(directory)
  const tokens = callers.map(async ({ name, isClient }) => {
    return [name, await (isClient ? tokenFor(server, name) : personToken(server, userIdOf(name)))] as const
  })
  return { server, tokens: new Map(await Promise.all(tokens)) }
}

/** Restricts clients to their permissions. */
async function cap(directory: string, callers: readonly Caller[]): Promise<void> {
  const store = await openStore(toStoreUrl(directory))
  for (const { name, lacks } of callers) {
    if (!lacks) continue
    const client = await store.collection('clients').get({ clientId: name })
    const others = permissions.filter((permission) => permission !== lacks)
    if (client) await store.collection('clients').update(client._id, { permissions: others })
  }
  await store.close()
}
