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

// Long because it is a list: one shape for each collection. Members that answers show as they are kept are only named;
// written out is what the store keeps in another form, always has, or has for itself.

/** Everything a store keeps, by collection. Ids are 24 lower-case hexadecimal characters; dates are ISO 8601 in UTC. */
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

/** The members that no two items of a collection may share, besides `_id`. */
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

/** The members, besides `_id` and unique keys, by which items are found without looking at all of them. Their values are strings. */
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

/** The collections that change with what goes on rather than with the flags: how many users an application has, when those who manage it sign in, and what receivers of messages answer. */
export const userDataCollections = [
  'edgeUsers',
  'optIns',
  'authorizations',
  'deliveries'
] as const satisfies readonly (keyof Resources)[]

/** The collections that only grow: what they hold is written once, and never again with everything else. */
export const historyCollections = ['auditEntries'] as const satisfies readonly (keyof Resources)[]

/** Members of a resource as the contract has them. */
type Of<Resource, Member extends keyof Resource> = Readonly<Pick<Resource, Member>>

/** The members that everything kept has. */
export type RecordFields = Of<Project, '_id' | 'createdAt' | 'updatedAt'>

/** What a project and a resource in it know of who made them. `_createdBy` is absent where the server itself did. */
interface CreatedRecordFields extends RecordFields {
  readonly _createdBy?: string
}

/** Whom projects, people and clients belong to. */
export interface StoredOrganization extends RecordFields {
  /** `org_` and an id. */
  readonly key: string
  readonly name: string
  readonly displayName: string
  readonly settings: {
    readonly permissions: Omit<OrganizationSettings['permissions'], 'groups'> & {
      /** What each group of the identity provider gives. */
      readonly groups: readonly ({ readonly group: string } & StoredGrant)[]
    }
  }
  /** Where the chain of the audit log ends: the place and the hash of its last entry. */
  readonly auditHead?: { readonly position: number; readonly hash: string }
}

/** A role that somebody has: in a project, or in the organization. */
export interface StoredGrant {
  readonly role: Role
  readonly _project?: string
}

/** A person who can sign in. */
export interface StoredUser extends CreatedRecordFields {
  /** As tokens and audit entries name them. */
  readonly userId: string
  /** In lower case. */
  readonly email: string
  readonly name: string
  readonly picture?: string
  readonly roles: readonly StoredGrant[]
  readonly isDisabled: boolean
  /** What tells the password from others. Absent for those who sign in elsewhere. */
  readonly passwordVerifier?: string
  /** Whether somebody else chose the password. */
  readonly mustChangePassword: boolean
  /** Sessions and tokens from before are void. */
  readonly signedOutAt?: string
  /** Who they are to the identity provider. */
  readonly identity?: { readonly issuer: string; readonly subject: string }
  /** What the identity provider said of them when they last came from there. */
  readonly groups?: readonly string[]
  readonly lastLoginAt?: string
  /** Key of the organization. */
  readonly _organization: string
}

/** A program that gets access tokens: for itself by its secret, or for the people who sign in to it. */
export interface StoredClient extends CreatedRecordFields {
  readonly clientId: string
  readonly name: string
  /** What tells the secret from others; the secret itself is kept nowhere. A public client has none. */
  readonly secretVerifier?: string
  /** Tokens from before are void: whoever had them knew another secret. */
  readonly secretChangedAt?: string
  /** Everything it was given from before is void: it was another then. */
  readonly signedOutAt?: string
  /** What it may do for itself; everything when there are none. */
  readonly roles?: readonly StoredGrant[]
  /** The most it may do, whoever it acts for. */
  readonly permissions?: readonly Permission[]
  readonly redirectUris: readonly string[]
  readonly isAssistant: boolean
  /** Whether it registered itself. */
  readonly isDynamic: boolean
  /** Key of the organization. */
  readonly _organization: string
}

/** What the authorization server has to remember: a session, a code, a refresh token, and so on. */
export interface StoredAuthorization extends RecordFields {
  /** As in `RefreshToken`. */
  readonly model: string
  /** SHA-256 of what it is asked for by, which is a secret. */
  readonly digest: string
  /** What the authorization server knows of it. */
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
  /** Since when another one signs; it still verifies. */
  readonly retiredAt?: string
}

