import { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import { type ConditionContext, conditionMessages } from './conditionMessages.ts'
import { rolloutRows } from './rollout/rolloutDraft.ts'
import { rolloutProblems } from './rollout/rolloutProblems.ts'
import { type ConfigurationDraft, type TargetDraft, toConfiguration } from './targets.ts'
import { conditionsOf, emptyGroups, nodeAtPath } from './tree.ts'

/** The part of a target, or of the configuration, in whose controls an issue is shown. */
export type DraftPart = 'configuration' | 'target' | 'name' | 'filters' | 'split' | 'rollout' | 'bucketingKey'

/** The place of an issue in the form. */
export interface DraftLocation {
  /** The key of the target; absent for an issue of the configuration as a whole. */
  readonly target?: string
  readonly part: DraftPart
  /** The key of the node (filters), the variation (split) or the row (rollout). */
  readonly node?: string
  /** The member within the node, for example `['values', 2]`. */
  readonly path: readonly (string | number)[]
}

/** An issue that prevents saving. */
export interface DraftIssue extends DraftLocation {
  readonly message: string
}

/**
 * Returns everything that the API would refuse, at its place in the form. Messages of conditions and rollouts are those
 * of the controls; the contract's schema finds the rest.
 */
export function validateConfiguration(
  draft: ConfigurationDraft,
  context: Pick<ConditionContext, 'customProperties' | 'audiences'>
): readonly DraftIssue[] {
  const own = [
    ...statusIssues(draft),
    ...draft.targets.flatMap((target) => [
      ...filterIssues(target, context),
      ...rolloutIssues(target),
      ...splitIssues(target)
    ])
  ]
  const covered = new Set(own.map(placeOf))
  const { error } = UpdateFeatureConfiguration.safeParse(toConfiguration(draft))
  const others = (error?.issues ?? [])
    .map(({ path, message }) => ({ ...locateIssue(draft, path), message }))
    .filter((issue) => !covered.has(placeOf(issue)))
  return [...own, ...others]
}

/**
 * Returns the place in the form that a path of the API addresses, for example `['targets', 0, 'distribution', 1]`: a
 * path of the contract's schema or of an issue in the server's response.
 */
export function locateIssue(draft: ConfigurationDraft, path: readonly PropertyKey[]): DraftLocation {
  const [list, index, member, ...rest] = path
  const target = list === 'targets' && typeof index === 'number' ? draft.targets[index] : undefined
  if (!target) return { part: 'configuration', path: plain(path) }
  const at = { target: target.key }
  if (member === 'audience' && rest[0] === 'filters') {
    const location = nodeAtPath(target.tree, rest.slice(1))
    return { ...at, part: 'filters', node: location.node, path: plain(location.path) }
  }
  if (member === 'distribution') return { ...at, part: 'split', ...rowAt(target, rest) }
  if (member === 'rollout') return { ...at, part: 'rollout', ...stageAt(target, rest) }
  if (member === 'name' || member === 'bucketingKey') return { ...at, part: member, path: plain(rest) }
  return { ...at, part: 'target', path: plain(path.slice(2)) }
}

function statusIssues({ status, targets }: ConfigurationDraft): readonly DraftIssue[] {
  if (status !== 'active' || targets.length > 0) return []
  return [{ part: 'configuration', path: ['status'], message: 'add one, or turn the feature off' }]
}

function filterIssues(
  { key, tree }: TargetDraft,
  context: Pick<ConditionContext, 'customProperties' | 'audiences'>
): readonly DraftIssue[] {
  const at = { target: key, part: 'filters' } as const
  const conditions = conditionsOf(tree).flatMap(({ node }) =>
    conditionMessages(node, context)
      .filter(({ level }) => level === 'error')
      .map(({ member, index, message }): DraftIssue => {
        const name = member === 'values' && node.filter.type === 'audienceMatch' ? '_audiences' : member
        return { ...at, node: node.key, path: index === undefined ? [name] : [name, index], message }
      })
  )
  const message = 'add a condition or remove the group'
  return [...conditions, ...emptyGroups(tree).map((node) => ({ ...at, node, path: ['filters'], message }))]
}

function rolloutIssues({ key, rollout }: TargetDraft): readonly DraftIssue[] {
  return rolloutProblems(rollout).map(({ row, field, message }) => ({
    target: key,
    part: 'rollout',
    node: row,
    path: [field],
    message
  }))
}

/** A new target without a variation. */
function splitIssues({ key, split }: TargetDraft): readonly DraftIssue[] {
  return split.rows
    .filter(({ variation }) => variation === '')
    .map(({ variation }) => ({ target: key, part: 'split', node: variation, path: [], message: 'choose a variation' }))
}

/** Own messages replace those of the schema about the same condition, or about the same rollout. */
function placeOf({ target, part, node }: DraftLocation): string {
  return JSON.stringify(part === 'rollout' ? [target, part] : [target, part, node])
}

function rowAt({ split }: TargetDraft, path: readonly PropertyKey[]): Pick<DraftLocation, 'node' | 'path'> {
  const [index, ...rest] = path
  const row = typeof index === 'number' ? split.rows[index] : undefined
  return row ? { node: row.variation, path: plain(rest) } : { path: plain(path) }
}

function stageAt({ rollout }: TargetDraft, path: readonly PropertyKey[]): Pick<DraftLocation, 'node' | 'path'> {
  const [member, index, ...rest] = path
  if (member === 'startDate') return { node: 'start', path: ['date'] }
  if (member === 'startPercentage') return { node: 'start', path: ['percentage'] }
  const row = member === 'stages' && typeof index === 'number' ? rolloutRows(rollout, 0)[index + 1] : undefined
  return row ? { node: row.row, path: plain(rest) } : { path: plain(path) }
}

function plain(path: readonly PropertyKey[]): readonly (string | number)[] {
  return path.map((segment) => (typeof segment === 'number' ? segment : String(segment)))
}
