import { isDeepStrictEqual } from 'node:util'
import { isProtected } from '@burgee/contract/schemas'
import { type FeatureState, isServed } from './featureState.ts'

/**
 * Whether a change requires approval if the project has approvals on: it changes the configuration of a protected
 * environment, or a shared part of a feature that is on in a protected environment.
 */
export function affectsProtected(before: FeatureState, after: FeatureState): boolean {
  const isSharedChanged = !isEqualJson(sharedParts(before), sharedParts(after))
  return after.configurations.some((configuration, index) => {
    if (!isProtected(configuration.environment)) return false
    const earlier = before.configurations[index]
    const isAffected = isServed(after, configuration) || (earlier !== undefined && isServed(before, earlier))
    return (isAffected && isSharedChanged) || !isEqualJson(earlier, configuration)
  })
}

function sharedParts({ configurations, ...shared }: FeatureState): object {
  return shared
}

/** Compares without `undefined` members, which `isDeepStrictEqual` would count as differences. */
function isEqualJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a ?? null)), JSON.parse(JSON.stringify(b ?? null)))
}
