import type { CustomData } from '@burgee/core'

/** One event as it is kept: who did it, where, and when it arrived. Private custom data is never among it. */
export interface TrackedEvent {
  readonly environment: string
  readonly user: EventUser
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
  /** What the payload it came in was named by; one that came again has the same. */
  readonly idempotencyKey?: string | undefined
  /** When it arrived, ISO 8601 in UTC. */
  readonly receivedAt: string
}

/** Whose event it is: as much of the user as results are told apart by. */
export interface EventUser {
  readonly user_id: string
  readonly customData?: CustomData | undefined
  readonly platform?: string | undefined
  readonly sdkType?: string | undefined
  readonly sdkVersion?: string | undefined
}

/** Where events go. */
export interface EventLog {
  /** Resolves when the events are durable. */
  readonly append: (events: readonly TrackedEvent[]) => Promise<void>
  readonly close: () => Promise<void>
}
