import { configVersions } from './configVersions.ts'
import { governance } from './governance.ts'
import { managementApi } from './managementApi.ts'
import { webhookOutbox } from './webhookOutbox.ts'

/** Turns a document's data of one schema version into those of the next. */
export type Migration = (data: unknown) => unknown

/**
 * The way from schema version 1 to the present one: the first entry makes version 2 of version 1, and so on.
 * An entry stays as it is once it is released; a new shape is a new entry.
 */
export const migrations: readonly Migration[] = [managementApi, governance, configVersions, webhookOutbox]

/** The schema version that these migrations lead to. */
export function latestVersion(steps: readonly Migration[]): number {
  return steps.length + 1
}

/** The data as the newest version has them. */
export function migrate(data: unknown, schemaVersion: number, steps: readonly Migration[]): unknown {
  return steps.slice(schemaVersion - 1).reduce((older, step) => step(older), data)
}
