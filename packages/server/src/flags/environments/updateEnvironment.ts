import { type AuditLogChange, isProtected, type UpdateEnvironment } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import { updateAudited } from '../../access/audit/updateAudited.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import { type Approval, assertProjectChangeAllowed } from '../approvals/assertProjectChangeAllowed.ts'
import { formatRequestLine } from '../approvals/formatRequestLine.ts'
import { assertCanChangeProtected, assertCanUnprotect } from './protection.ts'

interface UpdateOptions {
  readonly approval?: Approval
  /** Completes the environment with what its settings require, and returns the changes to record. */
  readonly ensure?: (environment: StoredEnvironment) => {
    readonly environment: StoredEnvironment
    readonly changes: readonly AuditLogChange[]
  }
}

const unchanged = (environment: StoredEnvironment) => ({ environment, changes: [] })

/**
 * Updates an environment.
 * @throws {HttpError} 403 when the caller lacks a permission, or a change of a protected environment needs approval.
 */
export async function updateEnvironment(
  change: Edit,
  { project, environment: before }: { readonly project: StoredProject; readonly environment: StoredEnvironment },
  { settings, ...members }: UpdateEnvironment,
  { approval = 'needed', ensure = unchanged }: UpdateOptions = {}
): Promise<StoredEnvironment> {
  const { caller } = change
  assertCanChangeProtected(before, caller)
  const updated = { ...before, ...omitUndefined(members), settings: { ...before.settings, ...settings } }
  const { environment: after, changes } = ensure(updated)
  assertCanChangeProtected(after, caller)
  await assertCanUnprotect(change, before, after)
  const guarded = isProtected(before) ? listGuardedChanges(before, after) : []
  if (guarded.length > 0) {
    const line = formatRequestLine('updateEnvironment', { project: project.key, key: before.key })
    const what = `changing the ${guarded.join(' and ')} of environment "${before.key}", which is ${before.type},`
    assertProjectChangeAllowed({ project, caller, operation: 'environmentUpdate', approval, what, line })
  }
  return updateAudited(
    change,
    {
      collection: 'environments',
      resource: 'Environment',
      subject: { _project: before._project },
      mapChanges: (modified) => [...modified, ...changes].map((each) => ({ ...each, _environments: [before._id] }))
    },
    before,
    after
  )
}

/** Lists the changed members of an environment that decide whether it is protected, and what it serves. */
function listGuardedChanges(before: StoredEnvironment, after: StoredEnvironment): readonly string[] {
  return guardedMembers.filter(([, read]) => read(before) !== read(after)).map(([name]) => name)
}

const guardedMembers: readonly (readonly [string, (environment: StoredEnvironment) => unknown])[] = [
  ['type', ({ type }) => type],
  ['settings.ofrepOffValues', ({ settings }) => settings.ofrepOffValues ?? false],
  ['settings.signedUsers', ({ settings }) => settings.signedUsers ?? 'off'],
  ['settings.unsignedAnonymousUsers', ({ settings }) => settings.unsignedAnonymousUsers ?? false]
]
