import type { Permission } from '@burgee/contract'
import { listLoosenedSettings } from '@burgee/contract/access'
import type { ProjectChangeRequest, UpdateProject } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import { updateAudited } from '../../access/audit/updateAudited.ts'
import { assertPermission } from '../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { type Approval, assertProjectChangeAllowed } from '../approvals/assertProjectChangeAllowed.ts'
import { formatRequestLine } from '../approvals/formatRequestLine.ts'
import { addOptInTargets } from '../features/addOptInTargets.ts'
import { assertValidEnvironmentMap } from './assertValidEnvironmentMap.ts'
import { isProtectedSetting } from './isProtectedSetting.ts'
import { mergeSettings, type SettingsInput } from './mergeSettings.ts'

/** The operations that update a project, and their names in change requests. */
export const projectUpdates = {
  updateProject: 'projectUpdate',
  updateProjectSettings: 'projectSettingsUpdate',
  updateProtectedSettings: 'protectedSettingsUpdate'
} as const satisfies Readonly<Record<string, ProjectChangeRequest['operation']>>

/** The members of a project that updates can change. */
export type ProjectChanges = Omit<UpdateProject, 'settings'> & { readonly settings?: SettingsInput | undefined }

/**
 * Updates a project by one of the operations.
 * @throws {HttpError} 403 when the caller lacks a permission, or the change needs approval.
 */
export async function updateProject(
  change: Edit,
  before: StoredProject,
  { settings, ...members }: ProjectChanges,
  { by, approval = 'needed' }: { readonly by: keyof typeof projectUpdates; readonly approval?: Approval }
): Promise<StoredProject> {
  for (const permission of requiredPermissions(by, settings)) assertPermission(change.caller, permission, before._id)
  assertCanSwitchStaleness(change.caller, before, settings)
  await assertValidEnvironmentMap(change.store, before, settings)
  const merged = mergeSettings(before.settings, settings)
  const loosened = listLoosenedSettings(before.settings, merged)
  if (loosened.length > 0) {
    const line = formatRequestLine(by, { key: before.key })
    const what = `changing ${loosened.map((name) => `settings.${name}`).join(' and ')}`
    const requested = { operation: projectUpdates[by], approval, what, line }
    assertProjectChangeAllowed({ project: before, caller: change.caller, ...requested })
  }
  const after = await updateAudited(
    change,
    { collection: 'projects', resource: 'Project', subject: { _project: before._id } },
    before,
    { ...before, ...omitUndefined(members), settings: merged }
  )
  if (after.settings.optIn.enabled && !before.settings.optIn.enabled) await addOptInTargets(change, after)
  return after
}

/** The permissions for settings, besides the permission of the operation. */
function requiredPermissions(
  by: keyof typeof projectUpdates,
  settings: SettingsInput | undefined
): readonly Permission[] {
  if (by === 'updateProtectedSettings' || settings === undefined) return []
  // Protected settings require their permission in each operation.
  const isProtected = Object.keys(settings).some(isProtectedSetting)
  return by === 'updateProject' || isProtected ? ['project:write:settings'] : []
}

/** In mode `basic`, which has no administrators, only owners turn staleness on or off. @throws {HttpError} 403 */
function assertCanSwitchStaleness(
  caller: TokenCaller,
  { settings }: StoredProject,
  input: SettingsInput | undefined
): void {
  const enabled = input && 'staleness' in input ? input.staleness?.enabled : undefined
  if (caller.access.mode !== 'basic' || enabled === undefined || enabled === settings.staleness.enabled) return
  assertPermission(caller, 'organization:write:settings')
}
