import type { StoredTarget } from '../../storage/resources/feature.ts'

/**
 * Pairs targets of two environments: by equal ids, else by the id that one was promoted from, else by a name that is
 * unique on both sides. Returns the target of `others` by target of `targets`.
 */
export function pairTargets(
  targets: readonly StoredTarget[],
  others: readonly StoredTarget[]
): ReadonlyMap<StoredTarget, StoredTarget> {
  const pairs = new Map<StoredTarget, StoredTarget>()
  const taken = new Set<StoredTarget>()
  for (const isPair of [hasSameId, isCopy, hasUniqueName(targets, others)]) {
    for (const target of targets) {
      const other = pairs.has(target) ? undefined : others.find((each) => !taken.has(each) && isPair(target, each))
      if (!other) continue
      pairs.set(target, other)
      taken.add(other)
    }
  }
  return pairs
}

type Match = (one: StoredTarget, other: StoredTarget) => boolean

const hasSameId: Match = (one, other) => one._id === other._id

const isCopy: Match = (one, other) => one.copiedFrom === other._id || other.copiedFrom === one._id

function hasUniqueName(targets: readonly StoredTarget[], others: readonly StoredTarget[]): Match {
  const isUnique = (list: readonly StoredTarget[], name: string) => {
    return list.filter((target) => target.name === name).length === 1
  }
  return ({ name }, other) => {
    return name !== undefined && name === other.name && isUnique(targets, name) && isUnique(others, name)
  }
}
