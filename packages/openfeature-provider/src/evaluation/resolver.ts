import type { User } from '@burgee/core'
import type { EvaluationContext, FlagMetadata, FlagValue, ResolutionDetails } from '@openfeature/server-sdk'
import type { Health, HealthOptions } from '../status/healthMonitor.ts'
import type { EvaluationRequest } from './resolutionDetails.ts'

/** What evaluates flags, in this process or on the server, from `start` to `close`. It never throws while it does. */
export interface Resolver {
  /**
   * Resolves when flags can be evaluated.
   *
   * @throws when they cannot, at once or at the deadline. It goes on, and tells when they can.
   */
  readonly start: () => Promise<void>
  readonly resolve: <T extends FlagValue>(
    question: EvaluationRequest<T>,
    context: EvaluationContext
  ) => ResolutionDetails<T> | Promise<ResolutionDetails<T>>
  /** Feature id → variation id: what a user is served at this moment, as far as that is known here. */
  readonly variationsFor: (user: User) => Readonly<Record<string, string>>
  /** What telemetry is told of the config in use; empty where there is none here. */
  readonly flagSet: FlagMetadata
  /** Ends everything that was begun. Closing again does nothing more. */
  readonly close: () => Promise<void>
}

/** How a resolver starts, and who is told how it fares. */
export interface StartOptions extends HealthOptions {
  /** How long a start may take. */
  readonly initTimeoutMs: number
  readonly onHealth: (health: Health, message: string) => void
}
