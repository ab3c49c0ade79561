import type { Edit } from '../../access/audit/edit.ts'
import { type FeaturePath, getInProject, getProject } from '../../access/lookup.ts'
import type { StoredProject } from '../../storage/resources.ts'
import { assertDirectChangeAllowed } from '../approvals/assertDirectChangeAllowed.ts'
import { authorizeChange } from './authorizeChange.ts'
import type { AddressedFeature } from './getAddressedFeature.ts'
import { readFeatureContext } from './readFeatureContext.ts'
import { readFeatureState } from './readFeatureState.ts'
import type { FeatureCommand } from './rules/model/featureCommand.ts'
import type { FeatureState } from './rules/model/featureState.ts'

interface FeatureReference {
  readonly project: StoredProject
  /** Key or id of the feature. */
  readonly feature: string
}

/**
 * Changes a feature, and keeps what became of it.
 * @throws {ApiError} as the rule does, 404 when there is no such feature, 403 or 409 where changes take approval.
 */
export async function updateFeature(
  edit: Edit,
  { project, feature: reference }: FeatureReference,
  { update, references, operation }: FeatureCommand
): Promise<FeatureState> {
  const feature = await getInProject(edit.store, 'features', project, reference)
  await assertDirectChangeAllowed(edit.store, project, feature, edit.caller, operation)
  const before = await readFeatureState(edit.store, feature)
  return authorizeChange(edit, before, await update(before, await readFeatureContext(edit, project, references)))
}

/** Does the same to the feature at an address. */
export async function updateFeatureAt(
  edit: Edit,
  { project: reference, feature }: FeaturePath,
  change: FeatureCommand
): Promise<AddressedFeature> {
  const { store, caller } = edit
  const project = await getProject(store, reference, caller)
  return { project, caller, state: await updateFeature(edit, { project, feature }, change) }
}
