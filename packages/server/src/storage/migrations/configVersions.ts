import type { Migration } from './migration.ts'

/** Version 4: delivery. Each environment's config gets a version, when a server next starts. */
export const configVersions: Migration = (data) => {
  // Version 3 was written by this program: a list of items for each collection.
  return { ...(data as object), configVersions: [] }
}
