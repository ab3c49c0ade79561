import type { StoredOverride } from '../../storage/resources/applicationUser.ts'
import type { Change, Store } from '../../storage/store.ts'

/** The overrides of team members in one environment: `user_id` → feature id → variation id. */
export type EnvironmentOverrides = ReadonlyMap<string, Readonly<Record<string, string>>>

/** The overrides of all environments, in step with the store. */
export interface OverrideIndex {
  /** The overrides of one environment: a live map that stays the same object. */
  readonly forEnvironment: (environment: string) => EnvironmentOverrides
  /** Applies the writes of a change to the overrides of the environments that `isIncluded` accepts. */
  readonly apply: (change: Change, isIncluded: (environment: string) => boolean) => void
}

/** Loads the overrides of a store. */
export async function openOverrideIndex(store: Store): Promise<OverrideIndex> {
  const byEnvironment = new Map<string, Map<string, Readonly<Record<string, string>>>>()

  const overridesIn = (environment: string) => {
    const users = byEnvironment.get(environment) ?? new Map<string, Readonly<Record<string, string>>>()
    byEnvironment.set(environment, users)
    return users
  }
  const add = ({ _environment, _feature, _variation, svcUserId }: StoredOverride) => {
    const users = overridesIn(_environment)
    users.set(svcUserId, { ...users.get(svcUserId), [_feature]: _variation })
  }
  const remove = ({ _environment, _feature, svcUserId }: StoredOverride) => {
    const users = byEnvironment.get(_environment)
    const { [_feature]: _removed, ...rest } = users?.get(svcUserId) ?? {}
    if (Object.keys(rest).length > 0) users?.set(svcUserId, rest)
    else users?.delete(svcUserId)
  }

  for (const override of (await store.collection('overrides').list()).items) add(override)
  return {
    forEnvironment: overridesIn,
    apply: ({ writes }, isIncluded) => {
      for (const write of writes) {
        const isDeleted = write.collection === 'environments' && write.before && !write.after
        if (isDeleted && isIncluded(write.before._id)) byEnvironment.delete(write.before._id)
        if (write.collection !== 'overrides') continue
        if (write.before && isIncluded(write.before._environment)) remove(write.before)
        if (write.after && isIncluded(write.after._environment)) add(write.after)
      }
    }
  }
}
