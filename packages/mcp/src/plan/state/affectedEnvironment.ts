import { type Environment, isProtected } from '@burgee/contract/schemas'

/** An environment in which users are affected. */
export type AffectedEnvironment = Pick<Environment, 'key' | 'type'>

/** Sorts environments of the types `production` and `disaster_recovery` first. */
export function productionFirst<T extends Pick<AffectedEnvironment, 'type'>>(environments: readonly T[]): readonly T[] {
  return [...environments.filter(isProtected), ...environments.filter((environment) => !isProtected(environment))]
}
