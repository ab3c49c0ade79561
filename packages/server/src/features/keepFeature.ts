import { isDeepStrictEqual } from 'node:util'
import type { Edit } from '../audit/edit.ts'
import type { FeatureUndo, StoredConfiguration, StoredFeature, StoredVariable } from '../store/resources.ts'
import type { Collection, Members, Store } from '../store/store.ts'
import { readFeature } from './readFeature.ts'
import { featureChanges } from './rules/changes.ts'
import { type Differences, differencesOf } from './rules/differences.ts'
import type { FeatureState } from './rules/featureState.ts'
import { type Change, changesProtected } from './rules/publishing.ts'

/**
 * Writes what became of a feature, with its audit entry: exactly the items that are others now, or nothing where there
 * is nothing to tell.
 * A variable that the feature does not carry any more, and that is not freed either, is removed.
 */
export async function keepFeature(edit: Edit, change: Change): Promise<FeatureState> {
  const { store, at, note } = edit
  const { before, after } = change
  const { _id: _feature, _project } = after.feature
  const changes = featureChanges(before, after)
  if (before && changes.length === 0) return before

  const { configurations, variables } = await changedOf(store, before, after)
  // Whatever changes of a feature, the feature has changed: but not by what is said about its being stale, which would end that.
  const updatedAt = before && saysOnlyStaleness(before, after) ? before.feature.updatedAt : at
  const feature = {
    ...after.feature,
    updatedAt,
    ...(changesProtected(change) ? { prodTargetingUpdatedAt: at } : {})
  }
  const features: Differences<StoredFeature> = before
    ? { added: [], replaced: [{ before: before.feature, after: feature }], removed: [] }
    : { added: [feature], replaced: [], removed: [] }
  await write(store.collection('variables'), variables, at)
  await write(store.collection('configurations'), configurations, at)
  await write(store.collection('features'), features, updatedAt)
  await removeLostOverrides(store, before, after)
  note({ _project, _feature, undo: undoOf({ features, configurations, variables }) }, changes)
  return readFeature(store, feature)
}

/** Whether two states differ in nothing but what people said about the feature's being stale. */
function saysOnlyStaleness(before: FeatureState, after: FeatureState): boolean {
  const rest = ({ feature, ...parts }: FeatureState) => ({ ...parts, feature: { ...feature, staleness: undefined } })
  return isDeepStrictEqual(rest(before), rest(after))
}

interface Changed {
  readonly features: Differences<StoredFeature>
  readonly configurations: Differences<StoredConfiguration>
  readonly variables: Differences<StoredVariable>
}

async function changedOf(
  store: Store,
  before: FeatureState | undefined,
  after: FeatureState
): Promise<Omit<Changed, 'features'>> {
  const joining = await joiningFrom(store, before, after)
  return {
    configurations: differencesOf(before?.configurations ?? [], after.configurations),
    variables: differencesOf([...(before?.variables ?? []), ...joining], [...after.variables, ...after.freed])
  }
}

/** The variables that join a feature, as they are in the store so far. */
export async function joiningFrom(
  store: Store,
  before: FeatureState | undefined,
  after: FeatureState
): Promise<readonly StoredVariable[]> {
  const known = new Set(before?.variables.map(({ _id }) => _id))
  const joining = after.variables.filter(({ _id }) => !known.has(_id))
  const found = await Promise.all(joining.map(({ _id }) => store.collection('variables').get({ _id })))
  return found.filter((variable) => variable !== undefined)
}

async function write<T extends { readonly _id: string; readonly updatedAt: string; readonly key?: string }>(
  collection: Collection<T>,
  { added, replaced, removed }: Differences<T>,
  updatedAt: string
): Promise<void> {
  // What goes makes room for the keys of what comes, also where two items change theirs for each other's.
  const renamed = replaced.filter(({ before, after }) => before.key !== after.key)
  const kept = replaced.filter((pair) => !renamed.includes(pair))
  for (const { _id } of [...removed, ...renamed.map(({ before }) => before)]) await collection.remove(_id)
  for (const { before, after } of kept) {
    const missing = Object.fromEntries(Object.keys(before).map((member) => [member, undefined]))
    // A whole item, and nothing of the one it replaces.
    await collection.update(before._id, { ...missing, ...after, updatedAt } as unknown as Members<T>)
  }
  for (const item of [...renamed.map(({ after }) => after), ...added]) await collection.insert({ ...item, updatedAt })
}

/** Whoever had chosen a variation that is gone gets what the rules say again. */
async function removeLostOverrides(store: Store, before: FeatureState | undefined, after: FeatureState): Promise<void> {
  const { removed } = differencesOf(before?.feature.variations ?? [], after.feature.variations)
  if (removed.length === 0) return
  const overrides = store.collection('overrides')
  const where = { _feature: after.feature._id }
  const { items } = await overrides.list({ where, oneOf: { _variation: removed.map(({ _id }) => _id) } })
  for (const { _id } of items) await overrides.remove(_id)
}

function undoOf({ features, configurations, variables }: Changed): FeatureUndo {
  const former = <T>({ replaced, removed }: Differences<T>) => [...replaced.map(({ before }) => before), ...removed]
  return {
    features: former(features),
    configurations: former(configurations),
    variables: former(variables),
    added: [features, configurations, variables].flatMap(({ added }) => added.map(({ _id }) => _id))
  }
}