/** A project: the features, variables and audiences of one product. */
export interface StoredProject
  extends CreatedRecordFields,
    Of<Project, 'key' | 'name' | 'description' | 'color' | 'settings'> {
  /** Key of the organization. */
  readonly _organization: string
}

/** An environment of a project, with the keys its SDKs present. */
export interface StoredEnvironment
  extends CreatedRecordFields,
    Of<Environment, '_project' | 'key' | 'name' | 'description' | 'color' | 'type'> {
  readonly sdkKeys: { readonly [T in SdkKeyType]: readonly SdkKey[] }
  readonly settings: NonNullable<Environment['settings']>
}

/** One key of an environment. */
export type SdkKey = Readonly<Omit<SdkKeys[SdkKeyType][number], 'compromised_url'>>

/** A feature: the variables it carries and the variations that give them values. */
export interface StoredFeature
  extends CreatedRecordFields,
    Of<Feature, '_project' | 'source' | 'key' | 'name' | 'description' | 'status' | 'externalLink' | 'summary'> {
  readonly type: NonNullable<Feature['type']>
  readonly settings: Readonly<NonNullable<Feature['settings']>>
  readonly sdkVisibility: Readonly<NonNullable<Feature['sdkVisibility']>>
  readonly variations: readonly Variation[]
  /** The key of the variation that metrics compare with. */
  readonly controlVariation: string
  /** The key of the variation served to everybody once the feature is complete. */
  readonly staticVariation?: string
  readonly tags: readonly string[]
  readonly staleness?: StoredStaleness
  /** When targeting in a production environment last changed. */
  readonly prodTargetingUpdatedAt?: string
}

/** What people said about a feature's being stale. */
export interface StoredStaleness extends Of<FeatureStaleness, 'disabled' | 'snoozedUntil' | 'metaData'> {
  readonly updatedAt: string
}

/** What a feature does in one environment. A feature without one for an environment is inactive there. */
export interface StoredConfiguration
  extends CreatedRecordFields,
    Of<FeatureConfiguration, '_feature' | '_environment' | 'status'> {
  readonly _project: string
  /** When it was first switched on. */
  readonly startedAt?: string
  readonly targets: readonly StoredTarget[]
}

/** Which state of an environment's config is the present one. */
export interface StoredConfigVersion {
  /** That of the environment. */
  readonly _id: string
  /** When it came about, in whole seconds since 1970: later than that of every state before it, by a second at least. */
  readonly lastModified: number
  /** The version of this program that made it: another one may write the same otherwise. */
  readonly madeBy: string
}

/** One targeting rule as the management API keeps it. */
export interface StoredTarget extends Of<Target, '_id' | 'name' | 'bucketingKey'> {
  readonly audience: Of<Target['audience'], 'name'> & { readonly filters: Operator }
  readonly rollout?: Rollout | null
  readonly distribution: readonly Share[]
}

/** A variable; `_feature` is the feature that carries it, if any. */
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

/** An attribute of users that an application sends. */
export type StoredCustomProperty = Readonly<Omit<CustomProperty, 'hasUsage'>>

/** What is measured of a feature's effect. */
export type StoredMetric = Readonly<Metric>

/** A metric that is watched for a feature. */
export interface StoredMetricAssociation extends RecordFields {
  readonly _project: string
  readonly _metric: string
  readonly _feature: string
}

/** Who someone is among a project's users, so that they can try variations themselves. */
export type StoredProfile = Readonly<UserProfile>

/** The variation that someone gets in one environment, whatever the rules say. */
export interface StoredOverride
  extends RecordFields,
    Of<Override, '_project' | '_feature' | '_environment' | '_variation' | 'svcUserId'> {
  readonly idp_user: string
}

/** An address that is told of changes. */
export interface StoredWebhook extends Readonly<Webhook> {
  /** What deliveries are signed by: the newest first, and after it those that go on signing until they end. */
  readonly secrets: readonly { readonly secret: string; readonly endsAt?: string }[]
}

