import type { Operation } from '@burgee/contract'

/**
 * Returns the name of an operation's command: the nouns of its path, then a verb. `names` has the exceptions.
 *
 * The version, the current organization and the project are left out; the project is a flag.
 */
export function commandName(operation: Operation): string {
  const { id } = operation
  return names[id] ?? [...nounsOf(operation), verbOf(operation)].join(' ')
}

/** Returns the segments of the path that name resources: `features`, `{feature}`, `kill`. */
export function segmentsOf({ path }: Pick<Operation, 'path'>): readonly string[] {
  const [, ...segments] = path.split('/').filter(Boolean)
  const [first = '', second = ''] = segments
  if (first === 'semantic') return segmentsOf({ path: path.replace('/semantic', '') })
  if (first === 'organizations' && second === 'current') return segments.slice(2)
  return hasProject(segments) ? segments.slice(2) : segments
}

/** Whether the project of a path is a flag: something follows it. */
function hasProject(segments: readonly string[]): boolean {
  return segments[0] === 'projects' && isParameter(segments[1]) && segments.length > 2
}

/** Returns the path parameter that is the project, which is a flag of every command that has one. */
export function projectParameter({ path }: Pick<Operation, 'path'>): string | undefined {
  return /\/projects\/\{(\w+)\}\//.exec(path)?.[1]
}

function isParameter(segment: string | undefined): boolean {
  return segment?.startsWith('{') ?? false
}

function nounsOf(operation: Operation): readonly string[] {
  const nouns = segmentsOf(operation).filter((segment) => !isParameter(segment))
  return (isAction(operation) ? nouns.slice(0, -1) : nouns).map(toKebabCase)
}

function verbOf(operation: Operation): string {
  if (isAction(operation)) return toKebabCase(segmentsOf(operation).at(-1) ?? '')
  if (operation.path.includes('/semantic/')) return 'patch'
  if (operation.method === 'GET') return operation.responseKind === 'list' || isUnpagedList(operation) ? 'list' : 'get'
  return { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' }[operation.method]
}

/** Whether the last word of the path is a verb, as in `features/{feature}/kill`. */
function isAction(operation: Operation): boolean {
  const segments = segmentsOf(operation)
  return isParameter(segments.at(-2)) && !isParameter(segments.at(-1)) && actions.includes(segments.at(-1) ?? '')
}

const actions = [
  'apply',
  'cancel',
  'explain',
  'kill',
  'preview',
  'rebase',
  'redeliver',
  'review',
  'schedule',
  'sign-out',
  'submit',
  'test'
]

function isUnpagedList({ id }: Operation): boolean {
  return id.startsWith('list')
}

/** Returns a name of the API as a word of the command line: `customProperties` is `custom-properties`. */
export function toKebabCase(name: string): string {
  return name
    .replace(/^_+/, '')
    .replaceAll('_', '-')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/^-/, '')
}

