import type { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import { idOf, isSame, memberNames, memberOf, type Path, shapeOf } from './structure.ts'

/** A difference between two versions of a resource. */
export type Change =
  | { readonly kind: 'added'; readonly path: Path; readonly after: unknown }
  | { readonly kind: 'removed'; readonly path: Path; readonly before: unknown }
  | { readonly kind: 'changed'; readonly path: Path; readonly before: unknown; readonly after: unknown }
  /** An item of a list with ids has another place among the items that both versions have. Indexes of the whole lists. */
  | { readonly kind: 'moved'; readonly path: Path; readonly from: number; readonly to: number }
  /** Values were added to and removed from a list whose order means nothing, such as the values of a filter. */
  | {
      readonly kind: 'values'
      readonly path: Path
      readonly added: readonly unknown[]
      readonly removed: readonly unknown[]
    }

/** Members that the server sets, which are no change of a person. */
const serverMembers: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  '_createdBy',
  'readonly',
  'source',
  'latestUpdate',
  'changeRequests',
  'prodTargetingUpdatedAt',
  'startedAt',
  'hasStaticConfig',
  'staleness'
])

/** Returns the changes between two configurations in the order of the form: status first, then targets. */
export function diffConfigurations(
  before: UpdateFeatureConfiguration,
  after: UpdateFeatureConfiguration
): readonly Change[] {
  const members = ({ status, targets }: UpdateFeatureConfiguration) => ({ status, targets })
  return diff(members(before), members(after))
}

/** Returns the changes between two versions of any resource of the API. */
export function diff(before: unknown, after: unknown, path: Path = []): readonly Change[] {
  if (isSame(before, after)) return []
  if (before === undefined) return [{ kind: 'added', path, after }]
  if (after === undefined) return [{ kind: 'removed', path, before }]
  switch (shapeOf(path, [before, after])) {
    case 'object':
      return memberNames(before, after)
        .filter((name) => !serverMembers.has(name))
        .flatMap((name) => diff(memberOf(before, name), memberOf(after, name), [...path, name]))
    case 'set':
      return diffSets(before as readonly unknown[], after as readonly unknown[], path)
    case 'records':
      return diffRecords(before as readonly unknown[], after as readonly unknown[], path)
    case 'list':
      return diffLists(before as readonly unknown[], after as readonly unknown[], path)
    case 'whole':
      return [{ kind: 'changed', path, before, after }]
  }
}

function diffSets(before: readonly unknown[], after: readonly unknown[], path: Path): readonly Change[] {
  const [old, current] = [new Set(before), new Set(after)]
  const added = [...current].filter((value) => !old.has(value))
  const removed = [...old].filter((value) => !current.has(value))
  return added.length + removed.length === 0 ? [] : [{ kind: 'values', path, added, removed }]
}

function diffRecords(before: readonly unknown[], after: readonly unknown[], path: Path): readonly Change[] {
  const old = new Map(before.map((item, index) => [idOf(item) ?? index, { item, index }]))
  const current = new Map(after.map((item, index) => [idOf(item) ?? index, { item, index }]))
  const isKept = (key: string | number): boolean => typeof key === 'string' && old.has(key) && current.has(key)
  const kept = [...current].flatMap(([key, { index: to }]) => {
    const from = old.get(key)?.index
    return isKept(key) && from !== undefined ? [{ key, from, to }] : []
  })
  const resting = increasing(kept.map(({ from }) => from))
  return [
    ...[...old].flatMap(([key, { item }]): Change[] =>
      isKept(key) ? [] : [{ kind: 'removed', path: [...path, key], before: item }]
    ),
    ...kept.flatMap(({ key, from, to }): Change[] =>
      resting.has(from) ? [] : [{ kind: 'moved', path: [...path, key], from, to }]
    ),
    ...[...current].flatMap(([key, { item }]): readonly Change[] =>
      isKept(key)
        ? diff(old.get(key)?.item, item, [...path, key])
        : [{ kind: 'added', path: [...path, key], after: item }]
    )
  ]
}

/** Compares lists without ids, such as filters: equal items at both ends are the same, and those between by index. */
function diffLists(before: readonly unknown[], after: readonly unknown[], path: Path): readonly Change[] {
  let start = 0
  const shorter = Math.min(before.length, after.length)
  while (start < shorter && isSame(before[start], after[start])) start += 1
  let end = 0
  while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1
  const old = before.slice(start, before.length - end)
  const current = after.slice(start, after.length - end)
  return Array.from({ length: Math.max(old.length, current.length) }, (_, index) =>
    diff(old[index], current[index], [...path, start + index])
  ).flat()
}

/** Returns the members of a longest increasing subsequence: the items that need not move. */
function increasing(numbers: readonly number[]): ReadonlySet<number> {
  let longest: readonly number[] = []
  const endingAt: (readonly number[])[] = []
  for (const [index, number] of numbers.entries()) {
    let best: readonly number[] = []
    for (let earlier = 0; earlier < index; earlier += 1) {
      const candidate = endingAt[earlier] ?? []
      if ((candidate.at(-1) ?? number) < number && candidate.length > best.length) best = candidate
    }
    const run = [...best, number]
    endingAt.push(run)
    if (run.length > longest.length) longest = run
  }
  return new Set(longest)
}
