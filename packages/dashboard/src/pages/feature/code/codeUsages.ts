import type { CodeUsage } from '@burgee/contract/schemas'

/** The usages by the key of their variable, in the order of the keys. */
export function groupByVariable(usages: readonly CodeUsage[]): readonly (readonly [string, readonly CodeUsage[]])[] {
  const groups = new Map<string, CodeUsage[]>()
  for (const usage of usages) {
    if (usage.references.length > 0) groups.set(usage.key, [...(groups.get(usage.key) ?? []), usage])
  }
  return [...groups].sort(([one], [other]) => one.localeCompare(other))
}

/** How many places read variables, and how many of them are in tests. */
export function countReads(usages: readonly Pick<CodeUsage, 'references'>[]): {
  readonly all: number
  readonly tests: number
} {
  const references = usages.flatMap((usage) => usage.references)
  return { all: references.length, tests: references.filter(({ isTest }) => isTest).length }
}
