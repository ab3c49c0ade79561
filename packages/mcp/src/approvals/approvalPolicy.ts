import { isDeepStrictEqual } from 'node:util'
import { isProtected, type Project } from '@burgee/contract/schemas'
import { type FeatureState, isServed } from '../plan/featureState.ts'

/** Whose changes of features require approval: those of `all` members, or of `some`, who lack the permission to publish. */
export function approvalPolicy({ settings }: Pick<Project, 'settings'>): 'none' | 'some' | 'all' {
  const { enabled, allowPublisherBypass } = settings.featureApprovalWorkflow
  if (!enabled) return 'none'
  return allowPublisherBypass ? 'some' : 'all'
}

/** The end of a summary where changes may become change requests. */
export function approvalNote(project: Pick<Project, 'settings'>, what = 'It'): string {
  const consequence = 'becomes a change request, and takes effect only after another person approves it.'
  const approval = approvalPolicy(project)
  if (approval === 'none') return ''
  return approval === 'all'
    ? ` ${what} ${consequence}`
    : ` Unless the person can publish without approval, ${what.toLowerCase()} ${consequence}`
}

/**
 * Whether a change requires approval where the project has approvals: it changes the configuration of a protected
 * environment, or a shared part of a feature that is on in one.
 */
export function affectsProtected(before: FeatureState, after: FeatureState): boolean {
  const isSharedChanged = !isEqualJson(sharedParts(before), sharedParts(after))
  return after.configurations.some((configuration, index) => {
    if (!isProtected(configuration.environment)) return false
    const earlier = before.configurations[index]
    const isAffected = isServed(after, configuration) || (earlier !== undefined && isServed(before, earlier))
    return (isAffected && isSharedChanged) || !isEqualJson(earlier, configuration)
  })
}

function sharedParts({ configurations, ...shared }: FeatureState): object {
  return shared
}

/** Compares without `undefined` members, which `isDeepStrictEqual` would count as differences. */
function isEqualJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one ?? null)), JSON.parse(JSON.stringify(other ?? null)))
}
