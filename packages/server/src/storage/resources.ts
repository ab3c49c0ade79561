import type { Permission, Role, SdkKeyType } from '@burgee/contract'
import type {
  Actor,
  Audience,
  AuditLogChange,
  AuditLogEntry,
  ChangeRequest,
  ChangeSource,
  ChangeType,
  CustomProperty,
  Environment,
  Feature,
  FeatureConfiguration,
  FeatureStaleness,
  Metric,
  ObservabilityIntegration,
  OptInChoices,
  OrganizationSettings,
  Override,
  Project,
  SdkKeys,
  Target,
  UserProfile,
  Variable,
  Webhook,
  WebhookAttempt,
  WebhookDelivery
} from '@burgee/contract/schemas'
import type { CustomData, Json, Operator, Rollout, Share, Variation } from '@burgee/core'

// Long because it is a list: one shape for each collection. Members that responses return as stored are picked from the
// schemas of the contract. Members that are stored in another form, always present, or internal are written out.

/** The stored resources by collection. Ids are 24 lower-case hexadecimal characters; dates are ISO 8601 in UTC. */
export interface Resources {
  organizations: StoredOrganization
  users: StoredUser
  clients: StoredClient
  signingKeys: StoredSigningKey
  projects: StoredProject
  environments: StoredEnvironment
  features: StoredFeature
  configurations: StoredConfiguration
  configVersions: StoredConfigVersion
  variables: StoredVariable
  audiences: StoredAudience
  customProperties: StoredCustomProperty
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
}

/** The unique keys of each collection, besides `_id`; each is a list of members. */
export const uniqueKeys: { readonly [K in keyof Resources]: readonly (readonly (keyof Resources[K] & string)[])[] } = {
  organizations: [['key']],
  users: [['userId'], ['_organization', 'email']],
  clients: [['clientId']],
  signingKeys: [['kid']],
  projects: [['key']],
  environments: [['_project', 'key']],
  features: [['_project', 'key']],
  configurations: [['_feature', '_environment']],
  configVersions: [],
  variables: [['_project', 'key']],
  audiences: [['_project', 'key']],
  customProperties: [
    ['_project', 'key'],
    ['_project', 'propertyKey']
  ],
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
  authorizations: [['digest']]
}

/** The members with a secondary index, besides `_id` and unique keys. Their values are strings. */
export const secondaryIndexes: { readonly [K in keyof Resources]: readonly (keyof Resources[K] & string)[] } = {
  organizations: [],
  users: [],
  clients: [],
  signingKeys: [],
  projects: [],
  environments: ['_project'],
  features: ['_project'],
  configurations: ['_feature', '_environment'],
  configVersions: [],
  variables: ['_feature', '_project'],
  audiences: ['_project'],
  customProperties: ['_project'],
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
  authorizations: ['grantId', 'uid']
}

/**
 * The collections whose size and write rate depend on traffic and not on the flags: users of applications, login state,
 * and webhook deliveries. They are stored in the journal.
 */
export const userDataCollections = [
  'edgeUsers',
  'optIns',
  'authorizations',
  'deliveries'
] as const satisfies readonly (keyof Resources)[]

/** The append-only collections. A commit writes only their new items, not the existing ones again. */
export const historyCollections = ['auditEntries'] as const satisfies readonly (keyof Resources)[]

/** Some members of a resource of the contract. */
type Of<Resource, Member extends keyof Resource> = Readonly<Pick<Resource, Member>>

/** The members of every stored resource. */
export type RecordFields = Of<Project, '_id' | 'createdAt' | 'updatedAt'>

/** The members of resources that record their creator. `_createdBy` is absent if the server created the resource. */
interface CreatedRecordFields extends RecordFields {
  readonly _createdBy?: string
}

/** An organization, which owns projects, people and clients. */
export interface StoredOrganization extends RecordFields {
  /** `org_` followed by an id. */
  readonly key: string
  readonly name: string
  readonly displayName: string
  readonly settings: {
    readonly permissions: Omit<OrganizationSettings['permissions'], 'groups'> & {
      /** The roles that the groups of the identity provider grant. */
      readonly groups: readonly ({ readonly group: string } & StoredGrant)[]
    }
  }
  /** The end of the hash chain of the audit log: the position and the hash of the last entry. */
  readonly auditHead?: { readonly position: number; readonly hash: string }
}

