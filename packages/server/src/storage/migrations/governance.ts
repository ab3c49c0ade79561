import type { Migration } from './migration.ts'

type Item = Readonly<Record<string, unknown>>
type Data = Readonly<Record<string, readonly Item[]>>

/** Version 3: governance. The organization says who may do what, and clients that might do everything still do. */
export const governance: Migration = (data) => {
  // Version 2 was written by this program: a list of items for each collection.
  const { organizations = [], clients = [], ...rest } = data as Data
  return {
    ...rest,
    users: [],
    organizations: organizations.map((organization) => ({
      ...organization,
      settings: { permissions: { mode: 'flat', controlledBy: 'burgee', groups: [] } }
    })),
    // Version 2 had no clients but administrators.
    clients: clients.map(({ permissions: _permissions, ...client }) => ({
      ...client,
      redirectUris: [],
      isAssistant: false,
      isDynamic: false
    }))
  }
}
