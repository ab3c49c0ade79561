import { audiencesIn } from '../audiences/references.ts'
import { itemNotFound, preconditionFailed } from '../errors.ts'
import type { FeatureUndo, StoredAuditEntry, StoredFeature } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { environmentsOf } from './context.ts'
import type { FeatureState } from './featureState.ts'
import { freed } from './variables.ts'

/**
 * A feature as it was before an entry of its audit log: what happened since then is taken back, the latest first.
 * @throws {ApiError} 404 when it has no such entry, 412 when what was cannot be again.
 */
export async function revertFeature(store: Store, state: FeatureState, entryId: string): Promise<FeatureState> {
  const undos = await undosDownTo(store, state.feature, entryId)
  const past = await within(store, undos.reduce(undone, itemsOf(state)))
  const feature = past.features.get(state.feature._id)
  if (!feature)
    throw preconditionFailed(`entry ${entryId} is the creation of feature "${state.feature.key}"; delete it instead`)
  const carried = [...past.variables.values()].filter(({ _feature }) => _feature === feature._id)
  const leaving = [...past.variables.values()].filter(({ _id, _feature }) => {
    return _feature !== feature._id && state.variables.some((variable) => variable._id === _id)
  })
  const reverted = {
    feature,
    configurations: [...past.configurations.values()],
    variables: carried,
    // One that came from an archived feature goes back there when that one's own entry is taken back.
    freed: leaving.map(freed)
  }
  await demandPossible(store, state, reverted)
  return reverted
}

/** The items of a feature at some moment, by id. */
interface Items {
  readonly features: ReadonlyMap<string, FeatureState['feature']>
  readonly configurations: ReadonlyMap<string, FeatureState['configurations'][number]>
  readonly variables: ReadonlyMap<string, FeatureState['variables'][number]>
}

function itemsOf({ feature, configurations, variables }: FeatureState): Items {
  return { features: byId([feature]), configurations: byId(configurations), variables: byId(variables) }
}

function undone(items: Items, { features, configurations, variables, added }: FeatureUndo): Items {
  const before = <T extends { readonly _id: string }>(present: ReadonlyMap<string, T>, former: readonly T[]) => {
    const kept = [...present.values()].filter(({ _id }) => !added.includes(_id))
    return byId([...kept, ...former])
  }
  return {
    features: before(items.features, features),
    configurations: before(items.configurations, configurations),
    variables: before(items.variables, variables)
  }
}

function byId<T extends { readonly _id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item._id, item]))
}

/** What was replaced by an entry and by those after it, the latest first. */
async function undosDownTo(
  store: Store,
  { _id, key }: StoredFeature,
  entryId: string
): Promise<readonly FeatureUndo[]> {
  const query = { where: { _feature: _id }, sortBy: 'sequence', sortOrder: 'desc' } as const
  const { items } = await store.collection('auditEntries').list(query)
  const index = items.findIndex((entry) => entry._id === entryId)
  if (index < 0) throw itemNotFound(entryId, `the audit log of feature "${key}"`)
  if (!items[index]?.undo) throw preconditionFailed(`entry ${entryId} changed nothing of feature "${key}" itself`)
  return items.slice(0, index + 1).flatMap(({ undo }: StoredAuditEntry) => undo ?? [])
}

/** Leaves out the environments that are gone. */
async function within(store: Store, items: Items): Promise<Items> {
  const [feature] = items.features.values()
  if (!feature) return items
  const environments = await environmentsOf(store, { _id: feature._project })
  const ids = new Set(environments.map(({ _id }) => _id))
  const kept = [...items.configurations.values()].filter(({ _environment }) => ids.has(_environment))
  return { ...items, configurations: byId(kept) }
}

/** @throws {ApiError} 412 with what stands in the way. */
async function demandPossible(store: Store, present: FeatureState, past: FeatureState): Promise<void> {
  const obstacles = [
    ...(await takenKeys(store, present, past)),
    ...(await takenVariables(store, past)),
    ...(await lostAudiences(store, past))
  ]
  if (obstacles.length === 0) return
  throw preconditionFailed(
    `feature "${present.feature.key}" cannot be again what it was: ${[...new Set(obstacles)].join('; ')}`
  )
}

async function takenKeys(store: Store, present: FeatureState, { feature, variables }: FeatureState): Promise<string[]> {
  const { _project } = feature
  const other = await store.collection('features').get({ _project, key: feature.key })
  const obstacles = other && other._id !== feature._id ? [`another feature has the key "${feature.key}"`] : []
  const own = new Set([...variables, ...present.variables].map(({ _id }) => _id))
  for (const { key } of variables) {
    const holder = await store.collection('variables').get({ _project, key })
    if (holder && !own.has(holder._id)) obstacles.push(`another variable has the key "${key}"`)
  }
  return obstacles
}

async function takenVariables(store: Store, { feature, variables }: FeatureState): Promise<string[]> {
  const obstacles: string[] = []
  for (const { _id } of variables) {
    const present = await store.collection('variables').get({ _id })
    if (!present?._feature || present._feature === feature._id) continue
    const carrier = await store.collection('features').get({ _id: present._feature })
    obstacles.push(`variable "${present.key}" belongs to feature "${carrier?.key ?? present._feature}"`)
  }
  return obstacles
}

async function lostAudiences(store: Store, { feature, configurations }: FeatureState): Promise<string[]> {
  const targets = configurations.flatMap((configuration) => configuration.targets)
  const ids = new Set(targets.flatMap(({ audience }) => audiencesIn(audience.filters)))
  const obstacles: string[] = []
  for (const _id of ids) {
    const audience = await store.collection('audiences').get({ _project: feature._project, _id })
    if (!audience) obstacles.push(`audience ${_id}, which a target asks for, is gone`)
  }
  return obstacles
}
