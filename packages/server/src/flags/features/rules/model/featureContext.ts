import type { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import type { Edit } from '../../../../access/audit/edit.ts'
import type { StoredEnvironment, StoredFeature, StoredProject, StoredVariable } from '../../../../storage/resources.ts'

/** What the rules of a feature look at besides the feature itself. */
export interface FeatureContext extends Pick<Edit, 'caller' | 'at' | 'id' | 'recordFields'> {
  readonly project: StoredProject
  /** All of the project, the oldest first. */
  readonly environments: readonly StoredEnvironment[]
  /** The variables of the project that the request names, by key. */
  readonly variables: ReadonlyMap<string, ReferencedVariable>
  /** Id of each audience of the project that the request names, by the key or id that it uses. */
  readonly audiences: ReadonlyMap<string, string>
}

/** A variable that is there, and the feature that carries it. */
export interface ReferencedVariable {
  readonly variable: StoredVariable
  readonly feature?: StoredFeature
}

/** The part of a request that names things which are not the feature's own. */
export interface FeatureReferences {
  readonly variables?: readonly { readonly key: string }[] | undefined
  readonly configurations?: Readonly<Record<string, UpdateFeatureConfiguration>> | undefined
}
