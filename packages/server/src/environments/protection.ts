import type { TokenCaller } from '../caller.ts'
import { demand } from '../demand.ts'
import type { StoredEnvironment } from '../store/resources.ts'

/** Whether an environment serves real users, so that fewer people may change it (`management.md` §3). */
export function isProtected({ type }: Pick<StoredEnvironment, 'type'>): boolean {
  return type === 'production' || type === 'disaster_recovery'
}

/** Whether a caller may change an environment, and so see the SDK keys of a protected one. */
export function mayChange(environment: StoredEnvironment, { permissions }: TokenCaller): boolean {
  return permissions.has('environment:write') && (!isProtected(environment) || permissions.has('feature:publish'))
}

/** @throws {ApiError} 403 when an environment is protected and the caller may not publish. */
export function demandIfProtected(environment: Pick<StoredEnvironment, 'type'>, caller: TokenCaller): void {
  if (isProtected(environment)) demand(caller, 'feature:publish')
}
