import type { ProjectSettings } from '@burgee/contract/schemas'

/**
 * Lists the settings whose change needs approval while approvals are on: what weakens approvals, and what evaluations in
 * protected environments use. Switching approvals on, or asking for more of them, is not among them.
 */
export function listLoosenedSettings(before: ProjectSettings, after: ProjectSettings): readonly string[] {
  const [one, other] = [readGuards(before), readGuards(after)]
  const weakened = guardNames.filter((name) => other[name] < one[name])
  const changed = evaluationSettings.filter(([, read]) => read(before) !== read(after)).map(([name]) => name)
  return [...weakened, ...changed]
}

/** The settings that protect, as numbers: a lower one protects less. */
function readGuards({ featureApprovalWorkflow, overrides }: ProjectSettings) {
  const { enabled, allowPublisherBypass, requiredApprovals = 1, allowEmergency = true } = featureApprovalWorkflow
  return {
    'featureApprovalWorkflow.enabled': Number(enabled),
    'featureApprovalWorkflow.allowPublisherBypass': Number(!allowPublisherBypass),
    'featureApprovalWorkflow.requiredApprovals': requiredApprovals,
    'featureApprovalWorkflow.allowEmergency': Number(!allowEmergency),
    'overrides.protectedPermission': Number(overrides?.protectedPermission !== 'read')
  }
}

const guardNames = [
  'featureApprovalWorkflow.enabled',
  'featureApprovalWorkflow.allowPublisherBypass',
  'featureApprovalWorkflow.requiredApprovals',
  'featureApprovalWorkflow.allowEmergency',
  'overrides.protectedPermission'
] as const satisfies readonly (keyof ReturnType<typeof readGuards>)[]

const evaluationSettings: readonly (readonly [string, (settings: ProjectSettings) => boolean])[] = [
  ['edgeDB.enabled', ({ edgeDB }) => edgeDB.enabled],
  ['optIn.enabled', ({ optIn }) => optIn.enabled],
  ['trustClientWrites', ({ trustClientWrites = false }) => trustClientWrites],
  ['disablePassthroughRollouts', ({ disablePassthroughRollouts }) => disablePassthroughRollouts]
]
