import type { Environment, Feature, Project } from '@burgee/contract/schemas'

/** What an effect on a feature is made from. */
export interface Around {
  readonly feature: Feature
  /** All of the project. */
  readonly environments: readonly Environment[]
  readonly project: Pick<Project, 'settings'>
}

/** The same without the project. */
export type Carrier = Omit<Around, 'project'>
