import type { BucketedConfig, BucketedFeature, BucketedVariable, Config, EvalReason } from '@burgee/core'
import { obfuscatedKeys } from './obfuscatedKeys.ts'

/**
 * Obfuscates a user's config: variables, features and variations have meaningless keys, and reasons have no text.
 * Values stay, because the application needs them.
 */
export function obfuscateBucketedConfig(bucketed: BucketedConfig, config: Config): BucketedConfig {
  const keyOf = obfuscatedKeys(config)
  const features = Object.values(bucketed.features).map((feature): BucketedFeature => {
    const { _id, type, _variation } = feature
    const variation = keyOf(_variation)
    const names = { variationName: variation, variationKey: variation }
    return { _id, key: keyOf(_id), type, _variation, ...names, eval: withoutText(feature.eval) }
  })
  const variables = Object.values(bucketed.variables).map((variable): BucketedVariable => {
    const { _id, _feature, type, value } = variable
    return { _id, _feature, key: keyOf(_id), type, value, eval: withoutText(variable.eval) }
  })
  return { ...bucketed, features: byKey(features), variables: byKey(variables) }
}

/** SDKs of some platforms require a reason text. */
function withoutText(reason: EvalReason): EvalReason {
  return { ...reason, details: '' }
}

function byKey<T extends { readonly key: string }>(items: readonly T[]): Record<string, T> {
  return Object.fromEntries(items.map((item) => [item.key, item]))
}
