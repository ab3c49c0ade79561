import type { Permission } from '@burgee/contract'
import type { Session } from '@burgee/contract/schemas'
import { useSuspenseQuery } from '@tanstack/react-query'
import { read } from './query.ts'
import { announce } from './signIn.ts'

/** The signed-in person, their permissions and the server. Known before any page renders. */
export function useSession(): Session {
  return useSuspenseQuery({ ...read('getSession', {}), staleTime: 60_000 }).data
}

/** Whether the signed-in person has a permission in a project, by its key. */
export function usePermission(permission: Permission, project?: string): boolean {
  const { permissions } = useSession()
  if (permissions.organization.includes(permission)) return true
  return project !== undefined && (permissions.projects[project]?.includes(permission) ?? false)
}

/**
 * Ends the session on the server, and informs the other tabs, whether they keep drafts.
 * @throws {Error} if the session still exists.
 */
export async function endSession(keepsDrafts: boolean): Promise<void> {
  const response = await fetch('/session/sign-out', { method: 'POST', headers: { 'burgee-dashboard': '1' } })
  if (!response.ok && response.status !== 401) throw new Error(`the server responded with status ${response.status}`)
  announce({ type: 'signed-out', keepsDrafts })
}
