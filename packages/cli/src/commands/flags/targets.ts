import type { TargetInput } from '@burgee/contract/schemas'
import { UsageError } from '@burgee/kit/settings'
import type { FlagInEnvironment } from './flag.ts'

/** A target of a flag in an environment. */
export type Target = FlagInEnvironment['configuration']['targets'][number]

/** Returns the only target with this name or id. @throws {UsageError} with the known names. */
export function getTarget(flag: FlagInEnvironment, name: string): Target {
  const { targets } = flag.configuration
  const found = targets.filter((target) => target.name === name || target._id === name)
  return getOnlyTarget(flag, found, ` named "${name}"`)
}

/**
 * Returns the only target in `found`, or reports that there is not exactly one.
 * @param selection What selected the targets, for the message: ` named "Everyone"`, or nothing.
 * @throws {UsageError} with the known names.
 */
export function getOnlyTarget(
  { feature, environment, configuration }: FlagInEnvironment,
  found: readonly Target[],
  selection = ''
): Target {
  const [only] = found
  if (only && found.length === 1) return only
  const where = `feature ${feature.key} in ${environment.key}`
  const namesOf = (targets: readonly Target[]) => targets.map((target) => `"${target.name ?? target._id}"`).join(', ')
  throw new UsageError(
    found.length === 0
      ? `${where} has no target${selection}: it has ${namesOf(configuration.targets) || 'none'}`
      : `${where} has several targets${selection}: choose one of ${namesOf(found)} with --target, by its id if they have the same name`
  )
}

/** Returns a target as the API takes it. */
export function toInput({ copiedFrom: _, ...target }: Target): TargetInput {
  return target as unknown as TargetInput
}
