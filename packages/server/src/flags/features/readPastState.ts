import { scanFeatureEntries } from '../../access/audit/listAuditEntries.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { FeatureUndo } from '../../storage/resources/history.ts'
import type { Store } from '../../storage/store.ts'
import { readFeatureState } from './readFeatureState.ts'
import type { FeatureState } from './rules/model/featureState.ts'
import { revertState } from './rules/revertState.ts'

/**
 * Returns the state of a feature at a time, by undoing all later changes; `undefined` before its creation.
 * @param at Epoch milliseconds.
 */
export async function readPastState(
  store: Store,
  feature: StoredFeature,
  at: number
): Promise<FeatureState | undefined> {
  const undos: FeatureUndo[] = []
  for await (const { createdAt, undo } of scanFeatureEntries(store, feature._id)) {
    if (Date.parse(createdAt) <= at) break
    if (undo) undos.push(undo)
  }
  return revertState(await readFeatureState(store, feature), undos)
}
