import { type AuditLogChange, ChangeType, type Feature } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import type { FeatureUpdate } from './featureUpdate.ts'

type Item = Readonly<Record<string, unknown>>
type Items = readonly Item[]
type Contents = AuditLogChange['newContents'] | undefined

/** What a reversion restores in a feature. */
interface PastFeature {
  readonly status?: unknown
  readonly staticVariation?: unknown
  /** By the id of the environment. */
  readonly configurations: Readonly<Record<string, PastConfiguration>>
  readonly variations: Items
  readonly members: Readonly<Record<string, unknown>>
}

/** A configuration before the changes. */
interface PastConfiguration {
  readonly status?: string | undefined
  readonly targets: Items
  /** The order of the targets is unknown: changes do not contain the position of a removed target. */
  readonly isUnordered?: boolean
}

/** Whether a change is about the feature itself; a reversion undoes only those. */
export function isOfFeature({ type }: AuditLogChange): boolean {
  return type !== 'appliedInEmergency' && featureTypes.has(type)
}

const featureTypes: ReadonlySet<string> = new Set(ChangeType.options)

/** Returns the update of a feature that undoes changes, the newest first. */
export function revertUpdate(feature: Feature, changes: readonly AuditLogChange[]): FeatureUpdate {
  const present: PastFeature = {
    configurations: Object.fromEntries(
      feature.configurations.map(({ _environment, status, targets = [] }) => [
        _environment,
        { status, targets: targets.filter(isRecord) }
      ])
    ),
    variations: feature.variations.filter(isRecord),
    members: {}
  }
  const { configurations, variations, ...past } = changes.reduce(undoChange, present)
  return {
    ...past,
    isReversion: true,
    configurations,
    values: Object.fromEntries(variations.map(({ _id, variables }) => [_id, valuesByKey(variables, feature)]))
  }
}

/** Audit entries name variables by id. */
function valuesByKey(values: unknown, { variables }: Feature): unknown {
  if (!Array.isArray(values)) return values
  const keys = new Map(variables.map(({ _id, key }) => [_id, key]))
  return Object.fromEntries(values.filter(isRecord).map(({ _var, value }) => [keys.get(String(_var)) ?? _var, value]))
}

function undoChange(past: PastFeature, change: AuditLogChange): PastFeature {
  const { type, previousContents, newContents, _environments: [environment] = [] } = change
  if (type === 'modifiedFeatureStatus') return { ...past, ...previousContents }
  if (type === 'addedVariation' || type === 'modifiedVariation' || type === 'removedVariation') {
    return { ...past, variations: undoItems(past.variations, 'variations', change) }
  }
  if (type === 'killedFeature') return past
  const configuration = environment === undefined ? undefined : past.configurations[environment]
  if (environment !== undefined && configuration) {
    const before = undoTargeting(configuration, change)
    return { ...past, configurations: { ...past.configurations, [environment]: before } }
  }
  const names = Object.keys(previousContents ?? newContents ?? {})
  const members = Object.fromEntries(names.map((name) => [name, previousContents?.[name] ?? null]))
  return { ...past, members: { ...past.members, ...members } }
}

function undoTargeting(configuration: PastConfiguration, change: AuditLogChange): PastConfiguration {
  const { type, previousContents } = change
  if (type === 'enabledEnvironment') return { ...configuration, status: 'inactive' }
  if (type === 'disabledEnvironment') return { ...configuration, status: 'active' }
  if (type !== 'reorderedTargets') {
    const targets = undoItems(configuration.targets, 'targets', change)
    const isUnordered = type === 'removedTarget' ? configuration.targets.length > 0 : configuration.isUnordered
    return { ...configuration, targets, ...(isUnordered !== undefined && { isUnordered }) }
  }
  const order = listIn(previousContents, 'targets')
  const place = ({ _id }: Item) => order.indexOf(_id)
  const targets = [...configuration.targets].sort((one, other) => place(one) - place(other))
  return { ...configuration, targets, isUnordered: false }
}

/** Restores the items before a change. Those that it removed come first. */
function undoItems(items: Items, member: string, { previousContents, newContents }: AuditLogChange): Items {
  const [former, later] = [itemsIn(previousContents, member), itemsIn(newContents, member)]
  const kept = items.flatMap((item) => {
    const before = former.find(({ _id }) => _id === item._id)
    return before ? [before] : later.some(({ _id }) => _id === item._id) ? [] : [item]
  })
  return [...former.filter(({ _id }) => items.every((item) => item._id !== _id)), ...kept]
}

function itemsIn(contents: Contents, member: string): Items {
  return listIn(contents, member).filter(isRecord)
}

function listIn(contents: Contents, member: string): readonly unknown[] {
  const list = contents?.[member]
  return Array.isArray(list) ? list : []
}
