import type { Resolution, User } from '@burgee/core'
import type { TrackingEventDetails } from '@openfeature/server-sdk'

/** What is told of each evaluation and each tracked event. It never throws and never waits; a closed one can be used again. */
export interface Recorder {
  readonly recordEvaluation: (evaluation: Evaluation) => void
  readonly recordTracking: (tracking: TrackedEvent) => void
  /** Sends what has been gathered; resolves when that is done or given up. */
  readonly flush: () => Promise<void>
  /** Sends what has been gathered and ends every timer. Closing again does nothing more. */
  readonly close: () => Promise<void>
}

/** One evaluation of a flag in process. */
export interface Evaluation {
  readonly key: string
  readonly user: User
  readonly resolution: Resolution
  /** Whether the application got its own default: there was no value, or one of another type than it asked for. */
  readonly isDefaulted: boolean
}

/** One event that the application tracked. */
export interface TrackedEvent {
  readonly name: string
  readonly user: User
  readonly details: TrackingEventDetails
  /** Feature id → variation id: what the user is served at this moment. */
  readonly featureVars: Readonly<Record<string, string>>
}
