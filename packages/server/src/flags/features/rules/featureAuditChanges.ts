import type { AuditLogChange, ChangeType } from '@burgee/contract/schemas'
import { createdChange, diffContents } from '../../../access/audit/changes.ts'
import type { StoredConfiguration, StoredFeature } from '../../../storage/resources/feature.ts'
import { diffItems, type ItemDiff } from './model/diffItems.ts'
import type { FeatureDiff } from './model/featureDiff.ts'
import type { FeatureState } from './model/featureState.ts'

/** The changes that an audit entry lists and webhooks name (docs/reference/management.md, Change types). */
export function featureAuditChanges(diff: FeatureDiff): AuditLogChange[] {
  const { before, after, variables, variations } = diff
  if (!before) return [createdChange('Feature', featureContents(after)), ...configurationChanges(diff)]
  return [
    ...fieldChanges(before.feature, after.feature),
    ...itemChanges('Variable', 'variables', variables),
    ...itemChanges('Variation', 'variations', variations),
    ...variationOrder(before.feature, after.feature),
    ...configurationChanges(diff)
  ]
}

/** Compares by environment, because a configuration can replace one with another id in the same environment. */
function configurationChanges({ before, after, configurations }: FeatureDiff): AuditLogChange[] {
  const { added, replaced, removed } = configurations
  const changed = new Set([...added, ...replaced.map((pair) => pair.after), ...removed].map(environmentOf))
  const environments = new Set([...(before?.configurations ?? []), ...after.configurations].map(environmentOf))
  return [...environments].flatMap((environment) => {
    if (!changed.has(environment)) return []
    const within = (state: FeatureState | undefined) =>
      state?.configurations.find((each) => environmentOf(each) === environment)
    return targetingChanges(environment, within(before), within(after))
  })
}

function fieldChanges(before: StoredFeature, after: StoredFeature): AuditLogChange[] {
  const change = (type: ChangeType, part: (feature: StoredFeature) => object): AuditLogChange[] => {
    const difference = diffContents(part(before), part(after))
    return difference ? [{ type, ...difference }] : []
  }
  return [
    ...change('modifiedFeature', remainingFields),
    ...change('modifiedSettings', ({ settings }) => ({ settings })),
    ...change('modifiedFeatureStatus', ({ status, staticVariation }) => ({ status, staticVariation }))
  ]
}

/** The fields that no other type of change covers. */
function remainingFields(feature: StoredFeature): object {
  const { status, staticVariation, settings, variations, prodTargetingUpdatedAt, ...members } = feature
  return members
}

/** One change for all the items that were added, one for the modified and one for the removed ones. */
function itemChanges<T extends { readonly _id: string }>(
  noun: 'Variable' | 'Variation' | 'Target',
  member: string,
  { added, replaced, removed }: ItemDiff<T>
): AuditLogChange[] {
  const contents = (items: readonly T[]) => ({ [member]: items.map(contentsOf) })
  return [
    ...(added.length > 0
      ? [{ type: `added${noun}` as const, newContents: contents(added), previousContents: null }]
      : []),
    ...(replaced.length > 0
      ? [
          {
            type: `modified${noun}` as const,
            newContents: contents(replaced.map(({ after }) => after)),
            previousContents: contents(replaced.map((pair) => pair.before))
          }
        ]
      : []),
    ...(removed.length > 0
      ? [{ type: `removed${noun}` as const, newContents: null, previousContents: contents(removed) }]
      : [])
  ]
}

function variationOrder(before: StoredFeature, after: StoredFeature): AuditLogChange[] {
  if (!isReordered(before.variations, after.variations)) return []
  const contents = ({ variations }: StoredFeature) => ({ variations: variations.map(({ key }) => key) })
  return [{ type: 'modifiedFeature', newContents: contents(after), previousContents: contents(before) }]
}

function targetingChanges(
  environment: string,
  before: StoredConfiguration | undefined,
  after: StoredConfiguration | undefined
): AuditLogChange[] {
  const [earlier, later] = [before?.targets ?? [], after?.targets ?? []]
  const [was, is] = [before?.status ?? 'inactive', after?.status ?? 'inactive']
  const order = (targets: typeof later) => ({ targets: targets.map(({ _id }) => _id) })
  const changes: AuditLogChange[] = [
    ...itemChanges('Target', 'targets', diffItems(earlier, later)),
    ...(isReordered(earlier, later)
      ? [{ type: 'reorderedTargets' as const, newContents: order(later), previousContents: order(earlier) }]
      : []),
    ...(was === is
      ? []
      : [
          {
            type: is === 'active' ? ('enabledEnvironment' as const) : ('disabledEnvironment' as const),
            newContents: { status: is },
            previousContents: { status: was }
          }
        ])
  ]
  return changes.map((change) => ({ ...change, _environments: [environment] }))
}

/** Whether the common items of both lists have a different order. */
function isReordered(before: readonly { readonly _id: string }[], after: readonly { readonly _id: string }[]): boolean {
  const earlier = new Set(before.map(({ _id }) => _id))
  const later = new Set(after.map(({ _id }) => _id))
  const stay = (items: typeof before) => items.flatMap(({ _id }) => (earlier.has(_id) && later.has(_id) ? [_id] : []))
  return stay(before).join() !== stay(after).join()
}

function environmentOf({ _environment }: StoredConfiguration): string {
  return _environment
}

/** A feature with its variables. */
export function featureContents({ feature, variables }: FeatureState): object {
  return { ...feature, variables: variables.map(contentsOf) }
}

/** Omits timestamps, which the entry itself has. Stored items are JSON. */
function contentsOf(item: object): NonNullable<AuditLogChange['newContents']> {
  const { createdAt, updatedAt, ...contents } = item as Record<string, never>
  return contents
}
