import { isProtected } from '@burgee/contract/schemas'
import { assertPermission } from '../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredEnvironment } from '../../storage/resources.ts'

/** Whether a caller may change an environment, and so see the SDK keys of a protected one. */
export function canUpdateEnvironment(environment: StoredEnvironment, { access }: TokenCaller): boolean {
  const { _project } = environment
  const isOpen = !isProtected(environment) || access.allows('feature:publish', _project)
  return isOpen && access.allows('environment:write', _project)
}

/** @throws {ApiError} 403 when an environment is protected and the caller may not publish. */
export function assertCanChangeProtected(
  environment: Pick<StoredEnvironment, 'type' | '_project'>,
  caller: TokenCaller
): void {
  if (isProtected(environment)) assertPermission(caller, 'feature:publish', environment._project)
}
