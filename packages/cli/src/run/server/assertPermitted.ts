import { ApiError } from '@burgee/contract/client'
import { manifest } from '../../manifest/manifest.ts'
import type { Session } from '../session.ts'

type Permission = NonNullable<ApiError['missingPermission']>

/**
 * Asserts that the account has the permissions of operations. @throws {ApiError} 403, as the first refused operation
 * would
 */
export async function assertMayCall(
  session: Pick<Session, 'client' | 'project'>,
  operations: readonly string[]
): Promise<void> {
  const records = manifest().filter(({ row }) => operations.includes(row.id))
  for (const { row, permission } of records) {
    // Records have valid permission names.
    if (permission !== undefined) await assertPermitted(session, row.id, [permission as Permission])
  }
}

/**
 * Asserts that the account has permissions in the project, or in the organization for those that start with
 * `organization:`. The server decides about a project that the session does not list.
 * @throws {ApiError} 403, as the operation would
 */
export async function assertPermitted(
  { client, project }: Pick<Session, 'client' | 'project'>,
  operation: string,
  needed: readonly Permission[]
): Promise<void> {
  const { permissions } = await client.getSession()
  const missing = needed.find((one) => {
    const granted = one.startsWith('organization:') ? permissions.organization : permissions.projects[project()]
    return granted && !granted.includes(one)
  })
  if (missing !== undefined) throw lacking(operation, missing)
}

/** Asserts that the account has permissions in the organization itself, before a person is asked. @throws {ApiError} 403 */
export async function assertPermittedInOrganization(
  { client }: Pick<Session, 'client'>,
  operation: string,
  needed: readonly Permission[]
): Promise<void> {
  const { permissions } = await client.getSession()
  const missing = needed.find((one) => !permissions.organization.includes(one))
  if (missing !== undefined) throw lacking(operation, missing)
}

function lacking(operation: string, missing: Permission): ApiError {
  const message = `this operation requires the permission ${missing}`
  return new ApiError(operation, 403, { message, missingPermission: missing })
}
