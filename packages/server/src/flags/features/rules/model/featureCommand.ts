import type { Operations } from '@burgee/contract'
import type { FeatureContext, FeatureReferences } from './featureContext.ts'
import type { FeatureState } from './featureState.ts'

/** A change of a feature that a request asks for. */
export interface FeatureCommand {
  readonly update: FeatureUpdater
  /** The part of the request that names what is not the feature's own. */
  readonly references?: FeatureReferences
  /** The operation that a change request for it wraps; that of the feature itself, if it says nothing. */
  readonly operation?: keyof Operations
}

/** What a feature becomes: at once, unless something has to be read on the way. */
export type FeatureUpdater = (state: FeatureState, context: FeatureContext) => FeatureState | Promise<FeatureState>
