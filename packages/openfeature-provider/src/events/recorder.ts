import type { Resolution, User } from '@burgee/core'
import type { TrackingEventDetails } from '@openfeature/server-sdk'

/**
 * Records evaluations and tracked events. Recording never throws and never waits. A closed recorder can be used again.
 */
export interface Recorder {
  readonly recordEvaluation: (evaluation: Evaluation) => void
  readonly recordTracking: (tracking: TrackedEvent) => void
  /** Sends the queued events. Resolves when they are delivered, or sending failed. */
  readonly flush: () => Promise<void>
  /** Sends the queued events and ends all timers. Can be called repeatedly. */
  readonly close: () => Promise<void>
}

/** An evaluation in process. */
export interface Evaluation {
  readonly key: string
  readonly user: User
  readonly resolution: Resolution
  /** Whether the application got its default, because there was no value, or its type was wrong. */
  readonly isDefaulted: boolean
}

/** An event that the application tracked. */
export interface TrackedEvent {
  readonly name: string
  readonly user: User
  readonly details: TrackingEventDetails
  /** Feature id → id of the variation that the user is served now. */
  readonly featureVars: Readonly<Record<string, string>>
}
