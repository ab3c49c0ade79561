import { operations } from '@burgee/contract'
import type { Access } from '../access/access.ts'
import { guardLock } from '../approval/guard.ts'
import type { Edit } from '../audit/edit.ts'
import { readContext } from '../features/readContext.ts'
import { readFeature } from '../features/readFeature.ts'
import { changeBy, wrapped } from '../features/rules/changeBy.ts'
import type { FeatureChange } from '../features/rules/featureChange.ts'
import type { FeatureState } from '../features/rules/featureState.ts'
import { saveFeature } from '../features/save.ts'
import type { StoredChangeRequest, StoredFeature, StoredProject } from '../store/resources.ts'
import type { Validate } from '../validate.ts'

/** What a change request asks for, and of which feature. */
export interface Asked extends Pick<StoredChangeRequest, 'operation' | 'body'> {
  readonly project: StoredProject
  readonly feature: StoredFeature
}

/** Makes the change that a change request wraps: the one that the operation itself would make of the feature as it is. */
export async function perform(change: Edit, asked: Asked, validate: Validate): Promise<void> {
  const before = await readFeature(change.store, asked.feature)
  const approved = withApproval(change)
  await saveFeature(approved, before, await changed(approved, before, asked, validate), guardLock)
}

/** Who may ask for a change and who may make it is the change request's to say: with approval, it takes no right to publish. */
function withApproval(change: Edit): Edit {
  const { access } = change.caller
  const allows: Access['allows'] = (permission, place) =>
    permission === 'feature:publish' || access.allows(permission, place)
  return { ...change, caller: { ...change.caller, access: { ...access, allows } } }
}

async function changed(
  change: Edit,
  state: FeatureState,
  { operation, body, project }: Asked,
  validate: Validate
): Promise<FeatureState> {
  const { rule, naming } = changeOf(wrapped[operation], body, validate)
  return rule(state, await readContext(change, project, naming))
}

function changeOf<Id extends (typeof wrapped)[Asked['operation']]>(
  id: Id,
  body: unknown,
  validate: Validate
): FeatureChange {
  return changeBy[id](validate(operations[id].body, body))
}
