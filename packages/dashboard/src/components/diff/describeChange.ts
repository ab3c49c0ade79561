import { sanitizeName } from '@burgee/contract/rules'
import type { AuditLogEntry, TargetInput } from '@burgee/contract/schemas'
import { sentence } from '@burgee/contract/words'
import { idOf, isObject, memberOf } from '../../draft/structure.ts'
import { changeTitle, subjectOf } from './changeWords.ts'
import { describeFilters } from './describeFilters.ts'
import { describeMembers, formatValue, valueRow } from './describeMembers.ts'
import { describeTarget, statusGroup, targetTitle, wholeTarget } from './describeTargets.ts'
import type { DiffContext, DiffGroup, DiffMark, DiffRow } from './model.ts'

/** A change of the audit log or of a change request. */
export type AuditChange = AuditLogEntry['changes'][number]

type Contents = Readonly<Record<string, unknown>>
type Item = Readonly<Record<string, unknown>>

const EMERGENCY_NOTE = 'The change request was applied before it was approved.'
const KILL_NOTE = 'Turned off in these environments at once, without approval.'

/** The names of the environments that a change is about. */
export function environmentsOf({ _environments = [] }: AuditChange, context: DiffContext): readonly string[] {
  return _environments.map((id) => environmentName(id, context))
}

/** The name of an environment by its id. */
export function environmentName(id: string, { environments }: DiffContext): string {
  return environments?.get(id) ?? 'a deleted environment'
}

/** Describes what a change of the audit log or of a change request changes. Works for any contents. */
export function describeChange(change: AuditChange, context: DiffContext): readonly DiffGroup[] {
  const { type } = change
  const [before, after]: readonly [Contents, Contents] = [change.previousContents ?? {}, change.newContents ?? {}]
  switch (type) {
    case 'enabledEnvironment':
      return [statusGroup('active')]
    case 'disabledEnvironment':
      return [statusGroup('inactive')]
    case 'killedFeature':
      return [{ ...group(type, changeTitle(type), 'changed', describeMembers(null, after)), note: KILL_NOTE }]
    case 'appliedInEmergency': {
      const rows = describeMembers(null, { reason: after.reason })
      return [{ ...group(type, changeTitle(type), 'changed', rows), note: EMERGENCY_NOTE }]
    }
    case 'addedTarget':
    case 'modifiedTarget':
    case 'removedTarget':
      return describeItems(before, after, 'targets', (was, is) => targetGroup(was, is, context))
    case 'reorderedTargets':
      return [group('order', 'Order of targets', 'moved', [orderRow(before, after, 'targets', context)])]
    case 'addedVariation':
    case 'modifiedVariation':
    case 'removedVariation':
      return describeItems(before, after, 'variations', (was, is) => variationGroup(was, is, context))
    case 'addedVariable':
    case 'modifiedVariable':
    case 'removedVariable':
      return describeItems(before, after, 'variables', variableGroup)
    case 'createdFeature':
      return [group(type, changeTitle(type), 'added', featureRows(after))]
    default:
      return [resourceGroup(change, context)]
  }
}

/** One group for each item that a change lists before or after, matched by id. */
function describeItems(
  before: Contents,
  after: Contents,
  member: string,
  describe: (was: Item | undefined, is: Item | undefined) => DiffGroup
): readonly DiffGroup[] {
  const [old, current] = [itemsOf(before, member), itemsOf(after, member)]
  const find = (items: readonly Item[], id: string | undefined) => items.find((item) => idOf(item) === id)
  const removed = old.filter((item) => !find(current, idOf(item)))
  return [
    ...removed.map((item) => describe(item, undefined)),
    ...current.map((item) => describe(find(old, idOf(item)), item))
  ]
}

function targetGroup(was: Item | undefined, is: Item | undefined, context: DiffContext): DiffGroup {
  // The contents of these changes are targets as stored.
  const [before, after] = [was, is] as unknown as readonly [TargetInput | undefined, TargetInput | undefined]
  if (before && after) {
    const described = group(
      String(after._id),
      targetTitle(after, context),
      'changed',
      describeTarget(before, after, context)
    )
    return { ...described, note: sentence(after, context) }
  }
  const whole = after ?? before
  return whole ? wholeTarget(whole, after ? 'added' : 'removed', context) : group('target', 'Target', 'changed', [])
}

