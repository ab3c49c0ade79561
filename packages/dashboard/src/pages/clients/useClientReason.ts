import type { ApiClient } from '@burgee/contract/schemas'
import { useSession } from '../../api/session.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'

/** Why the person cannot change a client; `undefined` if they can. */
export function useClientReason({ clientId }: Pick<ApiClient, 'clientId'>): string | undefined {
  const session = useSession()
  const reason = useMissingPermission('organization:write:settings')
  return reason ?? (clientId === session.clientId ? 'this dashboard uses it, and the server manages it' : undefined)
}
