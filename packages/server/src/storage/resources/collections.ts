import type { StoredEdgeUser, StoredOptIns, StoredOverride, StoredProfile } from './applicationUser.ts'
import type { StoredConfiguration, StoredFeature, StoredVariable } from './feature.ts'
import type { StoredAuditEntry, StoredChangeRequest } from './history.ts'
import type { StoredIssueLink, StoredIssueTracker, StoredObservabilityEnvironment } from './integration.ts'
import type { StoredDelivery, StoredOutboxMessage, StoredWebhook } from './notification.ts'
import type {
  StoredAuthorization,
  StoredClient,
  StoredOrganization,
  StoredRevocation,
  StoredScimGroup,
  StoredScimToken,
  StoredSigningKey,
  StoredUpstreamSession,
  StoredUser
} from './organization.ts'
import type {
  StoredAudience,
  StoredCodeScan,
  StoredConfigVersion,
  StoredCustomProperty,
  StoredEnvironment,
  StoredEnvironmentUse,
  StoredMetric,
  StoredMetricAssociation,
  StoredProject
} from './project.ts'
import type { StoredAuthenticatorApp, StoredChallenge, StoredPasskey, StoredRecoveryCodes } from './secondFactor.ts'
import type { StoredWorkloadToken, StoredWorkloadTrust } from './workload.ts'

/** The stored resources by collection. Ids are 24 lower-case hexadecimal characters; dates are ISO 8601 in UTC. */
export interface Resources {
  organizations: StoredOrganization
  users: StoredUser
  clients: StoredClient
  signingKeys: StoredSigningKey
  scimTokens: StoredScimToken
  scimGroups: StoredScimGroup
  projects: StoredProject
  environments: StoredEnvironment
  environmentUses: StoredEnvironmentUse
  features: StoredFeature
  configurations: StoredConfiguration
  configVersions: StoredConfigVersion
  variables: StoredVariable
  audiences: StoredAudience
  customProperties: StoredCustomProperty
  codeScans: StoredCodeScan
  metrics: StoredMetric
  metricAssociations: StoredMetricAssociation
  profiles: StoredProfile
  overrides: StoredOverride
  webhooks: StoredWebhook
  outbox: StoredOutboxMessage
  deliveries: StoredDelivery
  observabilityEnvironments: StoredObservabilityEnvironment
  issueTrackers: StoredIssueTracker
  issueLinks: StoredIssueLink
  changeRequests: StoredChangeRequest
  auditEntries: StoredAuditEntry
  edgeUsers: StoredEdgeUser
  optIns: StoredOptIns
  authorizations: StoredAuthorization
  revocations: StoredRevocation
  upstreamSessions: StoredUpstreamSession
  workloadTrusts: StoredWorkloadTrust
  workloadTokens: StoredWorkloadToken
  authenticatorApps: StoredAuthenticatorApp
  passkeys: StoredPasskey
  recoveryCodes: StoredRecoveryCodes
  challenges: StoredChallenge
}

/** The unique keys of each collection, besides `_id`; each is a list of members. */
export const uniqueKeys: { readonly [K in keyof Resources]: readonly (readonly (keyof Resources[K] & string)[])[] } = {
  organizations: [['key']],
  users: [['userId'], ['_organization', 'email']],
  clients: [['clientId']],
  signingKeys: [['kid']],
  scimTokens: [['tokenDigest'], ['_organization', 'name']],
  scimGroups: [['_organization', 'displayName']],
  projects: [['key']],
  environments: [['_project', 'key']],
  environmentUses: [],
  features: [['_project', 'key']],
  configurations: [['_feature', '_environment']],
  configVersions: [],
  variables: [['_project', 'key']],
  audiences: [['_project', 'key']],
  customProperties: [
    ['_project', 'key'],
    ['_project', 'propertyKey']
  ],
  codeScans: [['_project', 'repo', 'branch']],
  metrics: [['_project', 'key']],
  metricAssociations: [['_metric', '_feature']],
  profiles: [['_project', 'idp_user']],
  overrides: [['_feature', '_environment', 'idp_user']],
  webhooks: [],
  outbox: [],
  deliveries: [],
  observabilityEnvironments: [['_organization', 'observabilityEnvironmentId']],
  issueTrackers: [['tracker', 'token']],
  issueLinks: [['_feature', 'tracker', 'issueId']],
  changeRequests: [],
  auditEntries: [],
  edgeUsers: [['_project', 'user_id']],
  optIns: [['_environment', 'user_id']],
  authorizations: [['digest']],
  revocations: [['subject']],
  upstreamSessions: [],
  workloadTrusts: [['key']],
  workloadTokens: [['digest']],
  authenticatorApps: [],
  passkeys: [['credentialId']],
  recoveryCodes: [['_user']],
  challenges: [['subject']]
}

