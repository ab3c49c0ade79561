import { every } from '@burgee/kit'
import type { Logger } from '../../lib/logger.ts'
import { DAY, HOUR, MINUTE } from '../../lib/time.ts'
import type { Store } from '../../storage/store.ts'
import {
  type ApplicationUserCollection,
  applicationUserCollections,
  toSeenAt,
  type UserDataUsage
} from './userDataUsage.ts'

interface Dependencies {
  readonly store: Store
  readonly usage: Pick<UserDataUsage, 'takeSeen'>
  readonly now: () => number
  readonly log: Logger
  /** The days after which data of users that were not seen is removed. */
  readonly retentionDays: number
  /** How often the clock is checked, in milliseconds. */
  readonly checkMs?: number | undefined
}

/** Records every hour which users were seen, and removes the data of those who were not for a long time. */
export function openUserDataMaintenance({ checkMs = MINUTE, ...dependencies }: Dependencies): {
  readonly close: () => Promise<void>
} {
  const { now, log } = dependencies
  // The first run is soon after a start, so that servers that restart often expire data too.
  let last = Number.NEGATIVE_INFINITY
  const onError = (error: unknown) => log.warn({ err: error }, 'the maintenance of user data failed')
  const work = async () => {
    if (now() < last + HOUR) return
    last = now()
    for (const collection of applicationUserCollections) await maintain(collection, dependencies)
  }
  const job = every(checkMs, work, { onError })
  return {
    close: async () => {
      await job.stop()
      // Otherwise, users seen since the last run would expire too early.
      for (const collection of applicationUserCollections) await recordSeen(collection, dependencies).catch(onError)
    }
  }
}

async function maintain(collection: ApplicationUserCollection, dependencies: Dependencies): Promise<void> {
  const { store, now, retentionDays, log } = dependencies
  await recordSeen(collection, dependencies)
  const cutoff = now() - retentionDays * DAY
  const { items } = await store.collection(collection).list()
  // Data of versions that did not record `seenAt` starts to age with the first run.
  const undated = items.filter(({ seenAt }) => seenAt === undefined).map(({ _id }) => _id)
  await inBatches(undated, (ids) => setSeen(collection, ids, dependencies))
  const expired = items.filter(({ seenAt }) => seenAt !== undefined && Date.parse(seenAt) + DAY <= cutoff)
  await inBatches(
    expired.map(({ _id }) => _id),
    (ids) =>
      store.transaction(async (transaction) => {
        for (const id of ids) await transaction.collection(collection).remove(id)
      })
  )
  if (expired.length > 0) {
    log.info({ collection, count: expired.length }, `data of users not seen for ${retentionDays} days was removed`)
  }
}

function recordSeen(
  collection: ApplicationUserCollection,
  dependencies: Pick<Dependencies, 'store' | 'usage' | 'now'>
): Promise<void> {
  return inBatches(dependencies.usage.takeSeen(collection), (ids) => setSeen(collection, ids, dependencies))
}

function setSeen(
  collection: ApplicationUserCollection,
  ids: readonly string[],
  { store, now }: Pick<Dependencies, 'store' | 'now'>
): Promise<void> {
  const seenAt = toSeenAt(now())
  return store.transaction(async (transaction) => {
    // An item that was removed meanwhile is not updated.
    for (const id of ids) await transaction.collection(collection).update(id, { seenAt })
  })
}

/** Keeps transactions short: other writes wait for them. */
const BATCH_SIZE = 500

async function inBatches(ids: readonly string[], work: (batch: readonly string[]) => Promise<void>): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH_SIZE) await work(ids.slice(start, start + BATCH_SIZE))
}
