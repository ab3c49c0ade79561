import { operations } from '@burgee/contract'
import type { ChangeRequest } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import type { Access } from '../../access/permissions/access.ts'
import { HttpError, preconditionFailed } from '../../lib/errors.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { DuplicateError } from '../../storage/store.ts'
import { readFeatureContext } from '../features/readFeatureContext.ts'
import { readFeatureState } from '../features/readFeatureState.ts'
import { changeRequestOperations, featureCommands } from '../features/rules/featureCommands.ts'
import type { FeatureCommand } from '../features/rules/model/featureCommand.ts'
import { writeFeature } from '../features/writeFeature.ts'
import type { RemovedIds } from '../projects/deleteUserData.ts'
import { executeProjectChange, isProjectOperation } from './project/projectCommands.ts'

/** The operation and body of a change request, with its project and, if it changes one, its feature. */
export interface RequestedChange extends Pick<StoredChangeRequest, 'operation' | 'body'> {
  /** The id of what a request of a project changes. */
  readonly _target?: string | undefined
  readonly project: StoredProject
  readonly feature?: StoredFeature | undefined
}

/**
 * Executes the operation that a change request wraps, on the current state of the feature or project. Returns the ids
 * of what it deleted.
 */
export async function executeRequestedChange(
  change: Edit,
  { operation, body, project, feature, _target = project._id }: RequestedChange,
  validate: ParseBody
): Promise<RemovedIds | undefined> {
  const approved = withApproval(change)
  if (isProjectOperation(operation)) {
    return executeProjectChange(approved, { operation, body, project, _target }, validate)
  }
  if (!feature) throw new Error(`a change request with operation ${operation} has no feature`)
  const before = await readFeatureState(change.store, feature)
  const { update, references } = toRequestedCommand({ operation, body }, validate)
  const context = await readFeatureContext(approved, project, references)
  const featureChange = { before, after: await update(before, context), environments: context.environments }
  await writeFeature(approved, featureChange, { project, approval: 'given' })
  return undefined
}

/** Grants `feature:publish`: the transitions of change requests decide who may request and make a change. */
function withApproval(change: Edit): Edit {
  const { access } = change.caller
  const allows: Access['allows'] = (permission, project) =>
    permission === 'feature:publish' || access.allows(permission, project)
  return { ...change, caller: { ...change.caller, access: { ...access, allows } } }
}

/** Returns the command that a change request of a feature wraps. @throws {HttpError} 400 for an invalid body. */
export function toRequestedCommand(
  { operation, body }: { readonly operation: ChangeRequest['operation']; readonly body?: unknown },
  validate: ParseBody
): FeatureCommand {
  return toFeatureCommand(changeRequestOperations[operation], body, validate)
}

function toFeatureCommand<Id extends (typeof changeRequestOperations)[keyof typeof changeRequestOperations]>(
  id: Id,
  body: unknown,
  validate: ParseBody
): FeatureCommand {
  return featureCommands[id](validate(operations[id].body, body))
}

/** Rethrows validation errors as 412: the body was valid when the change request was created. @throws {HttpError} */
export function rethrowAsPreconditionFailed(error: unknown): never {
  const isInvalid = error instanceof HttpError && error.status === 400
  if (!isInvalid && !(error instanceof DuplicateError)) throw error
  throw preconditionFailed(`the change is no longer possible: ${error.message}`)
}