/** Names that read better than those of the rules. Each id exists, and each name differs from that of the rules. */
export const names: Readonly<Record<string, string>> = {
  listMembers: 'organizations members list',
  getOrganizationSettings: 'organizations settings get',
  updateOrganizationSettings: 'organizations settings update',
  rotateSigningKey: 'organizations signing-keys rotate',
  verifyAudit: 'audit verify',
  exportAudit: 'audit export',
  exportAccessLog: 'access-log export',
  getUserPermissions: 'users permissions',
  resetPassword: 'users reset-password',
  resetSecondFactors: 'users reset-second-factors',
  changePassword: 'me password',
  getSession: 'me get',
  endOwnSession: 'me sessions end',
  revokeOwnApplication: 'me applications revoke',
  signOutEverywhere: 'me sign-out',
  startAuthenticatorApp: 'me second-factors start-app',
  confirmAuthenticatorApp: 'me second-factors confirm-app',
  startPasskey: 'me second-factors start-passkey',
  addPasskey: 'me second-factors add-passkey',
  replaceRecoveryCodes: 'me second-factors recovery-codes',
  countWaitingReviews: 'me waiting-reviews',
  rotateApiClientSecret: 'clients rotate-secret',
  revokeWorkloadToken: 'trusts tokens revoke',
  updateProjectSettings: 'projects settings update',
  updateProtectedSettings: 'projects protected-settings update',
  getStaleFeatures: 'features stale',
  generateSdkKeys: 'keys create',
  updateSdkKey: 'keys update',
  invalidateSdkKey: 'keys revoke',
  listUserSigningSecrets: 'user-signing-secrets list',
  createUserSigningSecret: 'user-signing-secrets create',
  deleteUserSigningSecret: 'user-signing-secrets delete',
  exportUserData: 'user-data export',
  eraseUserData: 'user-data erase',
  listFeatureSummaries: 'features summaries',
  updateFeatureStatus: 'features status',
  updateFeatureSummary: 'features summary',
  getStaticConfiguration: 'features static get',
  updateStaticConfiguration: 'features static update',
  getFeatureAudit: 'features audit',
  revertFeature: 'features revert',
  createFeatures: 'features create-many',
  updateFeatures: 'features update-many',
  linkIssue: 'features issues link',
  listIssues: 'features issues list',
  unlinkIssue: 'features issues unlink',
  createVariation: 'variations create',
  listVariations: 'variations list',
  getVariation: 'variations get',
  updateVariation: 'variations update',
  updateVariableStatus: 'variables status',
  validateVariableValue: 'variables validate',
  listFeatureConfigurations: 'targeting get',
  updateFeatureConfiguration: 'targeting update',
  getAudienceUsage: 'audiences usage',
  previewAudience: 'audiences preview',
  listSampleUsers: 'environments sample-users',
  compareEnvironments: 'environments compare',
  getMetricResults: 'metrics results',
  testMetricResults: 'metrics try',
  listMetricAssociations: 'metrics associations list',
  createMetricAssociation: 'metrics associations create',
  deleteMetricAssociation: 'metrics associations delete',
  getUserProfile: 'identity get',
  updateUserProfile: 'identity update',
  updateFeatureOverride: 'overrides set',
  getCurrentFeatureOverrides: 'overrides get',
  deleteFeatureOverride: 'overrides clear',
  getFeatureOverrides: 'overrides team',
  deleteFeatureOverrides: 'overrides clear-team',
  listCurrentOverrides: 'overrides list',
  deleteCurrentOverrides: 'overrides clear-all',
  rotateWebhookSecret: 'webhooks secret rotate',
  updateObservabilityIntegration: 'integrations observability set',
  getObservabilityIntegrations: 'integrations observability list',
  listIssueTrackers: 'integrations issue-tracker list',
  connectIssueTrackerOrganization: 'integrations issue-tracker connect-organization',
  connectIssueTrackerProject: 'integrations issue-tracker connect-project',
  deleteIssueTrackerOrganization: 'integrations issue-tracker disconnect-organization',
  deleteIssueTrackerProject: 'integrations issue-tracker disconnect-project',
  updateCodeUsages: 'code-usages upload',
  getManifest: 'manifest get',
  createManifestFlag: 'manifest create-flag',
  updateManifestFlag: 'manifest update-flag',
  archiveManifestFlag: 'manifest archive-flag',
  getFeatureTotalEvaluations: 'evaluations feature',
  getProjectTotalEvaluations: 'evaluations project',
  getProjectEvaluations: 'evaluations users',
  createChangeRequest: 'change-requests create',
  listPendingChangeRequests: 'change-requests pending',
  getLatestChangeRequest: 'change-requests latest',
  getChangeRequest: 'change-requests get',
  updateChangeRequest: 'change-requests update',
  rebaseChangeRequest: 'change-requests rebase',
  submitChangeRequest: 'change-requests submit',
  reviewChangeRequest: 'change-requests review',
  scheduleChangeRequest: 'change-requests schedule',
  applyChangeRequest: 'change-requests apply',
  cancelChangeRequest: 'change-requests cancel',
  createProjectChangeRequest: 'project-change-requests create',
  getProjectChangeRequest: 'project-change-requests get',
  updateProjectChangeRequest: 'project-change-requests update',
  rebaseProjectChangeRequest: 'project-change-requests rebase',
  submitProjectChangeRequest: 'project-change-requests submit',
  reviewProjectChangeRequest: 'project-change-requests review',
  scheduleProjectChangeRequest: 'project-change-requests schedule',
  applyProjectChangeRequest: 'project-change-requests apply',
  cancelProjectChangeRequest: 'project-change-requests cancel'
}