/** A granted role in a project, or in the organization if `_project` is absent. */
export interface StoredGrant {
  readonly role: Role
  readonly _project?: string
}

/** A person who can sign in. */
export interface StoredUser extends CreatedRecordFields {
  /** The subject in tokens and audit entries. */
  readonly userId: string
  /** In lower case. */
  readonly email: string
  readonly name: string
  readonly picture?: string
  readonly roles: readonly StoredGrant[]
  readonly isDisabled: boolean
  /** The hash of the password. Absent for people who sign in through the identity provider. */
  readonly passwordVerifier?: string
  /** Whether an administrator set the password. */
  readonly mustChangePassword: boolean
  /** Sessions and tokens from before this time are revoked. */
  readonly signedOutAt?: string
  /** The account at the identity provider. */
  readonly identity?: { readonly issuer: string; readonly subject: string }
  /** The groups that the identity provider sent at the last login. */
  readonly groups?: readonly string[]
  readonly lastLoginAt?: string
  /** Key of the organization. */
  readonly _organization: string
}

/** An OAuth client. It gets access tokens for itself by its secret, or for the people who sign in to it. */
export interface StoredClient extends CreatedRecordFields {
  readonly clientId: string
  readonly name: string
  /** The hash of the secret, which itself is not stored. Absent for a public client. */
  readonly secretVerifier?: string
  /** Tokens from before this time are revoked. */
  readonly secretChangedAt?: string
  /** Everything issued to the client before this time is revoked, because consents no longer describe the client. */
  readonly signedOutAt?: string
  /** The roles of the client itself; full access if absent. */
  readonly roles?: readonly StoredGrant[]
  /** The maximum permissions, for itself and for people; unlimited if absent. */
  readonly permissions?: readonly Permission[]
  readonly redirectUris: readonly string[]
  readonly isAssistant: boolean
  /** Whether the client registered itself. */
  readonly isDynamic: boolean
  /** Key of the organization. */
  readonly _organization: string
}

/** State of the authorization server: a session, an authorization code, a refresh token, and so on. */
export interface StoredAuthorization extends RecordFields {
  /** The model of `oidc-provider`, as in `RefreshToken`. */
  readonly model: string
  /** SHA-256 of the model and the bearer value, which is a secret. */
  readonly digest: string
  /** The members that `oidc-provider` stores. */
  readonly payload: Readonly<Record<string, unknown>>
  /** Epoch milliseconds. */
  readonly expiresAt?: number
  readonly grantId?: string
  readonly uid?: string
}

/** A key pair that signs access tokens. */
export interface StoredSigningKey extends RecordFields {
  readonly kid: string
  readonly algorithm: 'RS256'
  readonly privateJwk: Readonly<Record<string, unknown>>
  /** When another key replaced it for signing. It still verifies. */
  readonly retiredAt?: string
}

/** A project: the features, variables and audiences of one product. */
export interface StoredProject
  extends CreatedRecordFields,
    Of<Project, 'key' | 'name' | 'description' | 'color' | 'settings'> {
  /** Key of the organization. */
  readonly _organization: string
}

/** An environment of a project, with its SDK keys. */
export interface StoredEnvironment
  extends CreatedRecordFields,
    Of<Environment, '_project' | 'key' | 'name' | 'description' | 'color' | 'type'> {
  readonly sdkKeys: { readonly [T in SdkKeyType]: readonly SdkKey[] }
  readonly settings: NonNullable<Environment['settings']>
}

/** An SDK key. */
export type SdkKey = Readonly<Omit<SdkKeys[SdkKeyType][number], 'compromised_url'>>

