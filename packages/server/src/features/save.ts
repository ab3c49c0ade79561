import { guardFeature, type guardLock } from '../approval/guard.ts'
import type { Edit } from '../audit/edit.ts'
import type { StoredEnvironment } from '../store/resources.ts'
import { joiningFrom, keepFeature } from './keepFeature.ts'
import { environmentsOf } from './readContext.ts'
import { readFeature } from './readFeature.ts'
import type { FeatureState } from './rules/featureState.ts'
import { demandPartRights } from './rules/partRights.ts'
import { demandPublishing } from './rules/publishing.ts'
import { withoutVariables } from './rules/variables.ts'

/**
 * Keeps what became of a feature, and of those that carried variables until now that join it: `guard` can hold that back.
 * @throws {ApiError} 403 when it takes the right to publish or to write a part of it, or an approval, 409 when a feature that loses a variable is locked.
 */
export async function saveFeature(
  change: Edit,
  before: FeatureState | undefined,
  after: FeatureState,
  guard: typeof guardFeature | typeof guardLock = guardFeature
): Promise<FeatureState> {
  const environments = await environmentsOf(change.store, { _id: after.feature._project })
  demandPublishing(change.caller, { before, after, environments })
  demandPartRights(change.caller, before, after)
  const joining = await joiningFrom(change.store, before, after)
  const carriers = new Set(joining.flatMap(({ _feature }) => _feature ?? []))
  const ids = new Set(joining.map(({ _id }) => _id))
  for (const carrier of carriers) await release(change, carrier, ids, environments, guard)
  return keepFeature(change, { before, after, environments })
}

/** Takes variables out of a feature: it is archived, so nobody gets anything else and no right to publish is asked for. */
async function release(
  change: Edit,
  _feature: string,
  ids: ReadonlySet<string>,
  environments: readonly StoredEnvironment[],
  guard: typeof guardFeature | typeof guardLock
): Promise<void> {
  const { store, caller } = change
  const feature = await store.collection('features').get({ _id: _feature })
  const project = feature && (await store.collection('projects').get({ _id: feature._project }))
  if (!project) return
  await guard(store, project, feature, caller)
  const before = await readFeature(store, feature)
  await keepFeature(change, { before, after: withoutVariables(before, ids), environments })
}
