import { guardLock } from '../approval/guard.ts'
import type { Edit } from '../audit/edit.ts'
import type { StoredEnvironment } from '../store/resources.ts'
import { environmentsOf } from './context.ts'
import { type FeatureState, readFeature } from './featureState.ts'
import { joiningFrom, keepFeature } from './keepFeature.ts'
import { demandPublishing } from './publishing.ts'
import { withoutVariables } from './variables.ts'

/**
 * Keeps what became of a feature, and of those that carried variables until now that join it.
 * @throws {ApiError} 403 when it takes the right to publish, 409 when a feature that loses a variable is locked.
 */
export async function saveFeature(
  edit: Edit,
  before: FeatureState | undefined,
  after: FeatureState
): Promise<FeatureState> {
  const environments = await environmentsOf(edit.store, { _id: after.feature._project })
  demandPublishing(edit.caller, { before, after, environments })
  const joining = await joiningFrom(edit.store, before, after)
  const carriers = new Set(joining.flatMap(({ _feature }) => _feature ?? []))
  const ids = new Set(joining.map(({ _id }) => _id))
  for (const carrier of carriers) await release(edit, carrier, ids, environments)
  return keepFeature(edit, { before, after, environments })
}

/** Takes variables out of a feature: it is archived, so nobody gets anything else and no right to publish is asked for. */
async function release(
  edit: Edit,
  _feature: string,
  ids: ReadonlySet<string>,
  environments: readonly StoredEnvironment[]
): Promise<void> {
  const { store } = edit
  const feature = await store.collection('features').get({ _id: _feature })
  const project = feature && (await store.collection('projects').get({ _id: feature._project }))
  if (!project) return
  await guardLock(store, project, feature)
  const before = await readFeature(store, feature)
  await keepFeature(edit, { before, after: withoutVariables(before, ids), environments })
}