/** A feature: its variations, which give values to its variables. */
export interface StoredFeature
  extends CreatedRecordFields,
    Of<Feature, '_project' | 'source' | 'key' | 'name' | 'description' | 'status' | 'externalLink' | 'summary'> {
  readonly type: NonNullable<Feature['type']>
  readonly settings: Readonly<NonNullable<Feature['settings']>>
  readonly sdkVisibility: Readonly<NonNullable<Feature['sdkVisibility']>>
  readonly variations: readonly Variation[]
  /** The key of the baseline variation of metrics. */
  readonly controlVariation: string
  /** The key of the variation that all users are served once the feature is complete. */
  readonly staticVariation?: string
  readonly tags: readonly string[]
  readonly staleness?: StoredStaleness
  /** When targeting in a production environment last changed. */
  readonly prodTargetingUpdatedAt?: string
}

/** The decisions of people about the staleness of a feature. */
export interface StoredStaleness extends Of<FeatureStaleness, 'disabled' | 'snoozedUntil' | 'metaData'> {
  readonly updatedAt: string
}

/** The configuration of a feature in one environment. A feature without one is inactive in that environment. */
export interface StoredConfiguration
  extends CreatedRecordFields,
    Of<FeatureConfiguration, '_feature' | '_environment' | 'status'> {
  readonly _project: string
  /** When the feature was first enabled. */
  readonly startedAt?: string
  readonly targets: readonly StoredTarget[]
}

/** The current version of an environment's config. */
export interface StoredConfigVersion {
  /** The id of the environment. */
  readonly _id: string
  /** In epoch seconds. At least one second later than that of the previous version. */
  readonly lastModified: number
  /** The Burgee version that compiled the config; another one may compile the same state differently. */
  readonly madeBy: string
}

/** A targeting rule. */
export interface StoredTarget extends Of<Target, '_id' | 'name' | 'bucketingKey'> {
  readonly audience: Of<Target['audience'], 'name'> & { readonly filters: Operator }
  readonly rollout?: Rollout | null
  readonly distribution: readonly Share[]
}

/** A variable; `_feature` is the feature that it belongs to, if any. */
export interface StoredVariable
  extends CreatedRecordFields,
    Of<Variable, '_project' | '_feature' | 'source' | 'key' | 'description' | 'type' | 'status'>,
    Of<Variable, 'validationSchema' | 'persistent' | 'metadata'> {
  readonly name: string
  readonly tags: readonly string[]
}

/** An audience that targets refer to. */
export interface StoredAudience extends CreatedRecordFields, Of<Audience, '_project' | 'key' | 'name' | 'description'> {
  readonly source: ChangeSource
  readonly filters: Operator
  readonly tags: readonly string[]
}

/** A custom attribute of users that applications send. */
export type StoredCustomProperty = Readonly<Omit<CustomProperty, 'hasUsage'>>

/** A metric, which measures the effect of features. */
export type StoredMetric = Readonly<Metric>

/** The association of a metric with a feature. */
export interface StoredMetricAssociation extends RecordFields {
  readonly _project: string
  readonly _metric: string
  readonly _feature: string
}

/** The user id of a person in the applications of a project, which overrides apply to. */
export type StoredProfile = Readonly<UserProfile>

/** The variation that a person is served in one environment, regardless of targeting. */
export interface StoredOverride
  extends RecordFields,
    Of<Override, '_project' | '_feature' | '_environment' | '_variation' | 'svcUserId'> {
  readonly idp_user: string
}

/** A webhook, which is notified of changes. */
export interface StoredWebhook extends Readonly<Webhook> {
  /** The signing secrets: the current one first, then previous ones, which also sign until `endsAt`. */
  readonly secrets: readonly { readonly secret: string; readonly endsAt?: string }[]
}

/** A pending notification: written in the transaction of the change, and removed when its delivery is stored. */
export interface StoredOutboxMessage extends RecordFields {
  readonly _project: string
  readonly receiver: ReceiverId
  /** Messages to a receiver about the same feature are delivered in order. */
  readonly _feature?: string
  /** The audit entry of the change. */
  readonly _entry: string
  readonly telling: ChangeNotification
}

/**
 * The content of a notification that the audit entry lacks. It is stored because people, features and keys may be
 * deleted before the delivery.
 */
