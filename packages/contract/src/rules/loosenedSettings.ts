import type { ProjectSettings } from '../schema/projects/project.ts'
import { approvalSettings } from './approvalSettings.ts'

/**
 * Lists the changed settings that need approval while approvals are on: those that weaken approvals, and those that
 * affect evaluations in protected environments. Turning approvals on or requiring more of them needs no approval.
 */
export function listLoosenedSettings(before: ProjectSettings, after: ProjectSettings): readonly string[] {
  const [one, other] = [readProtections(before), readProtections(after)]
  const weakened = protectionNames.filter((name) => other[name] < one[name])
  const changed = evaluationSettings.filter(([, read]) => read(before) !== read(after)).map(([name]) => name)
  return [...weakened, ...changed]
}

/** Returns the protective settings as numbers; a lower number is weaker. */
function readProtections({ featureApprovalWorkflow, overrides }: ProjectSettings) {
  const { enabled, allowPublisherBypass, requiredApprovals, allowEmergency } = approvalSettings(featureApprovalWorkflow)
  return {
    'featureApprovalWorkflow.enabled': Number(enabled),
    'featureApprovalWorkflow.allowPublisherBypass': Number(!allowPublisherBypass),
    'featureApprovalWorkflow.requiredApprovals': requiredApprovals,
    'featureApprovalWorkflow.allowEmergency': Number(!allowEmergency),
    'overrides.protectedPermission': Number(overrides?.protectedPermission !== 'read')
  }
}

const protectionNames = [
  'featureApprovalWorkflow.enabled',
  'featureApprovalWorkflow.allowPublisherBypass',
  'featureApprovalWorkflow.requiredApprovals',
  'featureApprovalWorkflow.allowEmergency',
  'overrides.protectedPermission'
] as const satisfies readonly (keyof ReturnType<typeof readProtections>)[]

const evaluationSettings: readonly (readonly [string, (settings: ProjectSettings) => boolean])[] = [
  ['edgeDB.enabled', ({ edgeDB }) => edgeDB.enabled],
  ['optIn.enabled', ({ optIn }) => optIn.enabled],
  // Required obfuscation refuses requests, and projects without it serve plain names.
  ['obfuscation.enabled', ({ obfuscation }) => obfuscation.enabled],
  ['obfuscation.required', ({ obfuscation }) => obfuscation.required],
  ['trustClientWrites', ({ trustClientWrites = false }) => trustClientWrites],
  ['disablePassthroughRollouts', ({ disablePassthroughRollouts }) => disablePassthroughRollouts]
]
