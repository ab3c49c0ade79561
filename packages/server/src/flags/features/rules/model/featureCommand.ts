import type { Operations } from '@burgee/contract'
import type { FeatureContext, FeatureReferences } from './featureContext.ts'
import type { FeatureState } from './featureState.ts'

/** A request to change a feature. */
export interface FeatureCommand {
  readonly update: FeatureUpdater
  /** The references of the request to resources outside of the feature. */
  readonly references?: FeatureReferences
  /** The operation that a change request for it wraps; `updateFeature` if omitted. */
  readonly operation?: keyof Operations
  /** Whether the command is refused while code reads variables of the feature. */
  readonly requiresNoReads?: boolean
  /** The revisions of the feature that the request requires: the header `If-Match`. */
  readonly ifMatch?: string | undefined
}

/** Returns the next state of a feature. */
export type FeatureUpdater = (state: FeatureState, context: FeatureContext) => FeatureState | Promise<FeatureState>
