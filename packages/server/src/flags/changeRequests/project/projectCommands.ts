import { operations } from '@burgee/contract'
import type { ProjectChangeRequest } from '@burgee/contract/schemas'
import { formatValue } from '@burgee/kit/text'
import type { Edit } from '../../../access/audit/edit.ts'
import { getInProject } from '../../../access/lookup.ts'
import type { ParseBody } from '../../../access/parseBody.ts'
import { assertPermission } from '../../../access/permissions/assertPermission.ts'
import { badRequest, preconditionFailed } from '../../../lib/errors.ts'
import type { StoredChangeRequest } from '../../../storage/resources/history.ts'
import type { StoredAudience, StoredEnvironment, StoredProject } from '../../../storage/resources/project.ts'
import { patchAudience, updateAudience } from '../../audiences/updateAudience.ts'
import { deleteEnvironment } from '../../environments/deleteEnvironment.ts'
import { updateEnvironment } from '../../environments/updateEnvironment.ts'
import { deleteProject } from '../../projects/deleteProject.ts'
import type { RemovedIds } from '../../projects/deleteUserData.ts'
import { updateProject } from '../../projects/updateProject.ts'
import { assertHasSigningSecret } from '../../signedUsers/userSigningSecrets.ts'

/** The operations that a change request of a project can wrap. */
const projectOperations = {
  projectUpdate: 'updateProject',
  projectSettingsUpdate: 'updateProjectSettings',
  protectedSettingsUpdate: 'updateProtectedSettings',
  projectDelete: 'deleteProject',
  environmentUpdate: 'updateEnvironment',
  environmentDelete: 'deleteEnvironment',
  audienceUpdate: 'updateAudience',
  audienceSemanticUpdate: 'patchAudience'
} as const satisfies { readonly [Name in ProjectChangeRequest['operation']]: keyof typeof operations }

type Name = keyof typeof projectOperations

/** The operation that a change request of a project wraps, with its project and the id of what it changes. */
export interface RequestedProjectChange extends Pick<StoredChangeRequest, 'body'> {
  readonly operation: Name
  readonly project: StoredProject
  readonly _target: string
}

/** The parts of a change request that identify the operation. */
export type RequestedOperation = Required<Pick<StoredChangeRequest, 'method' | 'path'>>

/**
 * Parses the request that a change request of a project wraps.
 * @throws {HttpError} 400 unless change requests support it, 404 when it names an unknown resource, 403 without the
 * permission of the operation.
 */
export async function parseProjectOperation(
  { store, caller }: Edit,
  project: StoredProject,
  { method, path }: RequestedOperation
): Promise<Pick<RequestedProjectChange, 'operation' | '_target'>> {
  for (const operation of names) {
    const record = operations[projectOperations[operation]]
    const [, of, key = ''] = record.method === method ? (toPattern(record.path).exec(path) ?? []) : []
    if (of === undefined || (of !== project.key && of !== project._id)) continue
    assertPermission(caller, ownPermission(operation), project._id)
    const kind = kindOf(operation)
    const target = kind === undefined ? project : await getInProject(store, kind, project, key, caller)
    return { operation, _target: target._id }
  }
  const known = names.map((name) => operations[projectOperations[name]]).map((each) => `${each.method} ${each.path}`)
  throw badRequest(
    `method and path should be one of ${known.join(', ')}, for project "${project.key}"; got ${method} ${formatValue(path)}`
  )
}

/** Executes the operation that a change request of a project wraps. Returns the ids of what it deleted. */
export async function executeProjectChange(
  change: Edit,
  { operation, body, project, _target }: RequestedProjectChange,
  validate: ParseBody
): Promise<RemovedIds | undefined> {
  assertPermission(change.caller, ownPermission(operation), project._id)
  const approval = 'given'
  switch (operation) {
    case 'projectUpdate':
    case 'projectSettingsUpdate':
    case 'protectedSettingsUpdate': {
      const by = projectOperations[operation]
      await updateProject(change, project, validate(operations[by].body, body), { by, approval })
      return undefined
    }
    case 'projectDelete':
      return deleteProject(change, project, approval)
    case 'environmentUpdate': {
      const environment = await findTarget<StoredEnvironment>(change, 'environments', _target)
      const given = validate(operations.updateEnvironment.body, body)
      await updateEnvironment(change, { project, environment }, given, { approval, ensure: assertHasSigningSecret })
      return undefined
    }
    case 'environmentDelete': {
      const environment = await findTarget<StoredEnvironment>(change, 'environments', _target)
      return deleteEnvironment(change, { project, environment }, approval)
    }
    case 'audienceUpdate': {
      const audience = await findTarget<StoredAudience>(change, 'audiences', _target)
      await updateAudience(change, { project, audience }, validate(operations.updateAudience.body, body), approval)
      return undefined
    }
    case 'audienceSemanticUpdate': {
      const audience = await findTarget<StoredAudience>(change, 'audiences', _target)
      const given = validate(operations.patchAudience.body, body)
      await patchAudience(change, { project, audience }, given, { validate, approval })
      return undefined
    }
  }
}

/** Whether an operation is one of a project. */
export function isProjectOperation(operation: StoredChangeRequest['operation']): operation is Name {
  return Object.hasOwn(projectOperations, operation)
}

// The record has these keys and no others.
const names = Object.keys(projectOperations) as Name[]

/** The permission of the wrapped operation. `feature:publish` comes from the approval. */
function ownPermission(operation: Name) {
  return operations[projectOperations[operation]].credential.permission
}

function kindOf(operation: Name): 'environments' | 'audiences' | undefined {
  if (operation.startsWith('environment')) return 'environments'
  return operation.startsWith('audience') ? 'audiences' : undefined
}

/** Returns the pattern of a path with parameters. */
function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`)
}

/** Finds the resource by its id: its key may have changed. @throws {HttpError} 412 when it was deleted. */
async function findTarget<T extends StoredEnvironment | StoredAudience>(
  { store }: Edit,
  kind: T extends StoredEnvironment ? 'environments' : 'audiences',
  _id: string
): Promise<T> {
  const target = await store.collection(kind as 'environments').get({ _id })
  if (!target) throw preconditionFailed(`the change is no longer possible: ${_id}, which it changes, was deleted`)
  // The collection determines the type of its items.
  return target as unknown as T
}
