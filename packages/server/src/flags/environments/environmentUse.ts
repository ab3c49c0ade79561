import { every, omitUndefined } from '@burgee/kit'
import type { Logger } from '../../lib/logger.ts'
import { digestSdkKey } from '../../lib/secrets/checksum.ts'
import { DAY, MINUTE, toIsoString } from '../../lib/time.ts'
import type { EventEntry } from '../../storage/events/eventEntry.ts'
import type { StoredEnvironmentUse } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'

/** When an environment was first evaluated, and when its keys were last used. */
export type EnvironmentUse = Omit<StoredEnvironmentUse, '_id'>

/** Records how environments are used. */
export interface EnvironmentUses {
  /**
   * Records the use of an SDK key, with the precision of a day. Costs a look-up unless it is the first use of the day.
   */
  readonly recordKey: (environment: string, keyDigest: string) => void
  /** Records that an entry of the event store has evaluations. */
  readonly recordEntry: (entry: Pick<EventEntry, 'environment' | 'at' | 'counts' | 'exposures'>) => void
  /**
   * Returns the use of an environment from a store, or from that of a transaction, including what is not stored yet.
   */
  readonly read: (from: Store, environment: string) => Promise<EnvironmentUse>
  readonly close: () => Promise<void>
}

interface Dependencies {
  readonly store: Store
  readonly now: () => number
  readonly log: Logger
}

/** Opens the records of use. They are written every minute, since requests must not wait for the store. */
export function openEnvironmentUses({ store, now, log }: Dependencies): EnvironmentUses {
  /** The last day on which each key was used, in days since the epoch. */
  const days = new Map<string, number>()
  /** The first evaluation of each environment, in epoch milliseconds. */
  const evaluated = new Map<string, number>()
  let unsaved = new Map<string, EnvironmentUse>()

  const add = (environment: string, use: EnvironmentUse) =>
    unsaved.set(environment, mergeUses(unsaved.get(environment), use))

  const save = async () => {
    const saving = unsaved
    unsaved = new Map()
    try {
      await store.transaction(async (transaction) => {
        for (const [environment, use] of saving) await saveUse(transaction, environment, use)
      })
    } catch (error) {
      for (const [environment, use] of saving) add(environment, use)
      throw error
    }
  }
  const onError = (error: unknown) => log.warn({ err: error }, 'the use of SDK keys could not be stored; retrying')
  const job = every(MINUTE, () => (unsaved.size > 0 ? save() : undefined), { onError })

  return {
    recordKey: (environment, keyDigest) => {
      const day = Math.floor(now() / DAY)
      if (days.get(keyDigest) === day) return
      days.set(keyDigest, day)
      add(environment, { keys: { [keyDigest]: toIsoString(day * DAY) } })
    },
    recordEntry: ({ environment, at, counts, exposures }) => {
      if (counts.length + exposures.length === 0 || (evaluated.get(environment) ?? Number.POSITIVE_INFINITY) <= at)
        return
      evaluated.set(environment, at)
      add(environment, { firstEvaluationAt: toIsoString(at), keys: {} })
    },
    read: async (from, environment) => {
      const stored = await from.collection('environmentUses').get({ _id: environment })
      return mergeUses(stored, unsaved.get(environment) ?? { keys: {} })
    },
    close: async () => {
      await job.stop()
      if (unsaved.size === 0) return
      await save().catch((error) =>
        log.warn({ err: error }, 'the last use of SDK keys could not be stored and is lost')
      )
    }
  }
}

/** Adds to the stored use, and drops keys that no longer exist. An environment that was deleted meanwhile has none. */
async function saveUse(transaction: Store, _id: string, use: EnvironmentUse): Promise<void> {
  const environment = await transaction.collection('environments').get({ _id })
  if (!environment) return
  const uses = transaction.collection('environmentUses')
  const stored = await uses.get({ _id })
  const { keys, ...merged } = mergeUses(stored, use)
  const known = new Set(Object.values(environment.sdkKeys).flatMap((all) => all.map(({ key }) => digestSdkKey(key))))
  const saved = { ...merged, keys: Object.fromEntries(Object.entries(keys).filter(([digest]) => known.has(digest))) }
  if (stored) await uses.update(_id, saved)
  else await uses.insert({ _id, ...saved })
}

/** Takes the earlier first evaluation, and the later use of each key. ISO 8601 sorts by time. */
function mergeUses(one: EnvironmentUse | undefined, other: EnvironmentUse): EnvironmentUse {
  const [firstEvaluationAt] = [one?.firstEvaluationAt, other.firstEvaluationAt].filter((at) => at !== undefined).sort()
  const keys = { ...one?.keys }
  for (const [digest, day] of Object.entries(other.keys)) if (day > (keys[digest] ?? '')) keys[digest] = day
  return { ...omitUndefined({ firstEvaluationAt }), keys }
}
