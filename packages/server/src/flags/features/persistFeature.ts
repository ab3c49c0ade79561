import { isDeepStrictEqual } from 'node:util'
import type { Variation } from '@burgee/core'
import type { Edit } from '../../access/audit/edit.ts'
import type { StoredConfiguration, StoredFeature, StoredVariable } from '../../storage/resources/feature.ts'
import type { FeatureUndo } from '../../storage/resources/history.ts'
import type { Collection, ItemPatch } from '../../storage/store.ts'
import { removeOverrides } from '../overrides/overrides.ts'
import { readFeatureState } from './readFeatureState.ts'
import { featureAuditChanges } from './rules/featureAuditChanges.ts'
import { type ItemDiff, isEmptyDiff } from './rules/model/diffItems.ts'
import type { FeatureDiff } from './rules/model/featureDiff.ts'
import type { FeatureState } from './rules/model/featureState.ts'

/**
 * Writes the items of a feature that differ, and the audit entry. Writes nothing if none differs. Deletes variables
 * that are removed from the feature without being detached.
 */
export async function persistFeature(edit: Edit, diff: FeatureDiff): Promise<FeatureState> {
  const { store, at, recordChanges } = edit
  const { before, after, configurations, storedVariables: variables } = diff
  const { _id: _feature, _project } = after.feature
  const changes = featureAuditChanges(diff)
  if (before && changes.length === 0) return before

  // A staleness update must not count as a modification, which would end the staleness.
  const updatedAt = before && changesStalenessOnly(diff, before) ? before.feature.updatedAt : at
  const feature = {
    ...after.feature,
    updatedAt,
    ...(diff.changesProtectedTargeting ? { prodTargetingUpdatedAt: at } : {})
  }
  const features: ItemDiff<StoredFeature> = before
    ? { added: [], replaced: [{ before: before.feature, after: feature }], removed: [] }
    : { added: [feature], replaced: [], removed: [] }
  await writeDiff(store.collection('variables'), variables, at)
  await writeDiff(store.collection('configurations'), configurations, at)
  await writeDiff(store.collection('features'), features, updatedAt)
  recordChanges({ _project, _feature, undo: toUndo({ features, configurations, variables }) }, changes)
  await endOverrides(edit, _feature, diff.variations.removed)
  return readFeatureState(store, feature)
}

function changesStalenessOnly({ after, configurations, storedVariables }: FeatureDiff, before: FeatureState): boolean {
  if (!isEmptyDiff(configurations) || !isEmptyDiff(storedVariables)) return false
  const rest = ({ feature }: FeatureState) => ({ ...feature, staleness: undefined })
  return isDeepStrictEqual(rest(before), rest(after))
}

async function writeDiff<T extends { readonly _id: string; readonly updatedAt: string; readonly key?: string }>(
  collection: Collection<T>,
  { added, replaced, removed }: ItemDiff<T>,
  updatedAt: string
): Promise<void> {
  // Removals come first and free their keys; renamed items are removed and inserted, so that two can swap keys.
  const renamed = replaced.filter(({ before, after }) => before.key !== after.key)
  const kept = replaced.filter((pair) => !renamed.includes(pair))
  for (const { _id } of [...removed, ...renamed.map(({ before }) => before)]) await collection.remove(_id)
  for (const { before, after } of kept) {
    const cleared = Object.fromEntries(Object.keys(before).map((member) => [member, undefined]))
    // All members of an item, and `undefined` for members that it no longer has.
    await collection.update(before._id, { ...cleared, ...after, updatedAt } as unknown as ItemPatch<T>)
  }
  for (const item of [...renamed.map(({ after }) => after), ...added]) await collection.insert({ ...item, updatedAt })
}

/** Users with an override for a removed variation are served by the targets again. */
async function endOverrides(edit: Edit, _feature: string, removed: readonly Variation[]): Promise<void> {
  if (removed.length === 0) return
  const oneOf = { _variation: removed.map(({ _id }) => _id) }
  await removeOverrides(edit, (await edit.store.collection('overrides').list({ where: { _feature }, oneOf })).items)
}

interface StoredItems {
  readonly features: ItemDiff<StoredFeature>
  readonly configurations: ItemDiff<StoredConfiguration>
  readonly variables: ItemDiff<StoredVariable>
}

function toUndo({ features, configurations, variables }: StoredItems): FeatureUndo {
  const former = <T>({ replaced, removed }: ItemDiff<T>) => [...replaced.map(({ before }) => before), ...removed]
  return {
    features: former(features),
    configurations: former(configurations),
    variables: former(variables),
    added: [features, configurations, variables].flatMap(({ added }) => added.map(({ _id }) => _id))
  }
}
