import { operations } from '@burgee/contract'
import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import type { Access } from '../../access/permissions/access.ts'
import type { StoredChangeRequest, StoredFeature, StoredProject } from '../../storage/resources.ts'
import { assertNotLocked } from '../approvals/assertDirectChangeAllowed.ts'
import { authorizeChange } from '../features/authorizeChange.ts'
import { readFeatureContext } from '../features/readFeatureContext.ts'
import { readFeatureState } from '../features/readFeatureState.ts'
import { changeRequestOperations, featureCommands } from '../features/rules/featureCommands.ts'
import type { FeatureCommand } from '../features/rules/model/featureCommand.ts'
import type { FeatureState } from '../features/rules/model/featureState.ts'

/** What a change request asks for, and of which feature. */
export interface RequestedChange extends Pick<StoredChangeRequest, 'operation' | 'body'> {
  readonly project: StoredProject
  readonly feature: StoredFeature
}

/** Makes the change that a change request wraps: the one that the operation itself would make of the feature as it is. */
export async function executeRequestedChange(change: Edit, asked: RequestedChange, validate: ParseBody): Promise<void> {
  const before = await readFeatureState(change.store, asked.feature)
  const approved = withApproval(change)
  await authorizeChange(approved, before, await computeNextState(approved, before, asked, validate), assertNotLocked)
}

/** Who may ask for a change and who may make it is the change request's to say: with approval, it takes no right to publish. */
function withApproval(change: Edit): Edit {
  const { access } = change.caller
  const allows: Access['allows'] = (permission, place) =>
    permission === 'feature:publish' || access.allows(permission, place)
  return { ...change, caller: { ...change.caller, access: { ...access, allows } } }
}

async function computeNextState(
  change: Edit,
  state: FeatureState,
  { operation, body, project }: RequestedChange,
  validate: ParseBody
): Promise<FeatureState> {
  const { update, references } = toFeatureCommand(changeRequestOperations[operation], body, validate)
  return update(state, await readFeatureContext(change, project, references))
}

function toFeatureCommand<Id extends (typeof changeRequestOperations)[RequestedChange['operation']]>(
  id: Id,
  body: unknown,
  validate: ParseBody
): FeatureCommand {
  return featureCommands[id](validate(operations[id].body, body))
}
