import { isOperator } from './conditions/operator.ts'
import type { PreparedOperator } from './conditions/prepared.ts'
import type { PreparedVariable } from './prepare.ts'
import { variationOf } from './targeting/feature.ts'

/**
 * Returns whether a variable has the same value for every user at any time, apart from overrides: the first target of
 * the feature with the highest precedence matches all users and serves one variation.
 */
export function isStatic({ variable, binding }: PreparedVariable): boolean {
  const feature = binding?.feature
  const target = feature?.firstTarget
  // With a rollout, the reason is SPLIT even if it includes all users.
  if (!target?.soleRange || target.reason === 'SPLIT' || !matchesAllUsers(target.operator)) return false
  const variation = feature && variationOf(feature, target.soleRange.variation)
  // A variation without a value for the variable leaves it to the next feature. One with an unknown variable fails.
  return (
    variation?.unknownVariable === undefined && Boolean(variation?.values.some((entry) => entry.variable === variable))
  )
}

/** Returns whether an operator consists of `all` filters only. Other filters that match every user do not count. */
function matchesAllUsers({ members }: PreparedOperator): boolean {
  return (
    members.length > 0 &&
    members.every((member) => (isOperator(member) ? matchesAllUsers(member) : member.source.type === 'all'))
  )
}
