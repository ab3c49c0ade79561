import type { Environment } from '../schema/projects/environment.ts'

/** Returns whether changes of an environment need more permissions (docs/reference/management.md#permissions). */
export function isProtected({ type }: Pick<Environment, 'type'>): boolean {
  return type === 'production' || type === 'disaster_recovery'
}
