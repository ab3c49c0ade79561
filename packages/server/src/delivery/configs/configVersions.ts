import type { StoredConfigVersion } from '../../storage/resources.ts'
import type { Change, Store } from '../../storage/store.ts'
import { affectedEnvironments } from './affectedEnvironments.ts'

/** A state of an environment's config, as SDKs tell it from others. */
export interface ConfigVersion {
  readonly id: string
  /** Epoch milliseconds, whole seconds: SDKs compare it as a date, and ignore what is not newer (`evaluation.md` §1.3). */
  readonly lastModified: number
}

interface Dependencies {
  readonly now: () => number
  /** The version of this program. */
  readonly software: string
}

/**
 * Has every write that reaches a config make a new version of it, in the same transaction. Environments that have no
 * version yet, or one that another version of this program made, get a new one now.
 */
export async function trackConfigVersions(store: Store, world: Dependencies): Promise<() => void> {
  await store.transaction(async (transaction) => {
    const { items } = await transaction.collection('environments').list()
    for (const { _id } of items) {
      const known = await transaction.collection('configVersions').get({ _id })
      if (known?.madeBy !== world.software) await renew(_id, transaction, world)
    }
  })
  return store.beforeCommit(async (change, transaction) => {
    for (const environment of await affectedEnvironments(change, transaction))
      await renew(environment, transaction, world)
  })
}

/** When versions should be newer than any that SDKs may hold, whatever the store knows of them. */
interface Renewal {
  readonly now: () => number
  /** By how many seconds they are later than now and than those before. */
  readonly margin: number
}

/** Gives the config of every environment a later version, while nobody follows the store. Answers how many there are. */
export function renewAllVersions(store: Store, { now, margin }: Renewal): Promise<number> {
  return store.transaction(async (transaction) => {
    const { items } = await transaction.collection('environments').list()
    // No program has made what SDKs will download: the next start says that it does.
    for (const { _id } of items) await renew(_id, transaction, { now, software: '' }, margin)
    return items.length
  })
}

/** The environments whose config has come to another version in a change, or is gone. */
export function environmentsRenewedBy({ writes }: Change): ReadonlySet<string> {
  const versions = writes.filter(({ collection }) => collection === 'configVersions')
  return new Set(versions.flatMap(({ before, after }) => [before, after].flatMap((version) => version?._id ?? [])))
}

/** What SDKs know a stored version by. */
export function toConfigVersion({ _id, lastModified }: StoredConfigVersion): ConfigVersion {
  return { id: `${lastModified}-${_id}`, lastModified: lastModified * 1000 }
}

/** A version as headers and messages name it. */
export function toEtag({ id }: ConfigVersion): string {
  return `"${id}"`
}

async function renew(_id: string, transaction: Store, { now, software }: Dependencies, margin = 0): Promise<void> {
  const versions = transaction.collection('configVersions')
  if (!(await transaction.collection('environments').get({ _id }))) {
    await versions.remove(_id)
    return
  }
  const known = await versions.get({ _id })
  const lastModified = Math.max(Math.floor(now() / 1000), (known?.lastModified ?? 0) + 1) + margin
  if (known) await versions.update(_id, { lastModified, madeBy: software })
  else await versions.insert({ _id, lastModified, madeBy: software })
}
