import { admin, createdAt, ids, reviewer, timestamps } from './shop.ts'

const names = { key: 'new-checkout', name: 'New checkout' } as const

/** A reference to the feature. */
export const featureReference = { ...names, id: ids.feature } as const

/** The variable of the feature. */
export const variable = {
  _id: ids.variable,
  ...timestamps,
  _project: ids.project,
  _feature: ids.feature,
  ...names,
  type: 'Boolean',
  status: 'active',
  source: 'api',
  _createdBy: admin,
  tags: ['checkout']
} as const

/** The variation with the new checkout. */
export const variationOn = {
  _id: ids.variationOn,
  key: 'variation-on',
  name: 'Variation On',
  variables: { 'new-checkout': true }
} as const

/** The variation without it. */
export const variationOff = {
  _id: ids.variationOff,
  key: 'variation-off',
  name: 'Variation Off',
  variables: { 'new-checkout': false }
} as const

/** The target: beta testers get the new checkout. */
export const target = {
  _id: ids.target,
  name: 'Beta testers',
  audience: {
    filters: { operator: 'and', filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [ids.audience] }] }
  },
  distribution: [{ _variation: ids.variationOn, percentage: 1 }]
} as const

/** The reason of an evaluation by that target. */
export const evalReason = {
  reason: 'TARGETING_MATCH',
  details: 'Audience Match -> Email',
  target_id: ids.target
} as const

/** The variable, evaluated for a beta tester. */
export const bucketedVariable = {
  _id: ids.variable,
  _feature: ids.feature,
  key: variable.key,
  type: variable.type,
  value: true,
  eval: evalReason
} as const

/** The feature, evaluated for a beta tester. */
export const bucketedFeature = {
  _id: ids.feature,
  key: names.key,
  type: 'release',
  _variation: ids.variationOn,
  variationName: variationOn.name,
  variationKey: variationOn.key,
  eval: evalReason
} as const

/** The configuration of the feature in production. */
export const configuration = {
  _feature: ids.feature,
  _environment: ids.production,
  _createdBy: admin,
  status: 'active',
  startedAt: createdAt,
  updatedAt: createdAt,
  targets: [target],
  readonly: false,
  hasStaticConfig: false
} as const

/** The link of the feature. */
export const featureLink = { url: 'https://wiki.example.com/checkout', title: 'Plan of the new checkout' } as const

/** The summary of the feature. */
export const featureSummary = {
  maintainers: [admin],
  links: [featureLink],
  markdown: 'Guides customers through **three** steps instead of five.'
} as const

/** The feature. */
export const feature = {
  _id: ids.feature,
  ...timestamps,
  _project: ids.project,
  source: 'api',
  status: 'active',
  type: 'release',
  ...names,
  description: 'A checkout in three steps.',
  _createdBy: admin,
  prodTargetingUpdatedAt: createdAt,
  variations: [variationOn, variationOff],
  controlVariation: variationOff.key,
  variables: [variable],
  tags: ['checkout'],
  readonly: false,
  settings: {
    publicName: 'New checkout',
    publicDescription: 'Three steps instead of five.',
    optInEnabled: true
  },
  sdkVisibility: { mobile: true, client: true, server: true },
  configurations: [configuration],
  changeRequests: [],
  summary: featureSummary
} as const

/** The change that turned the feature on. */
export const auditLogChange = {
  type: 'enabledEnvironment',
  newContents: { status: 'active' },
  previousContents: { status: 'inactive' },
  _environments: [ids.production]
} as const

const contentHash = '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce'

/** The review of that change. */
export const review = {
  idp_user: reviewer,
  action: 'approved',
  comment: 'Tried it on staging.',
  createdAt,
  contentHash
} as const

/** The change request for that change. */
export const changeRequest = {
  _id: ids.changeRequest,
  ...timestamps,
  _project: ids.project,
  _feature: ids.feature,
  _baseFeatureSnapshot: ids.auditEntry,
  status: 'approved',
  operation: 'featureUpdate',
  changes: [auditLogChange],
  contentHash,
  description: 'Turn the new checkout on in production.',
  reviewers: { users: [reviewer] },
  reviews: [review],
  _createdBy: admin,
  _updatedBy: reviewer
} as const

/** The body of the request that lowers the number of approvals. */
export const projectChange = { settings: { featureApprovalWorkflow: { requiredApprovals: 1 } } } as const

/** The change request for it. */
export const projectChangeRequest = {
  _id: ids.changeRequest,
  ...timestamps,
  _project: ids.project,
  status: 'pending',
  operation: 'protectedSettingsUpdate',
  method: 'PATCH',
  path: '/v1/projects/shop/settings/protected',
  changes: [],
  contentHash,
  description: 'One approval is enough.',
  reviewers: { users: [reviewer] },
  reviews: [],
  _createdBy: admin
} as const

/** The override of a member. */
export const override = {
  _project: ids.project,
  _feature: ids.feature,
  _environment: ids.production,
  _variation: ids.variationOn,
  svcUserId: 'ada',
  idp_user: admin,
  createdAt: Date.parse(createdAt),
  updatedAt: Date.parse(createdAt)
} as const

/** The variable, evaluated by OFREP. */
export const bucketedUserConfig = {
  key: feature.key,
  reason: evalReason.reason,
  value: true,
  variant: variationOn.key,
  metadata: {
    _feature: ids.feature,
    evalReasonDetails: evalReason.details,
    evalReasonTargetId: evalReason.target_id
  }
} as const
