import type { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import type { Edit } from '../../../../access/audit/edit.ts'
import type { StoredFeature, StoredVariable } from '../../../../storage/resources/feature.ts'
import type { StoredEnvironment, StoredProject } from '../../../../storage/resources/project.ts'

/** The input of the rules besides the feature itself. */
export interface FeatureContext extends Pick<Edit, 'caller' | 'at' | 'id' | 'recordFields' | 'compute'> {
  readonly project: StoredProject
  /** All environments of the project, the oldest first. */
  readonly environments: readonly StoredEnvironment[]
  /** The variables of the project that the request references, by key. */
  readonly variables: ReadonlyMap<string, ReferencedVariable>
  /** The ids of the audiences that the request references, by the key or id that it uses. */
  readonly audiences: ReadonlyMap<string, string>
}

/** An existing variable, and its feature. */
export interface ReferencedVariable {
  readonly variable: StoredVariable
  readonly feature?: StoredFeature
}

/** The members of a request that name resources outside of the feature. */
export interface FeatureReferences {
  readonly variables?: readonly { readonly key: string }[] | undefined
  readonly configurations?: Readonly<Record<string, UpdateFeatureConfiguration>> | undefined
}
