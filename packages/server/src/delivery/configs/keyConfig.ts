import type { SdkKeyType } from '@burgee/contract'
import type { Config, Evaluator } from '@burgee/core'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import type { ConfigVersion } from './configVersions.ts'
import type { KeyRestrictions } from './keyRestrictions.ts'
import type { EnvironmentOverrides } from './overrideIndex.ts'

/** The environment, config and evaluator of an SDK key at one moment. */
export interface KeyConfig {
  /** The SDK key. */
  readonly sdkKey: string
  /** The digest of the key, for code that must not keep the key itself. */
  readonly keyDigest: string
  /** When and from where the key is accepted; `undefined` for a key without restrictions. */
  readonly restrictions: KeyRestrictions | undefined
  readonly project: KeyProject
  readonly environment: KeyEnvironment
  readonly keyType: SdkKeyType
  /** The config document that the evaluator was compiled from. */
  readonly config: Config
  readonly evaluator: Evaluator
  readonly version: ConfigVersion
  /** The current overrides of the environment. They can be newer than the other members. */
  readonly overrides: EnvironmentOverrides
  /** The features of the project, active in this environment or not. */
  readonly features: readonly KnownFeature[]
  readonly variables: readonly KnownVariable[]
  /** Whether users can opt in to any feature of this environment. */
  readonly hasOptIn: boolean
  /** Set for an unsigned anonymous user where users must be signed: evaluations ignore stored user data. */
  readonly ignoresStoredUsers?: boolean
}

/** What requests with an SDK key read of its project. */
export interface KeyProject extends Pick<StoredProject, '_id' | 'key' | '_organization'> {
  readonly settings: Pick<
    StoredProject['settings'],
    'edgeDB' | 'optIn' | 'obfuscation' | 'disablePassthroughRollouts' | 'trustClientWrites'
  >
}

/** What requests with an SDK key read of its environment. */
export interface KeyEnvironment extends Pick<StoredEnvironment, '_id' | 'key' | 'sdkKeys' | 'userSigningSecrets'> {
  readonly settings: Pick<StoredEnvironment['settings'], 'signedUsers' | 'unsignedAnonymousUsers'>
}

/** A feature to which events are attributed. */
export interface KnownFeature {
  readonly _id: string
  readonly variations: readonly { readonly _id: string }[]
}

/** A variable to which events are attributed. */
export interface KnownVariable {
  readonly _id: string
  readonly key: string
  readonly _feature?: string | undefined
}
