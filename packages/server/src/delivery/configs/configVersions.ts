import { toWeakEtag } from '../../lib/etag.ts'
import { SECOND } from '../../lib/time.ts'
import type { StoredConfigVersion } from '../../storage/resources/project.ts'
import type { Change, Store } from '../../storage/store.ts'
import { affectedEnvironments } from './affectedEnvironments.ts'

/** The version of an environment's config, which SDKs compare. */
export interface ConfigVersion {
  readonly id: string
  /**
   * Epoch milliseconds, whole seconds: SDKs compare it as a date and ignore versions that are not newer. See
   * docs/reference/delivery.md#conditional-requests.
   */
  readonly lastModified: number
}

interface Dependencies {
  readonly now: () => number
  /** The version of the server. */
  readonly serverVersion: string
}

/**
 * Creates a new version in the transaction of every write that affects a config. Environments without a version, or
 * with one from another server version, receive a new one now.
 */
export async function trackConfigVersions(store: Store, dependencies: Dependencies): Promise<() => void> {
  await store.transaction(async (transaction) => {
    const { items } = await transaction.collection('environments').list()
    for (const { _id } of items) {
      const known = await transaction.collection('configVersions').get({ _id })
      if (known?.madeBy !== dependencies.serverVersion) await renew(_id, transaction, dependencies)
    }
  })
  return store.beforeCommit(async (change, transaction) => {
    for (const environment of await affectedEnvironments(change, transaction))
      await renew(environment, transaction, dependencies)
  })
}

/** Requirements for versions that must exceed any version that SDKs may hold, regardless of what the store contains. */
interface Renewal {
  readonly now: () => number
  /** The number of seconds to add to the current time and to existing versions. */
  readonly margin: number
}

/**
 * Creates a later version for every environment, while no server uses the store. Returns the number of environments.
 */
export function renewAllVersions(store: Store, { now, margin }: Renewal): Promise<number> {
  return store.transaction(async (transaction) => {
    const { items } = await transaction.collection('environments').list()
    // No server version has built these configs yet; the next start records its own.
    for (const { _id } of items) await renew(_id, transaction, { now, serverVersion: '' }, margin)
    return items.length
  })
}

/**
 * Returns the environments whose config version changed, or that were deleted, in a change, with their new versions.
 * The store may have later ones already, which belong to later changes.
 */
export function versionsRenewedBy({ writes }: Change): ReadonlyMap<string, StoredConfigVersion | undefined> {
  const versions = new Map<string, StoredConfigVersion | undefined>()
  for (const write of writes) {
    if (write.collection !== 'configVersions') continue
    const { _id } = write.after ?? write.before ?? {}
    if (_id !== undefined) versions.set(_id, write.after)
  }
  return versions
}

/** Converts a stored version to the form that SDKs compare. */
export function toConfigVersion({ _id, lastModified }: Omit<StoredConfigVersion, 'madeBy'>): ConfigVersion {
  return { id: `${lastModified}-${_id}`, lastModified: lastModified * SECOND }
}

/** Parses the version at the beginning of an ETag or of the id of a message; `undefined` if there is none. */
export function parseConfigVersion(
  text: string
): { readonly environment: string; readonly lastModified: number } | undefined {
  const [, seconds, environment] = /^(\d+)-([^.]+)/.exec(text) ?? []
  return environment === undefined ? undefined : { environment, lastModified: Number(seconds) * SECOND }
}

/** A copy of a config, with its environment and the time of its version. */
interface VersionedCopy {
  readonly environment: { readonly _id: string }
  readonly lastModified: number
}

/** Whether two copies of configs have the same version. */
export function isSameVersion(one: VersionedCopy | undefined, other: VersionedCopy): boolean {
  return one?.environment._id === other.environment._id && one.lastModified === other.lastModified
}

/**
 * Formats a version for headers and messages. Weak, because all encodings of a document have it: SDKs compare the ETag of
 * a document with that of a message as texts.
 */
export function toEtag({ id }: ConfigVersion): string {
  return toWeakEtag(id)
}

async function renew(_id: string, transaction: Store, { now, serverVersion }: Dependencies, margin = 0): Promise<void> {
  const versions = transaction.collection('configVersions')
  if (!(await transaction.collection('environments').get({ _id }))) {
    await versions.remove(_id)
    return
  }
  const known = await versions.get({ _id })
  const lastModified = Math.max(Math.floor(now() / 1000), (known?.lastModified ?? 0) + 1) + margin
  if (known) await versions.update(_id, { lastModified, madeBy: serverVersion })
  else await versions.insert({ _id, lastModified, madeBy: serverVersion })
}
