import type { PreparedVariable } from './evaluator.ts'
import { isOperator, type PreparedOperator } from './operator.ts'

/**
 * Whether a variable has the same value for everybody, always: the first target of the feature that takes precedence
 * serves all users one and the same variation. Only an override gives somebody another value then.
 */
export function isStatic({ variable, first: carrier }: PreparedVariable): boolean {
  const target = carrier?.feature.first
  // A rollout that admits everybody by now is still a split; see `EvalReason`.
  if (!target?.everybodys || target.reason === 'SPLIT' || !matchesAll(target.operator)) return false
  const variation = carrier?.feature.variations.get(target.everybodys.variation)
  // A variation that leaves the variable out leaves it to the next feature, and a broken one serves nobody.
  return (
    variation?.unknownVariable === undefined && Boolean(variation?.values.some((given) => given.variable === variable))
  )
}

/** Whether an operator matches everybody as it stands there; one that happens to, by what its filters add up to, is not known to. */
function matchesAll({ members }: PreparedOperator): boolean {
  return (
    members.length > 0 &&
    members.every((member) => (isOperator(member) ? matchesAll(member) : member.source.type === 'all'))
  )
}