export interface ChangeNotification {
  /** The indexes of the changes in the entry. */
  readonly changes: readonly number[]
  /** The types of these changes, each once. */
  readonly events: readonly ChangeType[]
  /** Key of the project. */
  readonly project: string
  /** The key of the feature before the change; for a new feature, after it. */
  readonly key: string
  /** The author of the change; for people, with their e-mail address. */
  readonly user: { readonly name: string; readonly email?: string }
  /** A copy of a webhook that was deleted together with its feature, to notify it of the deletion. */
  readonly webhook?: StoredWebhook
}

/** The receiver of a notification: `webhook:` or `observability:`, and its id. */
export type ReceiverId = `${'webhook' | 'observability'}:${string}`

/** The delivery of a message, with the same id; receivers know the message by it. */
export interface StoredDelivery extends StoredOutboxMessage {
  readonly status: WebhookDelivery['status']
  /** The types of the changes. */
  readonly events: readonly string[]
  /** Why delivery was abandoned, if the attempts do not show it. */
  readonly reason?: string
  /** Oldest first. */
  readonly attempts: readonly WebhookAttempt[]
  /** Absent if there are no further attempts. */
  readonly nextAttemptAt?: string
}

/** An environment of an observability service. */
export interface StoredObservabilityEnvironment extends RecordFields, Readonly<ObservabilityIntegration> {
  readonly _organization: string
}

/** A connection to an issue tracker, for the organization or for one project. */
export interface StoredIssueTracker extends RecordFields {
  readonly tracker: string
  readonly token: string
  readonly baseUrl: string
  readonly _organization: string
  readonly _project?: string
}

/** An issue of a tracker that a feature is linked to. */
export interface StoredIssueLink extends RecordFields {
  readonly _project: string
  readonly _feature: string
  readonly tracker: string
  readonly issueId: string
}

/** A change of a feature that waits for approval. */
export interface StoredChangeRequest extends Readonly<Omit<ChangeRequest, 'contentHash'>> {
  /** The body of the request that makes the change. */
  readonly body: Readonly<Record<string, Json>>
  /** A fingerprint of the resulting state. Absent in requests of earlier versions. */
  readonly effect?: string
  /** The creator of the client that made the request, if a client made it. */
  readonly _clientMaker?: string
  /** The person or client in whose name a scheduled request is applied. */
  readonly _scheduledBy?: string
  /** The client through which the request was scheduled. */
  readonly _scheduledThrough?: string
}

/** The changes of one edit through the management API. Entries never change. */
export interface StoredAuditEntry extends RecordFields, Of<AuditLogEntry, '_project' | '_feature' | 'idp_user'> {
  readonly _organization: string
  /** The ids of the environments that the changes affect. */
  readonly _environments: readonly string[]
  readonly changes: readonly AuditLogChange[]
  readonly actor?: Actor
  /** The client that made the changes, or that a person used. */
  readonly clientId?: string
  readonly source?: ChangeSource
  /** The name that the program of an assistant reported. */
  readonly assistant?: string
  /** The position in the hash chain, from 1. Entries of versions without the chain have neither position nor hashes. */
  readonly position?: number
  /** The hash of the previous entry; for the first, the hash of all entries before the chain. */
  readonly previousHash?: string
  /** SHA-256 of the entry without this member, as JSON with sorted members. */
  readonly hash?: string
  /** The position among the entries of its feature, from 1, since several can have the same `createdAt`. */
  readonly sequence?: number
  /** The changed parts of the feature before the change, for a revert. */
  readonly undo?: FeatureUndo
}

/** The items that a change of a feature replaced or removed, as they were before, and the ids of added items. */
export interface FeatureUndo {
  readonly features: readonly StoredFeature[]
  readonly configurations: readonly StoredConfiguration[]
  readonly variables: readonly StoredVariable[]
  readonly added: readonly string[]
}

/** A user of an application, as stored for EdgeDB evaluations of a project. */
export interface StoredEdgeUser extends RecordFields {
  readonly _project: string
  readonly user_id: string
  readonly email?: string
  readonly name?: string
  readonly language?: string
  readonly country?: string
  readonly customData?: CustomData
  readonly lastSeenDate?: number
}

/** The opt-in choices of a user in one environment: feature id → opted in. */
export interface StoredOptIns extends RecordFields {
  readonly _environment: string
  readonly user_id: string
  readonly choices: Readonly<OptInChoices>
}
