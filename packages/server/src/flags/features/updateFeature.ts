import type { Edit } from '../../access/audit/edit.ts'
import { assertFeatureRevision } from '../../access/audit/revision.ts'
import { type FeaturePath, getInProject, getProject } from '../../access/lookup.ts'
import { createTimeSlices } from '../../lib/time.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import { assertNotRead } from '../codeUsages/assertNotRead.ts'
import type { ChangePolicy } from './authorizeChange.ts'
import type { FeatureAtPath } from './readFeatureAt.ts'
import { readFeatureContext } from './readFeatureContext.ts'
import { readFeatureState } from './readFeatureState.ts'
import type { FeatureCommand } from './rules/model/featureCommand.ts'
import { writeFeature } from './writeFeature.ts'

/** A feature after a change, with the data that the change has read already. */
export interface UpdatedFeature extends FeatureAtPath {
  readonly environments: readonly StoredEnvironment[]
}

/**
 * Runs a command on a feature and persists the result.
 * @throws {HttpError} the errors of the command; 404 when the feature does not exist, 412 when it has another revision
 * than the command requires, 403 or 409 when the change needs
 * approval or a permission.
 */
export async function updateFeature(
  edit: Edit,
  project: StoredProject,
  feature: FeaturePath['feature'],
  { update, references, operation, ifMatch, requiresNoReads = false }: FeatureCommand,
  approval: ChangePolicy['approval'] = 'required'
): Promise<UpdatedFeature> {
  const { store, caller } = edit
  const stored = await getInProject(store, 'features', project, feature, caller)
  await assertFeatureRevision(edit, stored, { ifMatch, caller })
  const before = await readFeatureState(store, stored)
  const context = await readFeatureContext(edit, project, references)
  const { environments } = context
  if (requiresNoReads && before.feature.status !== 'complete') await assertNotRead(store, project, before)
  // A feature can have a hundred thousand values.
  const slices = createTimeSlices()
  const after = await update(before, context)
  await slices.yieldIfDue()
  const state = await writeFeature(edit, { before, after, environments }, { project, approval, operation })
  await slices.yieldIfDue()
  const revision = await edit.readFeatureRevision(stored._id)
  return { project, caller, state, revision, environments }
}

/** Runs a command on the feature at a path. */
export async function updateFeatureAt(edit: Edit, path: FeaturePath, command: FeatureCommand): Promise<UpdatedFeature> {
  return updateFeature(edit, await getProject(edit.store, path.project, edit.caller), path.feature, command)
}
