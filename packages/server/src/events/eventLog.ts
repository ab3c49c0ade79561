import type { CustomData } from '@burgee/core'

/** The events of one request as they are kept: where they happened, and when they arrived. Whatever it has several events of, it says once. */
export interface TrackedPayload {
  readonly environment: string
  /** What the sender named it by; one that came again has the same. */
  readonly idempotencyKey?: string | undefined
  /** When it arrived, ISO 8601 in UTC. */
  readonly receivedAt: string
  readonly reports: readonly TrackedReport[]
}

/** What one user did. */
export interface TrackedReport {
  readonly user: TrackedUser
  readonly events: readonly TrackedEvent[]
}

/** One event. */
export interface TrackedEvent {
  readonly type: string
  /** Of the type `customEvent`: the application's own word for it. */
  readonly customType?: string | undefined
  readonly target?: string | undefined
  /** When it happened: epoch milliseconds, by the clock of the client. */
  readonly date?: number | undefined
  /** When the SDK noted it: epoch milliseconds, by the clock of the client. */
  readonly clientDate?: number | undefined
  readonly value?: number | undefined
  /** Id of each feature that the user got → id of the variation. */
  readonly featureVars?: Readonly<Record<string, string>> | undefined
  readonly metaData?: Readonly<Record<string, unknown>> | undefined
}

/** Whose event it is: as much of the user as results are told apart by. Private custom data is never among it. */
export interface TrackedUser {
  readonly user_id: string
  readonly customData?: CustomData | undefined
  readonly platform?: string | undefined
  readonly sdkType?: string | undefined
  readonly sdkVersion?: string | undefined
}

/** Where events go. */
export interface EventLog {
  /** Resolves when the events are durable. */
  readonly append: (payload: TrackedPayload) => Promise<void>
  readonly close: () => Promise<void>
}
