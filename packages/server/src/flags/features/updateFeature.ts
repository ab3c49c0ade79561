import type { Edit } from '../../access/audit/edit.ts'
import { type FeaturePath, getInProject, getProject } from '../../access/lookup.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources.ts'
import type { AddressedFeature } from './getAddressedFeature.ts'
import { readFeatureContext } from './readFeatureContext.ts'
import { readFeatureState } from './readFeatureState.ts'
import type { FeatureCommand } from './rules/model/featureCommand.ts'
import { writeFeature } from './writeFeature.ts'

interface FeatureReference {
  readonly project: StoredProject
  /** Key or id of the feature. */
  readonly feature: string
}

/** A feature after a change, with the data that the change has read already. */
export interface UpdatedFeature extends AddressedFeature {
  readonly environments: readonly StoredEnvironment[]
}

/**
 * Runs a command on a feature and persists the result.
 * @throws {HttpError} the errors of the command; 404 when the feature does not exist, 403 or 409 when the change needs
 * approval or a permission.
 */
export async function updateFeature(
  edit: Edit,
  { project, feature: reference }: FeatureReference,
  { update, references, operation }: FeatureCommand
): Promise<UpdatedFeature> {
  const { store, caller } = edit
  const feature = await getInProject(store, 'features', project, reference, caller)
  const before = await readFeatureState(store, feature)
  const context = await readFeatureContext(edit, project, references)
  const { environments } = context
  const change = { before, after: await update(before, context), environments }
  const state = await writeFeature(edit, change, { project, approval: 'required', operation })
  return { project, caller, state, environments }
}

/** Runs a command on the feature at an address. */
export async function updateFeatureAt(
  edit: Edit,
  { project: reference, feature }: FeaturePath,
  command: FeatureCommand
): Promise<UpdatedFeature> {
  const project = await getProject(edit.store, reference, edit.caller)
  return updateFeature(edit, { project, feature }, command)
}
