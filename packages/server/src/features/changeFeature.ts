import { guardFeature } from '../approval/guard.ts'
import type { Edit } from '../audit/edit.ts'
import { type FeatureAddress, findIn, findProject } from '../find.ts'
import type { StoredProject } from '../store/resources.ts'
import { readContext } from './readContext.ts'
import { readFeature } from './readFeature.ts'
import type { Found } from './readFeatureAt.ts'
import type { FeatureChange } from './rules/featureChange.ts'
import type { FeatureState } from './rules/featureState.ts'
import { saveFeature } from './save.ts'

interface Subject {
  readonly project: StoredProject
  /** Key or id of the feature. */
  readonly feature: string
}

/**
 * Changes a feature, and keeps what became of it.
 * @throws {ApiError} as the rule does, 404 when there is no such feature, 403 or 409 where changes take approval.
 */
export async function changeFeature(
  edit: Edit,
  { project, feature: reference }: Subject,
  { rule, naming, wrapping }: FeatureChange
): Promise<FeatureState> {
  const feature = await findIn(edit.store, 'features', project, reference)
  await guardFeature(edit.store, project, feature, edit.caller, wrapping)
  const before = await readFeature(edit.store, feature)
  return saveFeature(edit, before, await rule(before, await readContext(edit, project, naming)))
}

/** Does the same to the feature at an address. */
export async function changeFeatureAt(
  edit: Edit,
  { project: reference, feature }: FeatureAddress,
  change: FeatureChange
): Promise<Found> {
  const { store, caller } = edit
  const project = await findProject(store, reference, caller)
  return { project, caller, state: await changeFeature(edit, { project, feature }, change) }
}