function variationGroup(was: Item | undefined, is: Item | undefined, { variables }: DiffContext): DiffGroup {
  const item = is ?? was ?? {}
  const [before, after] = [was, is].map((variation) => {
    if (!variation) return null
    const { variables: values, ...members } = variation
    const named = itemsOf({ values }, 'values').map(({ _var, value }) => [
      `Value of ${variables?.get(String(_var)) ?? 'a deleted variable'}`,
      typeof value === 'object' && value !== null ? JSON.stringify(value, undefined, 2) : value
    ])
    return { ...members, ...Object.fromEntries(named) }
  })
  return group(
    String(idOf(item)),
    `Variation “${nameOf(item)}”`,
    markOf(was, is),
    describeMembers(before ?? null, after ?? null)
  )
}

function variableGroup(was: Item | undefined, is: Item | undefined): DiffGroup {
  const item = is ?? was ?? {}
  return group(
    String(idOf(item)),
    `Variable ${String(item.key)}`,
    markOf(was, is),
    describeMembers(was ?? null, is ?? null)
  )
}

/** The name, key, variations and variables of a new feature. Its targets are changes of their own. */
function featureRows(feature: Contents): readonly DiffRow[] {
  const names = (member: string) => itemsOf(feature, member).map(nameOf).join(', ')
  const { name, key, type, description, tags } = feature
  const rows = { name, key, type, description, tags }
  return [
    ...describeMembers(null, rows),
    valueRow('Variations', undefined, names('variations')),
    valueRow('Variables', undefined, names('variables'))
  ]
}

function resourceGroup(change: AuditChange, context: DiffContext): DiffGroup {
  const { type, newContents, previousContents, metadata } = change
  const [before, after]: readonly [Contents, Contents] = [previousContents ?? {}, newContents ?? {}]
  const isOrder = type === 'modifiedFeature' && 'variations' in after
  const rest = ({ filters, variations, ...members }: Contents) =>
    isOrder ? members : { ...members, ...given(variations) }
  const given = (variations: unknown) => (variations === undefined ? {} : { variations })
  const named = (value: unknown) => context.variations?.get(String(value)) ?? formatValue(value)
  const rows = [
    ...(isOrder ? [orderRow(before, after, 'variations', context)] : []),
    ...(isObject(before.filters) && isObject(after.filters)
      ? describeFilters(before.filters, after.filters, context)
      : wholeFilters(before, after, context)),
    ...describeMembers(previousContents && rest(before), newContents && rest(after), named),
    ...(newContents || previousContents ? [] : describeMembers(null, metadata ?? {}))
  ]
  const name = nameOf({ ...before, ...after })
  const title = name === '' ? subjectOf(type) : `${subjectOf(type)} “${name}”`
  return group(type, title, markOf(previousContents, newContents), rows)
}

function wholeFilters(before: Contents, after: Contents, context: DiffContext): readonly DiffRow[] {
  const empty = { operator: 'and', filters: [] }
  const [was, is] = [before.filters, after.filters]
  if (!isObject(was) && !isObject(is)) return []
  return describeFilters(
    isObject(was) ? was : { ...empty, operator: memberOf(is, 'operator') },
    isObject(is) ? is : { ...empty, operator: memberOf(was, 'operator') },
    context
  )
}

/** A row for the order of a list of ids or keys. */
function orderRow(before: Contents, after: Contents, member: string, { targets, variations }: DiffContext): DiffRow {
  const name = (id: unknown) => targets?.get(String(id)) ?? variations?.get(String(id)) ?? String(id)
  const words = (contents: Contents) =>
    Array.isArray(contents[member]) ? contents[member].map(name).join(', ') : undefined
  return valueRow('Order', words(before), words(after))
}

function group(id: string, title: string, mark: DiffMark, rows: readonly DiffRow[]): DiffGroup {
  return { id, title, mark, rows }
}

function markOf(before: unknown, after: unknown): DiffMark {
  if (!before) return 'added'
  return after ? 'changed' : 'removed'
}

function nameOf(item: Item): string {
  const name = item.name ?? item.key ?? ''
  return typeof name === 'string' ? sanitizeName(name) : ''
}

function itemsOf(contents: Contents, member: string): readonly Item[] {
  const items = contents[member]
  return Array.isArray(items) ? items.filter(isObject) : []
}
