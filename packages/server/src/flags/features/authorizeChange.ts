import type { Edit } from '../../access/audit/edit.ts'
import type { StoredEnvironment } from '../../storage/resources.ts'
import { assertDirectChangeAllowed, type assertNotLocked } from '../approvals/assertDirectChangeAllowed.ts'
import { persistFeature, readJoiningVariables } from './persistFeature.ts'
import { listEnvironments } from './readFeatureContext.ts'
import { readFeatureState } from './readFeatureState.ts'
import { assertFieldPermissions } from './rules/fieldPermissions.ts'
import type { FeatureState } from './rules/model/featureState.ts'
import { assertCanPublish } from './rules/publishPermission.ts'
import { withoutVariables } from './rules/variations/variables.ts'

/**
 * Keeps what became of a feature, and of those that carried variables until now that join it: `guard` can hold that back.
 * @throws {ApiError} 403 when it takes the right to publish or to write a part of it, or an approval, 409 when a feature that loses a variable is locked.
 */
export async function authorizeChange(
  change: Edit,
  before: FeatureState | undefined,
  after: FeatureState,
  assertAllowed: typeof assertDirectChangeAllowed | typeof assertNotLocked = assertDirectChangeAllowed
): Promise<FeatureState> {
  const environments = await listEnvironments(change.store, { _id: after.feature._project })
  assertCanPublish(change.caller, { before, after, environments })
  assertFieldPermissions(change.caller, before, after)
  const joining = await readJoiningVariables(change.store, before, after)
  const carriers = new Set(joining.flatMap(({ _feature }) => _feature ?? []))
  const ids = new Set(joining.map(({ _id }) => _id))
  for (const carrier of carriers) await detachVariablesFrom(change, carrier, ids, environments, assertAllowed)
  return persistFeature(change, { before, after, environments })
}

/** Takes variables out of a feature: it is archived, so nobody gets anything else and no right to publish is asked for. */
async function detachVariablesFrom(
  change: Edit,
  _feature: string,
  ids: ReadonlySet<string>,
  environments: readonly StoredEnvironment[],
  assertAllowed: typeof assertDirectChangeAllowed | typeof assertNotLocked
): Promise<void> {
  const { store, caller } = change
  const feature = await store.collection('features').get({ _id: _feature })
  const project = feature && (await store.collection('projects').get({ _id: feature._project }))
  if (!project) return
  await assertAllowed(store, project, feature, caller)
  const before = await readFeatureState(store, feature)
  await persistFeature(change, { before, after: withoutVariables(before, ids), environments })
}
