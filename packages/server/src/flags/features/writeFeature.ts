import type { Edit } from '../../access/audit/edit.ts'
import type { StoredFeature, StoredVariable } from '../../storage/resources/feature.ts'
import type { Store } from '../../storage/store.ts'
import { authorizeChange, authorizeDetachment, type ChangePolicy } from './authorizeChange.ts'
import { persistFeature } from './persistFeature.ts'
import { readFeatureState } from './readFeatureState.ts'
import { assertFeatureSize } from './rules/model/assertFeatureSize.ts'
import { diffFeature, type FeatureChange } from './rules/model/featureDiff.ts'
import type { FeatureState } from './rules/model/featureState.ts'
import { withoutVariables } from './rules/variations/variables.ts'

/**
 * Authorizes a change of a feature and persists it. Variables that join the feature are detached from the archived
 * features that had them.
 * @throws {HttpError} 403 when the change needs approval or a permission, 409 when a change request locks what it
 * changes, 412 when the feature would be too large.
 */
export async function writeFeature(edit: Edit, change: FeatureChange, policy: ChangePolicy): Promise<FeatureState> {
  assertFeatureSize(change.before, change.after)
  const joining = await readJoiningVariables(edit.store, change)
  const diff = diffFeature(change, joining)
  await authorizeChange(edit, diff, policy)
  await detachVariables(edit, joining, change, policy)
  return persistFeature(edit, diff)
}

/** Returns the stored variables that join a feature. New variables are not stored yet. */
async function readJoiningVariables(
  store: Store,
  { before, after }: FeatureChange
): Promise<readonly StoredVariable[]> {
  const own = new Set(before?.variables.map(({ _id }) => _id))
  const joining = after.variables.filter(({ _id }) => !own.has(_id))
  const found = await Promise.all(joining.map(({ _id }) => store.collection('variables').get({ _id })))
  return found.filter((variable) => variable !== undefined)
}

/** Detaches variables from the archived features that have them. */
async function detachVariables(
  edit: Edit,
  variables: readonly StoredVariable[],
  { environments }: FeatureChange,
  policy: ChangePolicy
): Promise<void> {
  const { store } = edit
  const ids = new Set(variables.map(({ _id }) => _id))
  for (const _id of new Set(variables.flatMap(({ _feature }) => _feature ?? []))) {
    const owner: StoredFeature | undefined = await store.collection('features').get({ _id })
    if (!owner) continue
    const before = await readFeatureState(store, owner)
    const diff = diffFeature({ before, after: withoutVariables(before, ids), environments })
    await authorizeDetachment(edit, diff, policy)
    await persistFeature(edit, diff)
  }
}
