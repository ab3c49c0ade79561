import type { Edit } from '../../access/audit/edit.ts'
import type { StoredFeature, StoredProject, StoredVariable } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import type { assertDirectChangeAllowed, assertNotLocked } from '../approvals/assertDirectChangeAllowed.ts'
import { authorizeChange } from './authorizeChange.ts'
import { persistFeature } from './persistFeature.ts'
import { readFeatureState } from './readFeatureState.ts'
import { diffFeature, type FeatureChange } from './rules/model/featureDiff.ts'
import type { FeatureState } from './rules/model/featureState.ts'
import { withoutVariables } from './rules/variations/variables.ts'

interface WriteOptions {
  readonly project: StoredProject
  /** Checks the archived features that lose variables to this one. */
  readonly assertAllowed: typeof assertDirectChangeAllowed | typeof assertNotLocked
}

/**
 * Authorizes a change of a feature and persists it. Variables that join the feature leave the archived features that
 * carried them.
 * @throws {ApiError} 403 without a permission that the change needs, 409 when a feature that loses a variable is locked.
 */
export async function writeFeature(edit: Edit, change: FeatureChange, options: WriteOptions): Promise<FeatureState> {
  const joining = await readJoiningVariables(edit.store, change)
  const diff = diffFeature(change, joining)
  authorizeChange(edit.caller, diff)
  await detachVariables(edit, joining, change, options)
  return persistFeature(edit, diff)
}

/** The variables that join a feature, as the store has them; new ones are not there yet. */
async function readJoiningVariables(
  store: Store,
  { before, after }: FeatureChange
): Promise<readonly StoredVariable[]> {
  const own = new Set(before?.variables.map(({ _id }) => _id))
  const joining = after.variables.filter(({ _id }) => !own.has(_id))
  const found = await Promise.all(joining.map(({ _id }) => store.collection('variables').get({ _id })))
  return found.filter((variable) => variable !== undefined)
}

/** Takes variables out of the features that carry them. Those are archived and serve nobody: no permission to publish is needed. */
async function detachVariables(
  edit: Edit,
  variables: readonly StoredVariable[],
  { environments }: FeatureChange,
  { project, assertAllowed }: WriteOptions
): Promise<void> {
  const { store, caller } = edit
  const ids = new Set(variables.map(({ _id }) => _id))
  for (const _id of new Set(variables.flatMap(({ _feature }) => _feature ?? []))) {
    const carrier: StoredFeature | undefined = await store.collection('features').get({ _id })
    if (!carrier) continue
    await assertAllowed(store, project, carrier, caller)
    const before = await readFeatureState(store, carrier)
    await persistFeature(edit, diffFeature({ before, after: withoutVariables(before, ids), environments }))
  }
}
