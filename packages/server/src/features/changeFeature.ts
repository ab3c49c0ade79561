import { guardFeature } from '../approval/guard.ts'
import type { Edit } from '../audit/edit.ts'
import type { FeatureAddress } from '../find.ts'
import { findIn, findProject } from '../find.ts'
import type { StoredProject } from '../store/resources.ts'
import { type FeatureContext, type Naming, readContext } from './context.ts'
import { type FeatureState, readFeature } from './featureState.ts'
import type { Found } from './readFeatureAt.ts'
import { saveFeature } from './save.ts'

/** What a feature becomes. */
export type Rule = (state: FeatureState, context: FeatureContext) => FeatureState | Promise<FeatureState>

interface Subject {
  readonly project: StoredProject
  /** Key or id of the feature. */
  readonly feature: string
  /** The part of the request that names what is not the feature's own. */
  readonly naming?: Naming | undefined
}

/**
 * Changes a feature by a rule, and keeps what became of it.
 * @throws {ApiError} as the rule does, 404 when there is no such feature, 403 or 409 where changes take approval.
 */
export async function changeFeature(
  edit: Edit,
  { project, feature: reference, naming }: Subject,
  rule: Rule
): Promise<FeatureState> {
  const feature = await findIn(edit.store, 'features', project, reference)
  await guardFeature(edit.store, project, feature, edit.caller)
  const before = await readFeature(edit.store, feature)
  return saveFeature(edit, before, await rule(before, await readContext(edit, project, naming)))
}

/** Does the same to the feature at an address. */
export async function changeFeatureAt(
  edit: Edit,
  { project: reference, feature }: FeatureAddress,
  rule: Rule,
  naming?: Naming
): Promise<Found> {
  const { store, caller } = edit
  const project = await findProject(store, reference, caller)
  return { project, caller, state: await changeFeature(edit, { project, feature, naming }, rule) }
}
