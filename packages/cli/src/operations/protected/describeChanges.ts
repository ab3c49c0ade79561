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
  { environments, words, areApplied = false }: ChangeContext
): readonly string[] {
  const targeting = changes.filter(isTargeting)
  const places = [...new Set(targeting.flatMap(({ _environments = [] }) => _environments))]
  return [
    ...places.flatMap((id) => {
      const own = targeting.filter(({ _environments = [] }) => _environments.includes(id))
      const current = feature.configurations.find(({ _environment }) => _environment === id)?.targets ?? []
      const name = environments.find(({ _id }) => _id === id)?.key ?? id
      return [
        `${feature.key} in ${name}:`,
        ...describeTargeting(
          own,
          { feature, current: current.filter(isRecord), areApplied },
          withVariations(words, feature)
        ).map((line) => `  ${line}`)
      ]
    }),
    ...changes.filter((change) => !isTargeting(change)).flatMap(formatContents)
  ].map(escapeLine)
}

/** Describes what the items of a preview change, for the features of the project of the session. */
export async function describeItems(
  items: readonly Pick<ChangeItem, 'feature' | 'outcome' | 'changes'>[],
  session: Session
): Promise<readonly string[]> {
  const changing = items.filter(isChanging)
  if (changing.length === 0) return []
  const params = { project: session.project() }
  const context = await readChangeContext(session)
  const lines: string[] = []
  for (const { feature, changes } of changing) {
    const found = await session.client.getFeature({ params: { ...params, feature } })
    lines.push(...describeChanges(changes, found, context))
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
}

function describeTargeting(
  changes: readonly AuditLogChange[],
  { feature, current, areApplied }: TargetingBefore,
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
  const later = [...added, ...kept.map((target) => withId(changed, target) ?? target)]
  const ordered = order.length === 0 ? later : order.flatMap((_id) => withId(later, { _id }) ?? [])
  // Changes do not say at which position a target is added beside others.
  const isPlaced = order.length > 0 || kept.length === 0 || added.length === 0
  const messages = isPlaced ? english : { ...english, changeAdded: addedAnywhere }
  const before = configurationOf(find('disabledEnvironment') !== undefined, former)
  const after = configurationOf(find('enabledEnvironment') !== undefined, ordered)
  return [
    ...changeSentences(before, after, { ...words, messages }),
    ...(isPlaced && !areApplied ? servedAfter(feature, { before, after }, words) : [])
  ]
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
