import { fullAccess } from './access.ts'
import type { TokenCaller } from './caller.ts'

/** The caller for the server itself and for commands at its console. */
export function serverCaller(organization: string): TokenCaller {
  return {
    id: 'burgee',
    name: 'Burgee',
    organization,
    actor: 'server',
    access: fullAccess,
    requiredPermission: 'project:read',
    source: 'api'
  }
}
