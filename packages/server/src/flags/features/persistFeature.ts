import { isDeepStrictEqual } from 'node:util'
import type { Edit } from '../../access/audit/edit.ts'
import type { FeatureUndo, StoredConfiguration, StoredFeature, StoredVariable } from '../../storage/resources.ts'
import type { Collection, ItemPatch, Store } from '../../storage/store.ts'
import { readFeatureState } from './readFeatureState.ts'
import { featureAuditChanges } from './rules/featureAuditChanges.ts'
import { diffItems, type ItemDiff } from './rules/model/diffItems.ts'
import type { FeatureState } from './rules/model/featureState.ts'
import { changesProtectedTargeting, type FeatureDiff } from './rules/publishPermission.ts'

/**
 * Writes what became of a feature, with its audit entry: exactly the items that are others now, or nothing where there
 * is nothing to tell.
 * A variable that the feature does not carry any more, and that is not freed either, is removed.
 */
export async function persistFeature(edit: Edit, change: FeatureDiff): Promise<FeatureState> {
  const { store, at, recordChanges } = edit
  const { before, after } = change
  const { _id: _feature, _project } = after.feature
  const changes = featureAuditChanges(before, after)
  if (before && changes.length === 0) return before

  const { configurations, variables } = await diffStoredItems(store, before, after)
  // Whatever changes of a feature, the feature has changed: but not by what is said about its being stale, which would end that.
  const updatedAt = before && isStalenessOnlyDifference(before, after) ? before.feature.updatedAt : at
  const feature = {
    ...after.feature,
    updatedAt,
    ...(changesProtectedTargeting(change) ? { prodTargetingUpdatedAt: at } : {})
  }
  const features: ItemDiff<StoredFeature> = before
    ? { added: [], replaced: [{ before: before.feature, after: feature }], removed: [] }
    : { added: [feature], replaced: [], removed: [] }
  await writeDiff(store.collection('variables'), variables, at)
  await writeDiff(store.collection('configurations'), configurations, at)
  await writeDiff(store.collection('features'), features, updatedAt)
  await removeOverridesOfRemovedVariations(store, before, after)
  recordChanges({ _project, _feature, undo: toUndo({ features, configurations, variables }) }, changes)
  return readFeatureState(store, feature)
}

/** Whether two states differ in nothing but what people said about the feature's being stale. */
function isStalenessOnlyDifference(before: FeatureState, after: FeatureState): boolean {
  const rest = ({ feature, ...parts }: FeatureState) => ({ ...parts, feature: { ...feature, staleness: undefined } })
  return isDeepStrictEqual(rest(before), rest(after))
}

interface ChangedItems {
  readonly features: ItemDiff<StoredFeature>
  readonly configurations: ItemDiff<StoredConfiguration>
  readonly variables: ItemDiff<StoredVariable>
}

async function diffStoredItems(
  store: Store,
  before: FeatureState | undefined,
  after: FeatureState
): Promise<Omit<ChangedItems, 'features'>> {
  const joining = await readJoiningVariables(store, before, after)
  return {
    configurations: diffItems(before?.configurations ?? [], after.configurations),
    variables: diffItems([...(before?.variables ?? []), ...joining], [...after.variables, ...after.detachedVariables])
  }
}

/** The variables that join a feature, as they are in the store so far. */
export async function readJoiningVariables(
  store: Store,
  before: FeatureState | undefined,
  after: FeatureState
): Promise<readonly StoredVariable[]> {
  const known = new Set(before?.variables.map(({ _id }) => _id))
  const joining = after.variables.filter(({ _id }) => !known.has(_id))
  const found = await Promise.all(joining.map(({ _id }) => store.collection('variables').get({ _id })))
  return found.filter((variable) => variable !== undefined)
}

async function writeDiff<T extends { readonly _id: string; readonly updatedAt: string; readonly key?: string }>(
  collection: Collection<T>,
  { added, replaced, removed }: ItemDiff<T>,
  updatedAt: string
): Promise<void> {
  // What goes makes room for the keys of what comes, also where two items change theirs for each other's.
  const renamed = replaced.filter(({ before, after }) => before.key !== after.key)
  const kept = replaced.filter((pair) => !renamed.includes(pair))
  for (const { _id } of [...removed, ...renamed.map(({ before }) => before)]) await collection.remove(_id)
  for (const { before, after } of kept) {
    const missing = Object.fromEntries(Object.keys(before).map((member) => [member, undefined]))
    // A whole item, and nothing of the one it replaces.
    await collection.update(before._id, { ...missing, ...after, updatedAt } as unknown as ItemPatch<T>)
  }
  for (const item of [...renamed.map(({ after }) => after), ...added]) await collection.insert({ ...item, updatedAt })
}

/** Whoever had chosen a variation that is gone gets what the rules say again. */
async function removeOverridesOfRemovedVariations(
  store: Store,
  before: FeatureState | undefined,
  after: FeatureState
): Promise<void> {
  const { removed } = diffItems(before?.feature.variations ?? [], after.feature.variations)
  if (removed.length === 0) return
  const overrides = store.collection('overrides')
  const where = { _feature: after.feature._id }
  const { items } = await overrides.list({ where, oneOf: { _variation: removed.map(({ _id }) => _id) } })
  for (const { _id } of items) await overrides.remove(_id)
}

function toUndo({ features, configurations, variables }: ChangedItems): FeatureUndo {
  const former = <T>({ replaced, removed }: ItemDiff<T>) => [...replaced.map(({ before }) => before), ...removed]
  return {
    features: former(features),
    configurations: former(configurations),
    variables: former(variables),
    added: [features, configurations, variables].flatMap(({ added }) => added.map(({ _id }) => _id))
  }
}
