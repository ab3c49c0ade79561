import { isDeepStrictEqual } from 'node:util'
import type { Permission } from '@burgee/contract'
import type { Feature, UpdateFeature, UpdateFeatureStatus, Variable } from '@burgee/contract/schemas'
import { approvalPolicy } from '../approvals/approvalPolicy.ts'
import { affectedEnvironments } from '../plan/diff/affectedEnvironments.ts'
import type { Plan } from '../plan/plan.ts'
import { applyUpdate, isOfType } from '../plan/state/applyUpdate.ts'
import type { FeatureContext, FeatureWithEnvironments } from '../plan/state/featureContext.ts'
import { featureState } from '../plan/state/featureState.ts'
import { formatJson, formatQuoted } from '../results/formatQuoted.ts'
import { ToolError } from '../results/toolError.ts'

// The API would reject these calls. Rejecting them earlier avoids asking for a confirmation in vain.

/** @throws {ToolError} when the caller cannot change the feature. */
export function assertWritable({ key, readonly }: Pick<Feature, 'key' | 'readonly'>): void {
  if (readonly) throw missingPermission('feature:write', key)
}

/** @throws {ToolError} when the feature is archived. */
export function assertNotArchived({ key, status }: Pick<Feature, 'key' | 'status'>): void {
  if (status !== 'archived') return
  throw new ToolError(
    'VALIDATION_ERROR',
    `feature ${formatQuoted(key)} is archived: reactivate it with update_feature_status first`
  )
}

/** Without `project` for changes that change requests do not support. */
type PublishContext = FeatureWithEnvironments & Partial<Pick<FeatureContext, 'project'>>

/** @throws {ToolError} when the plan affects an environment in which the caller cannot publish. */
export function assertPublishable({ environments }: Pick<Plan, 'environments'>, context: PublishContext): void {
  const affected = new Set(environments.map(({ key }) => key))
  const denied = unpublishableEnvironments(context).find(({ key }) => affected.has(key))
  if (denied) throw missingPermission('feature:publish', context.feature.key, denied.key)
}

/** @throws {ToolError} when an update changes an environment in which the caller cannot publish. */
export function assertUpdatePublishable(body: UpdateFeature, context: FeatureContext): void {
  const denied = unpublishableEnvironments(context)
  if (denied.length === 0) return
  const before = featureState(context.feature, context.environments)
  const after = applyUpdate(before, body)
  const others = after.configurations.filter((one, index) => !isDeepStrictEqual(one, before.configurations[index]))
  const environments = affectedEnvironments(before, after)
  assertPublishable({ environments: [...others.map(({ environment }) => environment), ...environments] }, context)
}

/** @throws {ToolError} when a status other than `complete` has a variation for all users. */
export function assertNoStaticVariation({ status, staticVariation }: UpdateFeatureStatus): void {
  if (status === 'complete' || staticVariation === undefined) return
  throw new ToolError('VALIDATION_ERROR', `staticVariation must be omitted when status is ${status}`)
}

/** @throws {ToolError} when the caller cannot publish in every environment, which a change of status requires. */
export function assertStatusPublishable({ changes }: Pick<Plan, 'changes'>, context: FeatureContext): void {
  const [denied] = unpublishableEnvironments(context)
  if (denied && changes.length > 0) throw missingPermission('feature:publish', context.feature.key)
}

/** @throws {ToolError} when existing values of a variable do not fit its new type. */
export function assertValuesFit(
  { key, type: oldType }: Variable,
  type: Variable['type'] | undefined,
  parent?: FeatureWithEnvironments
): void {
  if (!parent || type === undefined || type === oldType) return
  const mismatches = parent.feature.variations.flatMap(({ key: variation, variables = {} }) => {
    const value = variables[key]
    if (value === undefined || isOfType(type, value)) return []
    return [
      `variation ${formatQuoted(variation)}: variable ${formatQuoted(key)} must be a ${type}, got ${formatJson(value)}`
    ]
  })
  if (mismatches.length === 0) return
  throw new ToolError('VALIDATION_ERROR', `existing values do not fit the new type: ${mismatches.join('; ')}`)
}

/**
 * Returns the environments in which the caller lacks the permission to publish. Empty when the caller cannot change the
 * feature at all, or if changes become change requests instead.
 */
function unpublishableEnvironments({ feature, environments, project }: PublishContext): PublishContext['environments'] {
  if (feature.readonly || (project && approvalPolicy(project) !== 'none')) return []
  const denied = new Set(
    feature.configurations.filter(({ readonly }) => readonly).map(({ _environment }) => _environment)
  )
  return environments.filter(({ _id }) => denied.has(_id))
}

function missingPermission(permission: Permission, feature: string, environment?: string): ToolError {
  const where = environment === undefined ? '' : ` in environment ${formatQuoted(environment)}`
  return new ToolError(
    'PERMISSION_ERROR',
    `changing feature ${formatQuoted(feature)}${where} requires the permission ${permission}`,
    { missingPermission: permission }
  )
}
