import type { AuditLogEntry } from '@burgee/contract/schemas'

/** The type of a change in the audit log. */
export type AuditChangeType = AuditLogEntry['changes'][number]['type']

const titles: Readonly<Record<string, string>> = {
  modifiedFeature: 'Details changed',
  modifiedFeatureStatus: 'Status changed',
  modifiedSettings: 'Settings changed',
  reorderedTargets: 'Targets reordered',
  enabledEnvironment: 'Turned on',
  disabledEnvironment: 'Turned off',
  killedFeature: 'Killed',
  appliedInEmergency: 'Applied in an emergency',
  expiringSdkKey: 'SDK key expires soon',
  expiringApiClient: 'API client expires soon',
  expiringScimToken: 'SCIM token expires soon',
  expiringWorkloadTrust: 'CI trust expires soon',
  createdWorkloadToken: 'CI job token issued',
  deletedWorkloadToken: 'CI job token revoked',
  deletedUserData: 'User data erased',
  deletedSession: 'Session ended',
  deletedApplication: 'Consent revoked',
  createdMetricAssociation: 'Metric added to a feature',
  deletedMetricAssociation: 'Metric removed from a feature'
}

const nouns: Readonly<Record<string, string>> = {
  SdkKey: 'SDK key',
  ApiClient: 'API client',
  ScimToken: 'SCIM token',
  User: 'Account',
  UserProfile: 'Override identity',
  WorkloadTrust: 'CI trust',
  MetricAssociation: 'Feature metric'
}

const verbs = {
  created: 'created',
  modified: 'changed',
  deleted: 'deleted',
  added: 'added',
  removed: 'removed'
} as const

/** The words for a type of change, for example "Target changed". */
export function changeTitle(type: AuditChangeType): string {
  const [, verb, noun] = /^(created|modified|deleted|added|removed)(\w+)$/.exec(type) ?? []
  const title = titles[type]
  if (title !== undefined || verb === undefined || noun === undefined) return title ?? type
  return `${nouns[noun] ?? toWords(noun)} ${verbs[verb as keyof typeof verbs]}`
}

const requestTitles: Readonly<Record<string, string>> = {
  draft: 'Change request changed',
  pending: 'Change request submitted for review',
  approved: 'Change request approved',
  rejected: 'Change request rejected',
  applied: 'Change request applied',
  cancelled: 'Change request cancelled'
}

/** The words for a change of an entry: for change requests, what happened to them. */
function entryTitle({ type, newContents }: AuditLogEntry['changes'][number]): string {
  if (type !== 'modifiedChangeRequest') return changeTitle(type)
  const { status, reviews, applyAt }: Readonly<Record<string, unknown>> = { ...newContents }
  if (typeof status === 'string' && requestTitles[status] !== undefined) return requestTitles[status]
  // One of several required approvals leaves the status as it is.
  if (reviews !== undefined) return requestTitles.approved ?? changeTitle(type)
  return applyAt === undefined ? changeTitle(type) : 'Change request scheduled'
}

/** What an entry of the audit log changed, for example "Feature created, target added and 1 more". */
export function summarize(changes: AuditLogEntry['changes']): string {
  const [first = 'Changed', ...others] = new Set(changes.map(entryTitle))
  const more = others.map(lowerFirst)
  return more.length > 2 ? `${first}, ${more[0]} and ${more.length - 1} more` : [first, ...more].join(', ')
}

/**
 * The environments of an entry by id, with what changed in each where they differ: a new feature has targets in
 * environments where it is off.
 */
export function environmentNotes(changes: AuditLogEntry['changes']): ReadonlyMap<string, string | undefined> {
  const ids = [...new Set(changes.flatMap(({ _environments = [] }) => _environments))]
  const words = ids.map((id) => summarize(changes.filter(({ _environments = [] }) => _environments.includes(id))))
  const isUniform = new Set(words).size < 2
  return new Map(ids.map((id, index) => [id, isUniform ? undefined : lowerFirst(words[index] ?? '')]))
}

/** The name of what an entry is about, where its contents have one. */
export function nameIn([change]: AuditLogEntry['changes']): string | undefined {
  const { name } = { ...change?.previousContents, ...change?.newContents }
  return typeof name === 'string' ? name : undefined
}

/** The id of the change request of a feature that an entry is about. */
export function requestIn([change]: AuditLogEntry['changes']): string | undefined {
  if (!change || !/^(created|modified|deleted)ChangeRequest$/.test(change.type)) return undefined
  const { _id } = { ...change.previousContents, ...change.newContents, ...change.metadata }
  return typeof _id === 'string' ? _id : undefined
}

/** A text within a sentence; abbreviations keep their capitals. */
export function lowerFirst(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)
}

/** The words for what a type of change is about, for example "Audience". */
export function subjectOf(type: AuditChangeType): string {
  const [, noun = ''] = /^(?:created|modified|deleted)(\w+)$/.exec(type) ?? []
  return details[type] ?? nouns[noun] ?? (noun === '' ? changeTitle(type) : toWords(noun))
}

const details: Readonly<Record<string, string>> = {
  modifiedFeature: 'Details',
  modifiedFeatureStatus: 'Status',
  modifiedSettings: 'Settings'
}

function toWords(noun: string): string {
  const words = noun.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The types of changes that the filter of a feature's history offers. */
export const featureChangeTypes: readonly AuditChangeType[] = [
  'enabledEnvironment',
  'disabledEnvironment',
  'killedFeature',
  'addedTarget',
  'modifiedTarget',
  'removedTarget',
  'reorderedTargets',
  'addedVariation',
  'modifiedVariation',
  'removedVariation',
  'addedVariable',
  'modifiedVariable',
  'removedVariable',
  'modifiedFeature',
  'modifiedFeatureStatus',
  'modifiedSettings',
  'appliedInEmergency',
  'createdFeature'
]

/** The types of changes that the filter of a project's history offers beside those of features. */
export const projectChangeTypes: readonly AuditChangeType[] = [
  ...featureChangeTypes,
  'deletedFeature',
  'createdAudience',
  'modifiedAudience',
  'deletedAudience',
  'createdVariable',
  'modifiedProject',
  'createdEnvironment',
  'modifiedEnvironment',
  'deletedEnvironment',
  'createdSdkKey',
  'deletedSdkKey',
  'createdMetric',
  'modifiedMetric',
  'deletedMetric',
  'createdWebhook',
  'modifiedWebhook',
  'deletedWebhook',
  'createdChangeRequest',
  'modifiedChangeRequest'
]

/** The types of changes that the filter of the audit log of the organization offers beside those of projects. */
export const organizationChangeTypes: readonly AuditChangeType[] = [
  'modifiedOrganization',
  'createdUser',
  'modifiedUser',
  'createdApiClient',
  'modifiedApiClient',
  'deletedApiClient',
  'createdProject',
  'deletedProject',
  'createdSigningKey',
  'createdScimToken',
  'deletedScimToken',
  'createdWorkloadTrust',
  'modifiedWorkloadTrust',
  'deletedWorkloadTrust',
  'deletedUserData',
  'createdObservabilityIntegration',
  'deletedObservabilityIntegration',
  ...projectChangeTypes
]
