import type { SdkKeyType } from '@burgee/contract'
import type { CustomData, FeatureType, Operator, Rollout, Share, VariableType, Variation } from '@burgee/core'

/** Everything a store keeps, by collection. Ids are 24 lower-case hexadecimal characters; dates are ISO 8601 in UTC. */
export interface Resources {
  projects: StoredProject
  environments: StoredEnvironment
  features: StoredFeature
  configurations: StoredConfiguration
  variables: StoredVariable
  audiences: StoredAudience
  edgeUsers: StoredEdgeUser
  optIns: StoredOptIns
}

/** The members that no two items of a collection may share, besides `_id`. */
export const uniqueKeys: { readonly [K in keyof Resources]: readonly (readonly (keyof Resources[K] & string)[])[] } = {
  projects: [['key']],
  environments: [['_project', 'key']],
  features: [['_project', 'key']],
  configurations: [['_feature', '_environment']],
  variables: [['_project', 'key']],
  audiences: [['_project', 'key']],
  edgeUsers: [['_project', 'user_id']],
  optIns: [['_environment', 'user_id']]
}

/** The collections that grow with the number of an application's users rather than with its flags. */
export const userData = ['edgeUsers', 'optIns'] as const satisfies readonly (keyof Resources)[]

interface Stored {
  readonly _id: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** A project: the features, variables and audiences of one product. */
export interface StoredProject extends Stored {
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly _organization: string
  readonly settings: ProjectSettings
}

/** What a project switches on. */
export interface ProjectSettings {
  readonly edgeDB: { readonly enabled: boolean }
  readonly optIn: OptInSettings
  readonly sdkTypeVisibility: { readonly enabledInFeatureSettings: boolean }
  readonly disablePassthroughRollouts: boolean
}

/** The look of the page on which users opt in to features. */
export interface OptInSettings {
  readonly enabled: boolean
  readonly title?: string
  readonly description?: string
  readonly imageURL?: string
  readonly colors?: { readonly primary: string; readonly secondary: string }
  readonly poweredByAlignment?: 'left' | 'center' | 'right' | 'hidden'
}

/** An environment of a project, with the keys its SDKs present. */
export interface StoredEnvironment extends Stored {
  readonly _project: string
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly type: 'development' | 'staging' | 'production' | 'disaster_recovery'
  readonly sdkKeys: { readonly [T in SdkKeyType]: readonly SdkKey[] }
  readonly settings: EnvironmentSettings
}

/** One key of an environment. */
export interface SdkKey {
  readonly key: string
  readonly createdAt: string
  readonly compromised: boolean
}

/** What an environment switches on. */
export interface EnvironmentSettings {
  /** Whether OFREP answers an unserved flag with the off variation's value, for clients that cannot read an answer without one. */
  readonly ofrepOffValues?: boolean
}

/** A feature: the variables it carries and the variations that give them values. */
export interface StoredFeature extends Stored {
  readonly _project: string
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly type: FeatureType
  readonly status: 'active' | 'complete' | 'archived'
  readonly settings: { readonly optInEnabled: boolean; readonly publicName: string; readonly publicDescription: string }
  readonly sdkVisibility: { readonly [T in SdkKeyType]: boolean }
  readonly variations: readonly Variation[]
  /** The key of the variation served to everybody once the feature is complete. */
  readonly staticVariation?: string
  readonly tags: readonly string[]
}

/** What a feature does in one environment. */
export interface StoredConfiguration extends Stored {
  readonly _project: string
  readonly _feature: string
  readonly _environment: string
  readonly status: 'active' | 'inactive'
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
export interface StoredVariable extends Stored {
  readonly _project: string
  readonly _feature?: string
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly type: VariableType
  readonly status: 'active' | 'archived'
  readonly tags: readonly string[]
}

/** An audience that targets refer to. */
export interface StoredAudience extends Stored {
  readonly _project: string
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly filters: Operator
  readonly tags: readonly string[]
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