/** That a change is to be told to somebody: written with the change, and removed once a delivery is kept of it. */
export interface StoredOutboxMessage extends RecordFields {
  readonly _project: string
  readonly receiver: ReceiverId
  /** Of messages about the same feature, a receiver is told one after the other. */
  readonly _feature?: string
  /** The audit entry that tells the change. */
  readonly _entry: string
  readonly telling: ChangeNotification
}

/** What a receiver is told of an audit entry, and what the entry does not say of it: people, features and keys can be gone when it is sent. */
export interface ChangeNotification {
  /** The places of the changes in the entry, from 0. */
  readonly changes: readonly number[]
  /** The types of these changes, each once. */
  readonly events: readonly ChangeType[]
  /** Key of the project. */
  readonly project: string
  /** The key of the feature before the change; of a new one, its first. */
  readonly key: string
  /** Who made the change; of people, with their e-mail address. */
  readonly user: { readonly name: string; readonly email?: string }
  /** The webhook as it was, of one that goes with its feature: it is told of that too. */
  readonly webhook?: StoredWebhook
}

/** Who is told: `webhook:` or `observability:` and the id of it. */
export type ReceiverId = `${'webhook' | 'observability'}:${string}`

/** What became of a message so far. Its id is that of the message, which the receiver knows it by. */
export interface StoredDelivery extends StoredOutboxMessage {
  readonly status: WebhookDelivery['status']
  /** What it tells of. */
  readonly events: readonly string[]
  /** Why it was given up, where no attempt tells it. */
  readonly reason?: string
  /** The oldest first. */
  readonly attempts: readonly WebhookAttempt[]
  /** Absent when there will be none. */
  readonly nextAttemptAt?: string
}

/** An environment of an observability service. */
export interface StoredObservabilityEnvironment extends RecordFields, Readonly<ObservabilityIntegration> {
  readonly _organization: string
}

/** The connection with an issue tracker, of the organization or of one project. */
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
  /** What tells what would come of it from everything else; requests from before it was kept lack it. */
  readonly effect?: string
  /** Who made the client that made it, where a client did. */
  readonly _clientMaker?: string
  /** For whom it is applied when its moment has come. */
  readonly _scheduledBy?: string
  /** The client that they did it with. */
  readonly _scheduledThrough?: string
}

/** One change that somebody made through the management API. Entries are never changed. */
export interface StoredAuditEntry extends RecordFields, Of<AuditLogEntry, '_project' | '_feature' | 'idp_user'> {
  readonly _organization: string
  /** Those that the changes are about. */
  readonly _environments: readonly string[]
  readonly changes: readonly AuditLogChange[]
  readonly actor?: Actor
  /** The client that did it, or that the person did it with. */
  readonly clientId?: string
  readonly source?: ChangeSource
  /** What the program called itself that the assistant ran in. */
  readonly assistant?: string
  /** Its place in the chain, from 1. Entries from before there was a chain have neither this nor hashes. */
  readonly position?: number
  /** The hash of the entry before it; for the first, of all there were before the chain. */
  readonly previousHash?: string
  /** SHA-256 of the entry without this member, as JSON with its members in order. */
  readonly hash?: string
  /** Its place among the entries of its feature, from 1: several can be of the same millisecond. */
  readonly sequence?: number
  /** What a feature was before, as far as this changed it. */
  readonly undo?: FeatureUndo
}

/** The items a change of a feature replaced or removed, as they were, and the ids of those it added. */
export interface FeatureUndo {
  readonly features: readonly StoredFeature[]
  readonly configurations: readonly StoredConfiguration[]
  readonly variables: readonly StoredVariable[]
  readonly added: readonly string[]
}

/** What is kept about one user of a project for evaluations that ask for it. */
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

/** One user's opt-in choices in one environment: feature id → opted in. */
export interface StoredOptIns extends RecordFields {
  readonly _environment: string
  readonly user_id: string
  readonly choices: Readonly<OptInChoices>
}
