import type { UpdateFeatureConfiguration } from '@burgee/contract'
import type { Edit } from '../../audit/edit.ts'
import type { StoredEnvironment, StoredFeature, StoredProject, StoredVariable } from '../../store/resources.ts'

/** What the rules of a feature look at besides the feature itself. */
export interface FeatureContext extends Pick<Edit, 'caller' | 'at' | 'id' | 'stamps'> {
  readonly project: StoredProject
  /** All of the project, the oldest first. */
  readonly environments: readonly StoredEnvironment[]
  /** The variables of the project that the request names, by key. */
  readonly variables: ReadonlyMap<string, KnownVariable>
  /** Id of each audience of the project that the request names, by the key or id that it uses. */
  readonly audiences: ReadonlyMap<string, string>
}

/** A variable that is there, and the feature that carries it. */
export interface KnownVariable {
  readonly variable: StoredVariable
  readonly carrier?: StoredFeature
}

/** The part of a request that names things which are not the feature's own. */
export interface Naming {
  readonly variables?: readonly { readonly key: string }[] | undefined
  readonly configurations?: Readonly<Record<string, UpdateFeatureConfiguration>> | undefined
}
