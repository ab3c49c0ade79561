import type {
  AuditLogChange,
  ChangeRequest,
  CustomProperty,
  Environment,
  FeatureSummary,
  Metric,
  Origin,
  Permission,
  ProjectSettings,
  SdkKeyType,
  ValidationSchema,
  Webhook
} from '@burgee/contract'
import type { CustomData, FeatureType, Json, Operator, Rollout, Share, VariableType, Variation } from '@burgee/core'

// Long because it is a list: one shape for each collection, and those of the contract are only named.

/** Everything a store keeps, by collection. Ids are 24 lower-case hexadecimal characters; dates are ISO 8601 in UTC. */
export interface Resources {
  organizations: StoredOrganization
  clients: StoredClient
  signingKeys: StoredSigningKey
  projects: StoredProject
  environments: StoredEnvironment
  features: StoredFeature
  configurations: StoredConfiguration
  variables: StoredVariable
  audiences: StoredAudience
  customProperties: StoredCustomProperty
  metrics: StoredMetric
  metricAssociations: StoredMetricAssociation
  profiles: StoredProfile
  overrides: StoredOverride
  webhooks: StoredWebhook
  observabilityEnvironments: StoredObservabilityEnvironment
  issueTrackers: StoredIssueTracker
  issueLinks: StoredIssueLink
  changeRequests: StoredChangeRequest
  auditEntries: StoredAuditEntry
  edgeUsers: StoredEdgeUser
  optIns: StoredOptIns
}

/** The members that no two items of a collection may share, besides `_id`. */
export const uniqueKeys: { readonly [K in keyof Resources]: readonly (readonly (keyof Resources[K] & string)[])[] } = {
  organizations: [['key']],
  clients: [['clientId']],
  signingKeys: [['kid']],
  projects: [['key']],
  environments: [['_project', 'key']],
  features: [['_project', 'key']],
  configurations: [['_feature', '_environment']],
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
  observabilityEnvironments: [['_organization', 'observabilityEnvironmentId']],
  issueTrackers: [['tracker', 'token']],
  issueLinks: [['_feature', 'tracker', 'issueId']],
  changeRequests: [],
  auditEntries: [],
  edgeUsers: [['_project', 'user_id']],
  optIns: [['_environment', 'user_id']]
}

/** The members, besides `_id` and unique keys, by which items are found without looking at all of them. Their values are strings. */
export const lookups: { readonly [K in keyof Resources]: readonly (keyof Resources[K] & string)[] } = {
  organizations: [],
  clients: [],
  signingKeys: [],
  projects: [],
  environments: ['_project'],
  features: ['_project'],
  configurations: ['_feature', '_environment'],
  variables: ['_feature', '_project'],
  audiences: ['_project'],
  customProperties: ['_project'],
  metrics: ['_project'],
  metricAssociations: ['_feature', '_project'],
  profiles: ['_project'],
  overrides: ['_feature', '_environment', '_project'],
  webhooks: ['_project'],
  observabilityEnvironments: [],
  issueTrackers: [],
  issueLinks: ['_feature', '_project'],
  changeRequests: ['_feature', '_project'],
  auditEntries: ['_feature', '_project'],
  edgeUsers: [],
  optIns: []
}

/** The collections that grow with the number of an application's users rather than with its flags. */
export const userData = ['edgeUsers', 'optIns'] as const satisfies readonly (keyof Resources)[]

/** The collections that only grow: what they hold is written once, and never again with everything else. */
export const history = ['auditEntries'] as const satisfies readonly (keyof Resources)[]

