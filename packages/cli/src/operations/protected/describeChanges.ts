import type { AuditLogChange, ChangeItem, Environment, Feature } from '@burgee/contract/schemas'
import { type ConfigurationData, changeSentences, english, type WordContext } from '@burgee/contract/words'
import { isRecord } from '@burgee/kit'
import { escapeLine } from '@burgee/kit/text'
import { formatContents } from '../../output/formatContents.ts'
import { isChanging } from '../../output/formatFeatureReport.ts'
import { readEnvironments } from '../../run/server/readEnvironments.ts'
import { withVariations, wordContext } from '../../run/server/wordContext.ts'
import type { Session } from '../../run/session.ts'
import { addedAnywhere } from './describeServed.ts'
import { servedAfter } from './servedAfter.ts'

type Contents = AuditLogChange['newContents'] | undefined
type Target = Readonly<Record<string, unknown>>

/** What the sentences about changes of features name. */
export interface ChangeContext {
  readonly environments: readonly Environment[]
  readonly words: WordContext
  /** Whether the changes were applied: the feature may have other targets since. */
  readonly areApplied?: boolean
  /** The environment whose targets the changes copy, in its order. */
  readonly source?: Environment | undefined
}

export async function readChangeContext(session: Session): Promise<ChangeContext> {
  const project = session.project()
  const [environments, words] = await Promise.all([readEnvironments(session, project), wordContext(session, project)])
  return { environments, words }
}

/** Describes changes of a feature by environment, with sentences about what users get. */
export function describeChanges(
  changes: readonly AuditLogChange[],
  feature: Feature,
  { environments, words, areApplied = false, source }: ChangeContext
): readonly string[] {
  const targetsIn = (id: string | undefined) =>
    (feature.configurations.find(({ _environment }) => _environment === id)?.targets ?? []).filter(isRecord)
  const targeting = changes.filter(isTargeting)
  const places = [...new Set(targeting.flatMap(({ _environments = [] }) => _environments))]
  return [
    ...places.flatMap((id) => {
      const own = targeting.filter(({ _environments = [] }) => _environments.includes(id))
      const name = environments.find(({ _id }) => _id === id)?.key ?? id
      return [
        `${feature.key} in ${name}:`,
        ...describeTargeting(
          own,
          { feature, current: targetsIn(id), areApplied, ...(source && { copied: targetsIn(source._id) }) },
          withVariations(words, feature)
        ).map((line) => `  ${line}`)
      ]
    }),
    ...changes.filter((change) => !isTargeting(change)).flatMap(formatContents)
  ].map(escapeLine)
}

/**
 * Describes what the items of a preview change, for the features of the project of the session.
 * @param from The key of the environment whose targets they copy.
 */
export async function describeItems(
  items: readonly Pick<ChangeItem, 'feature' | 'outcome' | 'changes'>[],
  session: Session,
  from?: string
): Promise<readonly string[]> {
  const changing = items.filter(isChanging)
  if (changing.length === 0) return []
  const params = { project: session.project() }
  const context = await readChangeContext(session)
  const source = context.environments.find(({ key }) => key === from)
  const lines: string[] = []
  for (const { feature, changes } of changing) {
    const found = await session.client.getFeature({ params: { ...params, feature } })
    lines.push(...describeChanges(changes, found, { ...context, source }))
  }
  return lines
}

function isTargeting({ type, _environments = [] }: AuditLogChange): boolean {
  return _environments.length > 0 && /Targets?$|^(enabled|disabled)Environment$/.test(type)
}

interface TargetingBefore {
  readonly feature: Feature
  /** The targets of the feature in the environment. */
  readonly current: readonly Target[]
  readonly areApplied: boolean
  /** The targets that the changes copy. */
  readonly copied?: readonly Target[]
}

function describeTargeting(
  changes: readonly AuditLogChange[],
  { feature, current, areApplied, copied }: TargetingBefore,
  words: WordContext
): readonly string[] {
  const find = (type: AuditLogChange['type']) => changes.find((change) => change.type === type)
  const added = targetsOf(find('addedTarget')?.newContents)
  const removed = targetsOf(find('removedTarget')?.previousContents)
  const modified = find('modifiedTarget')
  const [old, changed] = [targetsOf(modified?.previousContents), targetsOf(modified?.newContents)]
  // Targets of requests that were applied are the current ones.
  const kept = current.filter((target) => !has(added, target) && !has(removed, target))
  const order = listOf(find('reorderedTargets')?.newContents).map(String)
  const former = [...kept.map((target) => withId(old, target) ?? target), ...removed]
  const remaining = kept.map((target) => withId(changed, target) ?? target)
  const later = [...added, ...remaining]
  // Changes do not say at which position a target is added beside others; the targets that they copy do.
  const merged = copied && mergeInOrder(copied, added, remaining)
  const ordered = order.length === 0 ? (merged ?? later) : order.flatMap((_id) => withId(later, { _id }) ?? [])
  const isPlaced = order.length > 0 || merged !== undefined || kept.length === 0 || added.length === 0
  const messages = isPlaced ? english : { ...english, changeAdded: addedAnywhere }
  const before = configurationOf(find('disabledEnvironment') !== undefined, former)
  const after = configurationOf(find('enabledEnvironment') !== undefined, ordered)
  return [
    ...changeSentences(before, after, { ...words, messages }),
    ...(isPlaced && !areApplied ? servedAfter(feature, { before, after }, words) : [])
  ]
}

/** Returns added and remaining targets in the order of the targets that they copy; `undefined` if they are others. */
function mergeInOrder(
  copied: readonly Target[],
  added: readonly Target[],
  remaining: readonly Target[]
): readonly Target[] | undefined {
  const [left, others] = [[...added], [...remaining]]
  const merged = copied.map((target) => {
    const index = left.findIndex((one) => contentOf(one) === contentOf(target))
    return index === -1 ? others.shift() : left.splice(index, 1)[0]
  })
  const found = merged.filter((target) => target !== undefined)
  return found.length === copied.length && left.length + others.length === 0 ? found : undefined
}

/** What a copy of a target has in common with it: not the id, and not the rollout, which a promotion can shift. */
function contentOf({ name, audience, distribution }: Target): string {
  return JSON.stringify([name, audience, distribution])
}

/** The status counts only where it changes. */
function configurationOf(isOn: boolean, targets: readonly unknown[]): ConfigurationData {
  // The sentences work for any data.
  return {
    status: isOn ? 'active' : 'inactive',
    targets: targets as unknown as NonNullable<ConfigurationData['targets']>
  }
}

function targetsOf(contents: Contents): readonly Target[] {
  return listOf(contents).filter(isRecord)
}

function listOf(contents: Contents): readonly unknown[] {
  const { targets } = contents ?? {}
  return Array.isArray(targets) ? targets : []
}

function withId(targets: readonly Target[], { _id }: Target): Target | undefined {
  return targets.find((target) => target._id === _id)
}

function has(targets: readonly Target[], target: Target): boolean {
  return withId(targets, target) !== undefined
}
