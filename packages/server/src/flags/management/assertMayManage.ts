import { operations, type Permission } from '@burgee/contract'
import type { ManagedKind, ManagedResource } from '@burgee/contract/schemas'
import { assertPermission } from '../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { isProtectedSetting } from '../projects/isProtectedSetting.ts'

/**
 * Asserts the permissions that changing these resources requires, so that nobody describes what they cannot change.
 * @throws {HttpError} 403 that names the missing permission.
 */
export function assertMayManage(caller: TokenCaller, listed: readonly ManagedResource[], project: string): void {
  for (const permission of new Set(listed.map(requiredPermission))) assertPermission(caller, permission, project)
}

function requiredPermission({ kind, fields }: ManagedResource): Permission {
  const isProtected = kind === 'settings' && Object.keys(fields).some((path) => isProtectedSetting(rootOf(path)))
  return isProtected ? operations.updateProtectedSettings.credential.permission : updates[kind].credential.permission
}

/** Returns the setting to which a path belongs, as `staleness` for `staleness.enabled`. */
function rootOf(path: string): string {
  return path.split('.', 1)[0] ?? path
}

const updates = {
  audience: operations.updateAudience,
  customProperty: operations.updateCustomProperty,
  feature: operations.updateFeature,
  metric: operations.updateMetric,
  settings: operations.updateProjectSettings,
  variable: operations.updateVariable,
  webhook: operations.updateWebhook
} as const satisfies Readonly<Record<ManagedKind, unknown>>
