import { usePermission } from '../../api/session.ts'

/** Why the person cannot change the settings of the organization; `undefined` if they can. */
export function useOrganizationReason(): string | undefined {
  const mayWrite = usePermission('organization:write:settings')
  return mayWrite ? undefined : 'needs the permission to change settings of the organization'
}