interface Stored {
  readonly _id: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** What a project and a resource in it know of who made them. `_createdBy` is absent where the server itself did. */
interface Made extends Stored {
  readonly _createdBy?: string
}

/** Whom projects and clients belong to. */
export interface StoredOrganization extends Stored {
  /** `org_` and an id. */
  readonly key: string
  readonly name: string
  readonly displayName: string
}

/** A program that gets access tokens by its id and secret. */
export interface StoredClient extends Stored {
  readonly clientId: string
  readonly name: string
  /** What tells the secret from others; the secret itself is kept nowhere. */
  readonly secretVerifier: string
  /** Tokens from before are void: whoever had them knew another secret. */
  readonly secretChangedAt?: string
  readonly permissions: readonly Permission[]
  /** Key of the organization. */
  readonly _organization: string
}

/** A key pair that signs access tokens. */
export interface StoredSigningKey extends Stored {
  readonly kid: string
  readonly algorithm: 'RS256'
  readonly privateJwk: Readonly<Record<string, unknown>>
}

/** A project: the features, variables and audiences of one product. */
export interface StoredProject extends Made {
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly color?: string
  /** Key of the organization. */
  readonly _organization: string
  readonly settings: ProjectSettings
}

/** An environment of a project, with the keys its SDKs present. */
export interface StoredEnvironment extends Made {
  readonly _project: string
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly color?: string
  readonly type: Environment['type']
  readonly sdkKeys: { readonly [T in SdkKeyType]: readonly SdkKey[] }
  readonly settings: NonNullable<Environment['settings']>
}

/** One key of an environment. */
export interface SdkKey {
  readonly key: string
  readonly createdAt: string
  readonly compromised: boolean
}

/** A feature: the variables it carries and the variations that give them values. */
export interface StoredFeature extends Made {
  readonly _project: string
  readonly source: Origin
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly type: FeatureType
  readonly status: 'active' | 'complete' | 'archived'
  readonly settings: { readonly optInEnabled: boolean; readonly publicName: string; readonly publicDescription: string }
  readonly sdkVisibility: { readonly [T in SdkKeyType]: boolean }
  readonly variations: readonly Variation[]
  /** The key of the variation that metrics compare with. */
  readonly controlVariation: string
  /** The key of the variation served to everybody once the feature is complete. */
  readonly staticVariation?: string
  readonly tags: readonly string[]
  readonly externalLink?: string
  readonly summary: FeatureSummary
  readonly staleness?: StalenessChoice
  /** When targeting in a production environment last changed. */
  readonly prodTargetingUpdatedAt?: string
}

/** What people said about a feature's being stale. */
export interface StalenessChoice {
  readonly disabled: boolean
  readonly snoozedUntil?: string
  readonly metaData?: Readonly<Record<string, unknown>>
  readonly updatedAt: string
}

/** What a feature does in one environment. A feature without one for an environment is inactive there. */
export interface StoredConfiguration extends Made {
  readonly _project: string
  readonly _feature: string
  readonly _environment: string
  readonly status: 'active' | 'inactive'
  /** When it was first switched on. */
  readonly startedAt?: string
  readonly targets: readonly StoredTarget[]
}

/** One targeting rule as the management API keeps it. */
export interface StoredTarget {
  readonly _id: string
  readonly name?: string
  readonly audience: { readonly name?: string; readonly filters: Operator }
  readonly rollout?: Rollout | null
  readonly distribution: readonly Share[]
  readonly bucketingKey?: string
}

/** A variable; `_feature` is the feature that carries it, if any. */
export interface StoredVariable extends Made {
  readonly _project: string
  readonly _feature?: string
  readonly source: Origin
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly type: VariableType
  readonly status: 'active' | 'archived'
  readonly validationSchema?: ValidationSchema
  readonly persistent?: boolean
  readonly tags: readonly string[]
}

/** An audience that targets refer to. */
export interface StoredAudience extends Made {
  readonly _project: string
  readonly source: Origin
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly filters: Operator
  readonly tags: readonly string[]
}

/** An attribute of users that an application sends. */
export type StoredCustomProperty = Readonly<Omit<CustomProperty, 'hasUsage'>>

/** What is measured of a feature's effect. */
export type StoredMetric = Readonly<Metric>

/** A metric that is watched for a feature. */
export interface StoredMetricAssociation extends Stored {
  readonly _project: string
  readonly _metric: string
  readonly _feature: string
}

/** Who someone is among a project's users, so that they can try variations themselves. */
export interface StoredProfile extends Stored {
  readonly _project: string
  readonly idp_user: string
  readonly svcUserId: string | null
}

/** The variation that someone gets in one environment, whatever the rules say. */
export interface StoredOverride extends Stored {
  readonly _project: string
  readonly _feature: string
  readonly _environment: string
  readonly _variation: string
  readonly idp_user: string
  readonly svcUserId: string
}

/** An address that is told of changes. */
export type StoredWebhook = Readonly<Webhook>

/** An environment of an observability service. */
export interface StoredObservabilityEnvironment extends Stored {
  readonly _organization: string
  readonly observabilityEnvironmentId: string
  readonly accessToken: string
  readonly environmentUrl: string
}

/** The connection with an issue tracker, of the organization or of one project. */
export interface StoredIssueTracker extends Stored {
  readonly tracker: string
  readonly token: string
  readonly baseUrl: string
  readonly _organization: string
  readonly _project?: string
}

/** An issue of a tracker that a feature is linked to. */
export interface StoredIssueLink extends Stored {
  readonly _project: string
  readonly _feature: string
  readonly tracker: string
  readonly issueId: string
}

/** A change of a feature that waits for approval. */
export interface StoredChangeRequest extends Readonly<ChangeRequest> {
  /** The body of the request that makes the change. */
  readonly body: Readonly<Record<string, Json>>
}

/** One change that somebody made through the management API. Entries are never changed. */
export interface StoredAuditEntry extends Stored {
  readonly _organization: string
  readonly _project?: string
  readonly _feature?: string
  /** Those that the changes are about. */
  readonly _environments: readonly string[]
  readonly idp_user: string
  readonly changes: readonly AuditLogChange[]
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
export interface StoredEdgeUser extends Stored {
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
export interface StoredOptIns extends Stored {
  readonly _environment: string
  readonly user_id: string
  readonly choices: { readonly [feature: string]: boolean }
}
