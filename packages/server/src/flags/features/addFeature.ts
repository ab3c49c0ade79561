import { type CreateFeature, withDefaultVariations } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { createTimeSlices } from '../../lib/time.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { DuplicateError } from '../../storage/store.ts'
import { readFeatureContext } from './readFeatureContext.ts'
import { newFeature } from './rules/newFeature.ts'
import type { UpdatedFeature } from './updateFeature.ts'
import { writeFeature } from './writeFeature.ts'

/**
 * Creates a feature from a request and its defaults.
 * @throws {HttpError} 400, 409 or 412 when the feature cannot be created, 403 when that needs approval or a permission.
 */
export async function addFeature(edit: Edit, project: StoredProject, body: CreateFeature): Promise<UpdatedFeature> {
  const taken = { _project: project._id, key: body.key }
  // The store would refuse the key too, but the variables of the existing feature would be reported first.
  if (await edit.store.collection('features').get(taken)) throw new DuplicateError('features', taken)
  const complete = withDefaultVariations(body)
  const context = await readFeatureContext(edit, project, complete)
  // A new feature can have a hundred thousand values before its size is checked.
  const slices = createTimeSlices()
  const after = newFeature(complete, context)
  await slices.yieldIfDue()
  const { environments } = context
  const change = { before: undefined, after, environments }
  const state = await writeFeature(edit, change, { project, approval: 'required' })
  const revision = await edit.readFeatureRevision(after.feature._id)
  return { project, caller: edit.caller, state, revision, environments }
}
