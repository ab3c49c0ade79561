import { type CreateFeature, withFirstVariations } from '@burgee/contract'
import { guardNew } from '../approval/guard.ts'
import type { Edit } from '../audit/edit.ts'
import type { StoredProject } from '../store/resources.ts'
import { DuplicateError } from '../store/store.ts'
import { readContext } from './readContext.ts'
import { createFeature } from './rules/create.ts'
import type { FeatureState } from './rules/featureState.ts'
import { saveFeature } from './save.ts'

/**
 * Makes a feature, with everything that the request leaves to the server, and keeps it.
 * @throws {ApiError} as the rules do, 403 when it is switched on where that takes approval.
 */
export async function addFeature(edit: Edit, project: StoredProject, body: CreateFeature): Promise<FeatureState> {
  const taken = { _project: project._id, key: body.key }
  // The store would say so too, but only after the variables that came with that feature were found taken.
  if (await edit.store.collection('features').get(taken)) throw new DuplicateError('features', taken)
  const whole = withFirstVariations(body)
  const state = createFeature(whole, await readContext(edit, project, whole))
  guardNew(project, state, edit.caller)
  return saveFeature(edit, undefined, state)
}
