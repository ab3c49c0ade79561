import type { CustomData } from '@burgee/core'

/** One event as it is kept: who did it, where, and when it arrived. Private custom data is never among it. */
export interface TrackedEvent {
  readonly environment: string
  readonly user: { readonly user_id: string; readonly customData?: CustomData | null | undefined }
  readonly type: string
  readonly target?: string | null | undefined
  /** Epoch milliseconds, by the clock of the client. */
  readonly date?: number | null | undefined
  readonly value?: number | null | undefined
  readonly metaData?: Readonly<Record<string, unknown>> | null | undefined
  /** When it arrived, ISO 8601 in UTC. */
  readonly receivedAt: string
}

/** Where events go. */
export interface EventLog {
  /** Resolves when the events are durable. */
  readonly append: (events: readonly TrackedEvent[]) => Promise<void>
  readonly close: () => Promise<void>
}
