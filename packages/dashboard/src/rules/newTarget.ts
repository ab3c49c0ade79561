import type { Feature, TargetInput } from '@burgee/contract/schemas'
import { newCondition } from './conditions.ts'
import { type TargetDraft, toTargetInput } from './targets.ts'
import { matchesEveryone, toTree } from './tree.ts'

/** Where a new target is placed, and what it serves. */
export interface NewTarget {
  readonly index: number
  /** The id of the variation; empty if the person has to choose. */
  readonly variation: string
}

/**
 * Proposes a new target: before the first target that serves everyone, since no user gets past that one, with the only
 * variation that it does not serve. The first target of an environment serves what those of the others serve, if that is one variation.
 */
export function proposeTarget(
  targets: readonly TargetDraft[],
  variations: readonly { readonly _id: string; readonly key: string }[],
  elsewhere: readonly Pick<TargetInput, 'distribution'>[] = []
): NewTarget {
  if (targets.length === 0) return { index: 0, variation: onlyServed(elsewhere) }
  const last = targets.findIndex(({ tree, rollout }) => rollout.form === 'everybody' && matchesEveryone(tree))
  const everyone = targets[last]
  if (!everyone) return { index: targets.length, variation: '' }
  const served = new Set(toTargetInput(everyone).distribution.map(({ _variation }) => _variation))
  const [other, ...more] = variations.filter(({ _id, key }) => !served.has(_id) && !served.has(key))
  return { index: last, variation: other && more.length === 0 ? other._id : '' }
}

/** The id of the variation that all targets serve; empty if they serve several, or none. */
function onlyServed(targets: readonly Pick<TargetInput, 'distribution'>[]): string {
  const served = targets.flatMap(({ distribution }) => distribution.filter(({ percentage }) => percentage > 0))
  const [only = '', ...more] = new Set(served.map(({ _variation }) => _variation))
  return more.length === 0 ? only : ''
}

/**
 * Returns the id of the variation that a rollout gives users step by step: the only one with a Boolean value that is true,
 * else the only one that is not the control; empty if the person has to choose.
 */
export function findOnVariation({ variations, controlVariation }: Pick<Feature, 'variations' | 'controlVariation'>) {
  const on = variations.filter(({ variables = {} }) => Object.values(variables).includes(true))
  const hasOff = on.length > 0 && on.length < variations.length
  const [only, ...more] = hasOff ? on : variations.filter(({ key }) => key !== controlVariation)
  return only && more.length === 0 ? only._id : ''
}

/** The share that a rollout to a country starts with. */
const START_SHARE = 0.2

/** The audience of a rollout to a share of a country, which is still to be chosen. */
export function shareOfCountry(now: number): Pick<TargetDraft, 'tree' | 'rollout'> {
  const { filter } = newCondition({ kind: 'user', subType: 'country' })
  return {
    tree: toTree({ operator: 'and', filters: [filter] }),
    rollout: { form: 'fixed', startDate: new Date(now).toISOString(), startPercentage: START_SHARE }
  }
}
