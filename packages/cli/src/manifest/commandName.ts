import type { Operation } from '@burgee/contract'

/** Returns the name of an operation's command. `names` has the exceptions from the rules. */
export function commandName(operation: Operation): string {
  return names[operation.id] ?? regularName(operation)
}

/**
 * Returns the name by the rules: the nouns of the path, then a verb. The version, the current organization and the
 * project are left out; the project is a flag.
 */
export function regularName(operation: Operation): string {
  return [nounsOf(operation), verbOf(operation)].filter(Boolean).join(' ')
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

/** Returns the words that name the resource. */
function nounsOf(operation: Operation): string {
  const nouns = segmentsOf(operation).filter((segment) => !isParameter(segment))
  const path = (isAction(operation) ? nouns.slice(0, -1) : nouns).map(toKebabCase).join(' ')
  const known = Object.keys(resources).find((resource) => `${path} `.startsWith(`${resource} `))
  return known === undefined ? path : `${resources[known]}${path.slice(known.length)}`
}

/** The resources with a name of their own, by the words of their path. */
const resources: Readonly<Record<string, string>> = {
  'change-requests': 'project-change-requests',
  'environments sdk-keys': 'keys',
  'environments user-signing-secrets': 'user-signing-secrets',
  'features change-requests': 'change-requests',
  'features configurations': 'targeting',
  'features integrations issues': 'features issues',
  'features static-configuration': 'features static',
  'features variations': 'variations',
  'metric-associations': 'metrics associations',
  'openfeature v0 manifest': 'manifest',
  'settings protected': 'projects protected-settings',
  'user-profile current': 'identity'
}

function verbOf(operation: Operation): string {
  if (isAction(operation)) return toKebabCase(segmentsOf(operation).at(-1) ?? '')
  if (operation.path.includes('/semantic/')) return 'patch'
  if (operation.method === 'GET') return operation.responseKind === 'list' || isUnpagedList(operation) ? 'list' : 'get'
  return { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' }[operation.method]
}

/** Whether the last word of the path stands for the verb, for example `features/{feature}/kill`. */
function isAction(operation: Operation): boolean {
  const segments = segmentsOf(operation)
  return segments.length > 1 && actions.includes(segments.at(-1) ?? '')
}

/** Words that say what an operation does, and parts of resources that have one operation. */
const actions = [
  'apply',
  'cancel',
  'explain',
  'export',
  'kill',
  'permissions',
  'preview',
  'rebase',
  'recovery-codes',
  'redeliver',
  'review',
  'sample-users',
  'schedule',
  'sign-out',
  'status',
  'submit',
  'summary',
  'test',
  'usage',
  'validate',
  'waiting-reviews'
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
  resetPassword: 'users reset-password',
  resetSecondFactors: 'users reset-second-factors',
  changePassword: 'me password',
  getSession: 'me get',
  endOwnSession: 'me sessions end',
  revokeOwnApplication: 'me applications revoke',
  startAuthenticatorApp: 'me second-factors start-app',
  confirmAuthenticatorApp: 'me second-factors confirm-app',
  startPasskey: 'me second-factors start-passkey',
  addPasskey: 'me second-factors add-passkey',
  rotateApiClientSecret: 'clients rotate-secret',
  revokeWorkloadToken: 'trusts tokens revoke',
  updateProjectSettings: 'projects settings update',
  getStaleFeatures: 'features stale',
  invalidateSdkKey: 'keys revoke',
  exportUserData: 'user-data export',
  eraseUserData: 'user-data erase',
  listFeatureSummaries: 'features summaries',
  getFeatureAudit: 'features audit',
  revertFeature: 'features revert',
  listChangeRequests: 'change-requests list',
  createFeatures: 'features create-many',
  updateFeatures: 'features update-many',
  linkIssue: 'features issues link',
  unlinkIssue: 'features issues unlink',
  listFeatureConfigurations: 'targeting get',
  compareEnvironments: 'environments compare',
  getMetricResults: 'metrics results',
  testMetricResults: 'metrics try',
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
  createManifestFlag: 'manifest create-flag',
  updateManifestFlag: 'manifest update-flag',
  archiveManifestFlag: 'manifest archive-flag',
  getFeatureTotalEvaluations: 'evaluations feature',
  getProjectTotalEvaluations: 'evaluations project',
  getProjectEvaluations: 'evaluations users',
  listPendingChangeRequests: 'change-requests pending',
  getLatestChangeRequest: 'change-requests latest'
}
