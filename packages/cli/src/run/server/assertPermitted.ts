import { ApiError } from '@burgee/contract/client'
import type { Session } from '../session.ts'

/**
 * Asserts that the account has permissions in the project, before a person is asked. The server decides about a project
 * that the session does not list. @throws {ApiError} 403, as the operation would
 */
export async function assertPermitted(
  { client, project }: Pick<Session, 'client' | 'project'>,
  operation: string,
  needed: readonly NonNullable<ApiError['missingPermission']>[]
): Promise<void> {
  const { permissions } = await client.getSession()
  const granted = permissions.projects[project()]
  const missing = granted && needed.find((one) => !granted.includes(one))
  if (missing === undefined) return
  const message = `this operation requires the permission ${missing}`
  throw new ApiError(operation, 403, { message, missingPermission: missing })
}
