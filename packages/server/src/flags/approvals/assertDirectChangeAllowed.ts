import type { Operations } from '@burgee/contract'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { refused } from '../../access/permissions/managementError.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import type { FeatureDiff } from '../features/rules/model/featureDiff.ts'
import type { FeatureState } from '../features/rules/model/featureState.ts'
import { protectedServingEnvironments, servesOffValue } from '../features/rules/model/servingEnvironments.ts'
import { isApprovalRequired } from './approvalWorkflow.ts'
import { formatRequestLine } from './formatRequestLine.ts'
import { assertChangeNotLocked, assertNotLocked } from './lock.ts'
import { requiresApproval } from './requiresApproval.ts'
import { canBypassApproval } from './transitions.ts'

interface DirectChange {
  readonly project: StoredProject
  readonly caller: Pick<TokenCaller, 'access'>
  /** The operation that a change request for the change wraps. */
  readonly operation?: keyof Operations | undefined
}

/**
 * Asserts that a change can be made without a change request.
 * @throws {HttpError} 409 when an open change request locks what it changes, 403 when it needs approval.
 */
export async function assertDirectChangeAllowed(
  store: Store,
  diff: FeatureDiff,
  { project, caller, operation = 'updateFeature' }: DirectChange
): Promise<void> {
  await assertChangeNotLocked(store, project, diff)
  if (!isApprovalRequired(project) || canBypassApproval(project, caller) || !requiresApproval(diff)) return
  const { key } = (diff.before ?? diff.after).feature
  const params = { project: project.key, feature: key }
  throw refused(
    'ERR_APPROVAL_REQUIRED',
    `changes of feature "${key}" that affect protected environments need approval: create a change request for ${formatRequestLine(operation, params)} with ${formatRequestLine('createChangeRequest', params)}`
  )
}

/**
 * Asserts that protected environments serve no value of a new feature where that needs approval.
 * @throws {HttpError} 403
 */
export function assertDirectCreationAllowed(
  { after, environments }: Pick<FeatureDiff, 'after' | 'environments'>,
  { project, caller }: DirectChange
): void {
  if (!isApprovalRequired(project) || canBypassApproval(project, caller)) return
  const live = protectedServingEnvironments(after, environments)
  if (live.length === 0) return
  const params = { project: project.key, feature: after.feature.key }
  const request = formatRequestLine('createChangeRequest', params)
  const withOffValues = live.filter((environment) => servesOffValue(after, environment))
  if (withOffValues.length > 0) {
    throw refused(
      'ERR_APPROVAL_REQUIRED',
      `features in project "${project.key}" need approval to have values in ${formatEnvironments(withOffValues)}, where ofrepOffValues is on: create feature "${params.feature}" inactive there with empty lists of variables and variations, then create a change request with ${request}`
    )
  }
  throw refused(
    'ERR_APPROVAL_REQUIRED',
    `features in project "${project.key}" need approval to be turned on in ${formatEnvironments(live)}: create feature "${params.feature}" inactive there, then create a change request with ${request}`
  )
}

/**
 * Asserts that a feature can be removed: no change request of it is open, and protected environments serve no value of
 * it where that needs approval.
 * @throws {HttpError} 409 or 403
 */
export async function assertDirectRemovalAllowed(
  store: Store,
  { state, environments }: { readonly state: FeatureState; readonly environments: readonly StoredEnvironment[] },
  { project, caller }: DirectChange
): Promise<void> {
  await assertNotLocked(store, project, state.feature)
  if (!isApprovalRequired(project) || canBypassApproval(project, caller) || state.feature.status === 'archived') return
  const live = protectedServingEnvironments(state, environments)
  if (live.length === 0) return
  const params = { project: project.key, feature: state.feature.key }
  const withOffValues = live.filter((environment) => servesOffValue(state, environment))
  if (withOffValues.length > 0) {
    throw refused(
      'ERR_APPROVAL_REQUIRED',
      `feature "${params.feature}" has values in ${formatEnvironments(withOffValues)}, where changes need approval and ofrepOffValues is on: archive it first, by a change request with ${formatRequestLine('createChangeRequest', params)}`
    )
  }
  throw refused(
    'ERR_APPROVAL_REQUIRED',
    `feature "${params.feature}" is turned on in ${formatEnvironments(live)}, where changes need approval: turn it off first, by a change request with ${formatRequestLine('createChangeRequest', params)} or immediately with ${formatRequestLine('killFeature', params)}`
  )
}

function formatEnvironments(environments: readonly StoredEnvironment[]): string {
  const keys = environments.map(({ key }) => `"${key}"`)
  return `environment${keys.length > 1 ? 's' : ''} ${keys.join(', ')}`
}
