import { isProtected } from '@burgee/contract'
import { demand } from '../access/demand.ts'
import type { TokenCaller } from '../caller.ts'
import type { StoredEnvironment } from '../store/resources.ts'

/** Whether a caller may change an environment, and so see the SDK keys of a protected one. */
export function mayChange(environment: StoredEnvironment, { access }: TokenCaller): boolean {
  const { _project } = environment
  const isOpen = !isProtected(environment) || access.allows('feature:publish', _project)
  return isOpen && access.allows('environment:write', _project)
}

/** @throws {ApiError} 403 when an environment is protected and the caller may not publish. */
export function demandIfProtected(
  environment: Pick<StoredEnvironment, 'type' | '_project'>,
  caller: TokenCaller
): void {
  if (isProtected(environment)) demand(caller, 'feature:publish', environment._project)
}
