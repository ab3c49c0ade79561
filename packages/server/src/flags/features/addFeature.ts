import { type CreateFeature, withDefaultVariations } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import type { StoredProject } from '../../storage/resources.ts'
import { DuplicateError } from '../../storage/store.ts'
import { assertDirectCreationAllowed } from '../approvals/assertDirectChangeAllowed.ts'
import { authorizeChange } from './authorizeChange.ts'
import { readFeatureContext } from './readFeatureContext.ts'
import type { FeatureState } from './rules/model/featureState.ts'
import { newFeature } from './rules/newFeature.ts'

/**
 * Makes a feature, with everything that the request leaves to the server, and keeps it.
 * @throws {ApiError} as the rules do, 403 when it is switched on where that takes approval.
 */
export async function addFeature(edit: Edit, project: StoredProject, body: CreateFeature): Promise<FeatureState> {
  const taken = { _project: project._id, key: body.key }
  // The store would say so too, but only after the variables that came with that feature were found taken.
  if (await edit.store.collection('features').get(taken)) throw new DuplicateError('features', taken)
  const whole = withDefaultVariations(body)
  const state = newFeature(whole, await readFeatureContext(edit, project, whole))
  assertDirectCreationAllowed(project, state, edit.caller)
  return authorizeChange(edit, undefined, state)
}
