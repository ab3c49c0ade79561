import type { Operations } from '@burgee/contract'
import type { FeatureContext, Naming } from './featureContext.ts'
import type { FeatureState } from './featureState.ts'

/** A change of a feature that a request asks for. */
export interface FeatureChange {
  readonly rule: Rule
  /** The part of the request that names what is not the feature's own. */
  readonly naming?: Naming
  /** The operation that a change request for it wraps; that of the feature itself, if it says nothing. */
  readonly wrapping?: keyof Operations
}

/** What a feature becomes: at once, unless something has to be read on the way. */
export type Rule = (state: FeatureState, context: FeatureContext) => FeatureState | Promise<FeatureState>
