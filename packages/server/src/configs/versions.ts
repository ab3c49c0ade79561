import type { StoredConfigVersion } from '../store/resources.ts'
import type { Change, Store } from '../store/store.ts'
import { reachedBy } from './reach.ts'

/** A state of an environment's config, as SDKs tell it from others. */
export interface ConfigVersion {
  /** Quoted, as headers and messages carry it. */
  readonly etag: string
  /** Epoch milliseconds, whole seconds: SDKs compare it as a date, and ignore what is not newer (`evaluation.md` §1.3). */
  readonly lastModified: number
}

interface World {
  readonly now: () => number
  /** The version of this program. */
  readonly software: string
}

/**
 * Has every write that reaches a config make a new version of it, in the same transaction. Environments that have no
 * version yet, or one that another version of this program made, get a new one now.
 */
export async function followVersions(store: Store, world: World): Promise<() => void> {
  await store.transaction(async (transaction) => {
    const { items } = await transaction.collection('environments').list()
    for (const { _id } of items) {
      const known = await transaction.collection('configVersions').get({ _id })
      if (known?.madeBy !== world.software) await renew(_id, transaction, world)
    }
  })
  return store.accompany(async (change, transaction) => {
    for (const environment of await reachedBy(change, transaction)) await renew(environment, transaction, world)
  })
}

/** The environments whose config has come to another version in a change, or is gone. */
export function renewedBy({ writes }: Change): ReadonlySet<string> {
  const versions = writes.filter(({ collection }) => collection === 'configVersions')
  return new Set(versions.flatMap(({ before, after }) => [before, after].flatMap((version) => version?._id ?? [])))
}

/** What SDKs know a stored version by. */
export function toVersion({ _id, lastModified }: StoredConfigVersion): ConfigVersion {
  return { etag: `"${lastModified}-${_id}"`, lastModified: lastModified * 1000 }
}

async function renew(_id: string, transaction: Store, { now, software }: World): Promise<void> {
  const versions = transaction.collection('configVersions')
  if (!(await transaction.collection('environments').get({ _id }))) {
    await versions.remove(_id)
    return
  }
  const known = await versions.get({ _id })
  const lastModified = Math.max(Math.floor(now() / 1000), (known?.lastModified ?? 0) + 1)
  if (known) await versions.update(_id, { lastModified, madeBy: software })
  else await versions.insert({ _id, lastModified, madeBy: software })
}
