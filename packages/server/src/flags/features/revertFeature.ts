import { scanFeatureEntries } from '../../access/audit/listAuditEntries.ts'
import { itemNotFound, preconditionFailed } from '../../lib/errors.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { FeatureUndo } from '../../storage/resources/history.ts'
import type { StoredEnvironment } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { audienceReferences } from '../audiences/audienceReferences.ts'
import type { FeatureState } from './rules/model/featureState.ts'
import { revertState } from './rules/revertState.ts'

/**
 * Returns the state of a feature before an entry of its audit log, by undoing that entry and all later ones.
 * @throws {HttpError} 404 when the feature has no such entry, 412 when that state cannot be restored.
 */
export async function revertFeature(
  store: Store,
  state: FeatureState,
  { entryId, environments }: { readonly entryId: string; readonly environments: readonly StoredEnvironment[] }
): Promise<FeatureState> {
  const past = revertState(state, await undosBackTo(store, state.feature, entryId))
  if (!past)
    throw preconditionFailed(`entry ${entryId} is the creation of feature "${state.feature.key}"; delete it instead`)
  const reverted = withoutRemovedEnvironments(past, environments)
  await assertRevertible(store, state, reverted)
  return reverted
}

/** Returns the undo data of an entry and of all later ones, the newest first. */
async function undosBackTo(
  store: Store,
  { _id: _feature, key }: StoredFeature,
  entryId: string
): Promise<readonly FeatureUndo[]> {
  const undos: FeatureUndo[] = []
  for await (const { _id, undo } of scanFeatureEntries(store, _feature)) {
    if (undo) undos.push(undo)
    if (_id !== entryId) continue
    if (!undo) throw preconditionFailed(`entry ${entryId} did not change feature "${key}" itself`)
    return undos
  }
  throw itemNotFound('entry', entryId, { within: `the audit log of feature "${key}"` })
}

function withoutRemovedEnvironments(state: FeatureState, environments: readonly StoredEnvironment[]): FeatureState {
  const ids = new Set(environments.map(({ _id }) => _id))
  return { ...state, configurations: state.configurations.filter(({ _environment }) => ids.has(_environment)) }
}

/** @throws {HttpError} 412 with every obstacle. */
async function assertRevertible(store: Store, present: FeatureState, past: FeatureState): Promise<void> {
  const obstacles = [
    ...(await keyConflicts(store, present, past)),
    ...(await variableConflicts(store, past)),
    ...(await missingAudiences(store, past))
  ]
  if (obstacles.length === 0) return
  throw preconditionFailed(`feature "${present.feature.key}" cannot be reverted: ${[...new Set(obstacles)].join('; ')}`)
}

async function keyConflicts(
  store: Store,
  present: FeatureState,
  { feature, variables }: FeatureState
): Promise<string[]> {
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

async function variableConflicts(store: Store, { feature, variables }: FeatureState): Promise<string[]> {
  const obstacles: string[] = []
  for (const { _id } of variables) {
    const present = await store.collection('variables').get({ _id })
    if (!present?._feature || present._feature === feature._id) continue
    const owner = await store.collection('features').get({ _id: present._feature })
    obstacles.push(`variable "${present.key}" belongs to feature "${owner?.key ?? present._feature}"`)
  }
  return obstacles
}

async function missingAudiences(store: Store, { feature, configurations }: FeatureState): Promise<string[]> {
  const targets = configurations.flatMap((configuration) => configuration.targets)
  const ids = new Set(targets.flatMap(({ audience }) => audienceReferences(audience.filters)))
  const obstacles: string[] = []
  for (const _id of ids) {
    const audience = await store.collection('audiences').get({ _project: feature._project, _id })
    if (!audience) obstacles.push(`audience ${_id}, which a target references, no longer exists`)
  }
  return obstacles
}
