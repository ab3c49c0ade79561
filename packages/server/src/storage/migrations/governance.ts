import type { DocumentData, Migration } from './migration.ts'

/** Version 3: permissions. Organizations have settings for them, and existing clients keep full access. */
export const governance: Migration = (data) => {
  const { organizations = [], clients = [], ...rest } = data as DocumentData
  return {
    ...rest,
    users: [],
    organizations: organizations.map((organization) => ({
      ...organization,
      settings: { permissions: { mode: 'flat', controlledBy: 'burgee', groups: [] } }
    })),
    // All clients of version 2 were administrators.
    clients: clients.map(({ permissions: _permissions, ...client }) => ({
      ...client,
      redirectUris: [],
      isAssistant: false,
      isDynamic: false
    }))
  }
}
