import type { Json, VariableType } from '@burgee/core'
import type { Start } from '../state.ts'

/** A feature's body in a command: references in place of ids. */
export interface FeatureInput {
  key?: string
  name?: string
  description?: string
  tags?: string[]
  variables?: VariableInput[]
  variations?: VariationInput[]
  configurations?: Record<string, ConfigurationInput>
}

/** A variable in the body of a feature: a new one, one of its own, or a free one. */
export interface VariableInput {
  key: string
  type: VariableType
  name?: string
}

/** A variation in the body of a feature. */
export interface VariationInput {
  key: string
  name: string
  values: Record<string, Json>
  /** The existing variation, by its `_id`. */
  was?: string
}

/** The configuration of a feature in one environment. */
export interface ConfigurationInput {
  status?: 'active' | 'inactive'
  targets?: TargetInput[]
}

/** A target, with references in place of ids. */
export interface TargetInput {
  who: WhoInput
  starts?: Start
  /** Variation → share. */
  serves: [reference: string, percentage: number][]
  /** The existing target at this index, by its `_id`. */
  keeps?: number
}

/** Like `Who`, with a reference to the audience. */
export type WhoInput = 'everybody' | { users: string[] } | { audience: string }
