import { governance } from './governance.ts'
import { managementApi } from './managementApi.ts'
import type { DocumentData, Migration } from './migration.ts'
import { webhookOutbox } from './webhookOutbox.ts'

/** Version 4: each environment's config has a version; a server creates it at its next start. */
const configVersions: Migration = (data) => {
  return { ...(data as DocumentData), configVersions: [] }
}

/** Version 6: provisioning, workload identity and second factors have collections of their own. */
const identities: Migration = (data) => ({
  ...(data as DocumentData),
  scimTokens: [],
  scimGroups: [],
  workloadTrusts: [],
  authenticatorApps: [],
  passkeys: [],
  recoveryCodes: []
})

/**
 * Version 7: commits follow the document in files of their own, which earlier versions would ignore. The data are the
 * same.
 */
const commitLog: Migration = (data) => data

/** Version 8: members that files in a repository describe, and places in code that read variables. */
const repositories: Migration = (data) => ({ ...(data as DocumentData), management: [], codeScans: [] })

/**
 * The migrations from schema version 1 on: the first one produces version 2. A released entry never changes; a new
 * shape is a new entry.
 */
export const migrations: readonly Migration[] = [
  managementApi,
  governance,
  configVersions,
  webhookOutbox,
  identities,
  commitLog,
  repositories
]

/** Returns the schema version that these migrations lead to. */
export function latestVersion(steps: readonly Migration[]): number {
  return steps.length + 1
}

/** Converts data of a schema version to the newest one. */
export function migrate(data: unknown, schemaVersion: number, steps: readonly Migration[]): unknown {
  return steps.slice(schemaVersion - 1).reduce((older, step) => step(older), data)
}
