import { usePermission } from '../../api/session.ts'

/** Why the person cannot change the organization; `undefined` if they can. */
export function useSettingsReason(): string | undefined {
  return usePermission('organization:write:settings')
    ? undefined
    : 'needs the permission to change settings of the organization'
}
