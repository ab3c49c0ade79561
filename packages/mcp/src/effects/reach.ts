import { isDeepStrictEqual } from 'node:util'
import type { AffectedEnvironment } from '../confirmation/effect.ts'
import { type ConfigurationFacts, type FeatureFacts, isOn } from './facts.ts'
import { variableParts } from './featureParts.ts'

/**
 * The environments in which users could notice that a feature is another: where what it does there changes while it is on,
 * and everywhere it is on when what it is made of changes.
 */
export function reached(before: FeatureFacts, after: FeatureFacts): readonly AffectedEnvironment[] {
  const isOther = !isDeepStrictEqual(substance(before), substance(after))
  return after.configurations
    .filter((configuration, index) => {
      const earlier = before.configurations[index]
      const isLive = isOn(configuration) || (earlier !== undefined && isOn(earlier))
      return isLive && (isOther || !isDeepStrictEqual(earlier, configuration))
    })
    .map(({ environment }) => toAffected(environment))
}

/** What of a feature users could notice wherever it is on. */
function substance({ status, key, variables, variations, sdkVisibility, settings }: FeatureFacts) {
  const parts = { status, key, variables: variables.map(variableParts), variations, sdkVisibility, settings }
  // Members that are given and have no value are none.
  return JSON.parse(JSON.stringify(parts))
}

/** The environments where a feature is on. */
export function live({ configurations }: Pick<FeatureFacts, 'configurations'>): readonly AffectedEnvironment[] {
  return configurations.filter(isOn).map(({ environment }) => toAffected(environment))
}

function toAffected({ key, type }: ConfigurationFacts['environment']): AffectedEnvironment {
  return { key, type }
}