/** The members with a secondary index, besides `_id` and unique keys. Their values are strings. */
export const secondaryIndexes: { readonly [K in keyof Resources]: readonly (keyof Resources[K] & string)[] } = {
  organizations: [],
  users: ['provisionedName', 'externalId'],
  clients: [],
  signingKeys: [],
  scimTokens: [],
  scimGroups: [],
  projects: [],
  environments: ['_project'],
  environmentUses: [],
  features: ['_project'],
  configurations: ['_feature', '_environment'],
  configVersions: [],
  variables: ['_feature', '_project'],
  audiences: ['_project'],
  customProperties: ['_project'],
  codeScans: ['_project'],
  metrics: ['_project'],
  metricAssociations: ['_feature', '_project'],
  profiles: ['_project'],
  overrides: ['_feature', '_environment', '_project'],
  webhooks: ['_project'],
  outbox: [],
  deliveries: ['receiver', '_project'],
  observabilityEnvironments: [],
  issueTrackers: [],
  issueLinks: ['_feature', '_project'],
  changeRequests: ['_feature', '_project'],
  auditEntries: ['_feature', '_project'],
  edgeUsers: [],
  optIns: [],
  authorizations: ['grantId', 'uid'],
  revocations: [],
  upstreamSessions: ['sessionUid', 'sid', 'userId'],
  workloadTrusts: ['issuer'],
  workloadTokens: ['_trust'],
  authenticatorApps: ['_user'],
  passkeys: ['_user'],
  recoveryCodes: [],
  challenges: ['_user']
}

/**
 * How audit entries show a secret: not at all, or masked, if it identifies its resource and never changes. At rest it is
 * encrypted (`storage/encryption`). A `hash` is left out of audit entries too, and is not encrypted: the server compares
 * it and cannot read the secret back. A `url` can contain credentials; audited operations mask it (`maskUrlInChanges`).
 */
export type SecretTreatment = 'omit' | 'mask' | 'hash' | 'url'

/**
 * The members that are or contain secrets, for audit entries and for encryption at rest. Collections without
 * any are listed too, so that each new collection requires a decision. `_id` and secondary indexes cannot be secret.
 */
export const secretMembers: {
  readonly [K in keyof Resources]: { readonly [Member in keyof Resources[K]]?: SecretTreatment }
} = {
  organizations: { userHashKey: 'omit' },
  users: { passwordVerifier: 'hash' },
  clients: { secretVerifier: 'hash' },
  signingKeys: { privateJwk: 'omit' },
  scimTokens: { tokenDigest: 'hash' },
  scimGroups: {},
  projects: {},
  environments: { sdkKeys: 'omit', userSigningSecrets: 'omit' },
  environmentUses: {},
  features: {},
  configurations: {},
  configVersions: {},
  variables: {},
  audiences: {},
  customProperties: {},
  codeScans: {},
  metrics: {},
  metricAssociations: {},
  profiles: {},
  overrides: {},
  webhooks: { secrets: 'omit', url: 'url' },
  outbox: { telling: 'omit' },
  deliveries: { telling: 'omit' },
  observabilityEnvironments: { accessToken: 'omit', environmentUrl: 'url' },
  issueTrackers: { token: 'mask' },
  issueLinks: {},
  changeRequests: {},
  auditEntries: {},
  edgeUsers: {},
  optIns: {},
  authorizations: { payload: 'omit' },
  revocations: {},
  upstreamSessions: { providerTokens: 'omit' },
  workloadTrusts: {},
  workloadTokens: {},
  authenticatorApps: { totpSecret: 'omit' },
  passkeys: {},
  recoveryCodes: { codeHashes: 'hash' },
  challenges: { challengeSecret: 'omit' }
}

/**
 * The collections whose size or write rate depends on traffic and not on the flags: users of applications, login state,
 * webhook deliveries, and the last use of SDK keys. They are stored in the journal.
 */
export const userDataCollections = [
  'edgeUsers',
  'optIns',
  'authorizations',
  'revocations',
  'upstreamSessions',
  'workloadTokens',
  'challenges',
  'deliveries',
  'environmentUses'
] as const satisfies readonly (keyof Resources)[]

/** The append-only collections. A commit writes only their new items, not the existing ones again. */
export const historyCollections = ['auditEntries'] as const satisfies readonly (keyof Resources)[]
