import { type Operation, type Operations, operations } from '@burgee/contract'
import type { Call } from '@burgee/testing/harness'
import { idOf, NOW } from '@burgee/testing/plan'

/** The operations that require a permission, with the permission of each. */
export const managementOperations = Object.values<Operation>(operations).flatMap((record) => {
  // Every record is stored under its own id.
  const id = record.id as keyof Operations
  const { credential } = record
  return credential.type === 'token' && credential.permission
    ? [{ ...record, id, permission: credential.permission }]
    : []
})

/** The operations that need no permission and accept every valid token. */
const openToClients: ReadonlySet<string> = new Set(['getSession', 'countWaitingReviews'])

/** The operations of people about themselves, which require no permission. */
export const ownOperations = Object.values<Operation>(operations).flatMap((record) => {
  const { credential } = record
  return credential.type === 'token' && !credential.permission && !openToClients.has(record.id)
    ? [{ ...record, id: record.id as keyof Operations }]
    : []
})

/** The operations that require the role of owners too. */
export const ownerOperations: readonly (keyof Operations)[] = [
  'createWorkloadTrust',
  'listWorkloadTrusts',
  'getWorkloadTrust',
  'updateWorkloadTrust',
  'deleteWorkloadTrust',
  'listWorkloadTokens',
  'revokeWorkloadToken'
]

/** One of them. */
export type ManagementOperation = (typeof managementOperations)[number]

/** The operations that address a project by its `key`. */
const ofProjects: readonly (keyof Operations)[] = [
  'getProject',
  'updateProject',
  'deleteProject',
  'updateProjectSettings',
  'updateProtectedSettings',
  'getStaleFeatures'
]

const dates = { startDate: new Date(NOW - 1000).toISOString(), endDate: new Date(NOW).toISOString() }
const compared = { ...dates, feature: 'nowhere', event: 'purchase', dimension: 'TOTAL_SUM', optimize: 'increase' }

/** The required queries of operations. */
const queries: { readonly [Id in keyof Operations]?: Call['query'] } = {
  getMetricResults: { ...dates, feature: 'nowhere' },
  testMetricResults: { ...compared, control: 'nowhere' },
  deleteMetricAssociation: { metric: 'nowhere', feature: 'nowhere' },
  deleteFeatureOverride: { environment: 'nowhere' },
  deleteFeatureOverrides: { environment: 'nowhere' },
  updateFeatureConfiguration: { environment: 'nowhere' },
  compareEnvironments: { a: 'nowhere', b: 'nowhere' },
  deleteCodeUsages: { repo: 'nowhere' }
}

/** Bodies that change nothing, because their items exist already. The others are the examples of the contract. */
const bodies: { readonly [Id in keyof Operations]?: unknown } = {
  updateOrganizationSettings: { permissions: {} },
  createUser: { email: 'ada@example.com', name: 'Ada', roles: [] },
  createApiClient: { name: 'Bot', clientId: 'bot', roles: [] },
  createScimToken: { name: 'okta', expiresAt: new Date(NOW - 1000).toISOString() },
  createWorkloadTrust: {
    key: 'deploy',
    name: 'Deploy',
    issuer: 'https://ci.example.com',
    audience: 'https://flags.example.com',
    conditions: [{ claim: 'repository_id', op: 'equals', value: '1' }],
    grants: { projects: ['nowhere'], role: 'viewer' }
  },
  createProject: { key: 'shop', name: 'Shop' },
  updateProject: {},
  updateProjectSettings: { settings: { disablePassthroughRollouts: false } },
  updateProtectedSettings: { settings: { featureApprovalWorkflow: {}, staleness: {} } },
  createFeature: { key: 'checkout', name: 'Checkout' },
  createFeatureV1: { key: 'checkout', name: 'Checkout' },
  createFeatures: ['checkout'],
  createVariable: { key: 'checkout', type: 'Boolean' },
  createManifestFlag: { key: 'checkout', type: 'boolean', defaultValue: true },
  updateManifestFlag: { key: 'nowhere', type: 'boolean' },
  createWebhook: { name: 'Hook', url: 'https://hooks.invalid/', events: ['createdFeature'], _feature: 'nowhere' },
  connectIssueTrackerProject: { baseUrl: 'https://issues.example.com', project: 'shop' }
}

/** Whether a request names a project, in its path or its body. */
export function isInProject({ id, path }: Pick<Operation, 'id' | 'path'>): boolean {
  const names: readonly string[] = [...ofProjects, 'connectIssueTrackerProject']
  return path.includes('{project}') || names.includes(id)
}

/** Parameters of paths other than a project: unknown items. */
const names = {
  feature: 'nowhere',
  environment: 'nowhere',
  id: idOf('nowhere'),
  entry: idOf('nowhere'),
  delivery: idOf('nowhere'),
  user: 'nowhere',
  user_id: 'nowhere',
  client: 'nowhere',
  trust: 'nowhere',
  label: 'nowhere',
  session: 'nowhere',
  factor: 'nowhere',
  observabilityEnvironmentId: 'nowhere',
  issue_tracker: 'jira',
  issue_id: 'nowhere',
  token: 'a-token-of-the-tracker'
}

/** A valid request, for unknown items of an existing project. */
export function requestOf(
  { id, params, body }: Pick<ManagementOperation, 'id' | 'params' | 'body'>,
  project = 'shop'
): Call {
  const all = { ...names, project, key: ofProjects.includes(id) ? project : 'nowhere' }
  const named = Object.entries(all).filter(([name]) => params && name in params.shape)
  const given = bodies[id] ?? body?.meta()?.example
  return {
    params: Object.fromEntries(named),
    ...(queries[id] ? { query: queries[id] } : {}),
    ...(given === undefined ? {} : { body: inProject(given, project) })
  }
}

function inProject(body: unknown, project: string): unknown {
  const isNamed = typeof body === 'object' && body !== null && 'project' in body
  return isNamed ? { ...body, project } : body
}
