import type { Environment, Feature } from '@burgee/contract/schemas'
import { formatQuoted } from '../results/formatQuoted.ts'
import { diff } from './diff/diff.ts'
import { valueNode } from './diff/diffNode.ts'
import { type Plan, versionOf } from './plan.ts'

/** The caller's override of a feature in an environment. */
export interface OverrideContext {
  readonly feature: Pick<Feature, '_id' | 'key' | 'variations' | 'updatedAt'>
  readonly environment: Pick<Environment, 'key' | 'type'>
  /** The id of the variation of the current override. */
  readonly currentVariationId: string | undefined
}

/** Plans `set_self_targeting_override`. */
export function planSetOverride(
  { key: variation }: { readonly key: string },
  override: OverrideContext,
  user: string
): Plan {
  return {
    summary: `Serves variation ${formatQuoted(variation)} of ${describeLocation(override)} to user ${formatQuoted(user)} alone, regardless of targets.`,
    ...planOf(override, variation)
  }
}

/** Plans `clear_feature_self_targeting_overrides`. */
export function planClearOverride(override: OverrideContext): Plan {
  return {
    summary: `Ends the caller's override of ${describeLocation(override)}: its targets decide again. No one else is affected.`,
    ...planOf(override, undefined)
  }
}

function describeLocation({ feature, environment }: OverrideContext): string {
  return `feature ${formatQuoted(feature.key)} in environment ${formatQuoted(environment.key)}`
}

function planOf(
  { feature, environment, currentVariationId: id }: OverrideContext,
  variation: string | undefined
): Pick<Plan, 'changes' | 'environments' | 'version'> {
  const current = id && (feature.variations.find(({ _id }) => _id === id)?.key ?? id)
  const { key, type } = environment
  const changes = diff(valueNode(current), valueNode(variation), {
    path: `overrides.${key}`,
    label: 'override',
    environment: key
  })
  return { changes, environments: [{ key, type }], version: versionOf(feature) }
}
