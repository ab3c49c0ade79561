import type { User } from '@burgee/core'
import type { EvaluationContext, FlagMetadata, FlagValue, ResolutionDetails } from '@openfeature/server-sdk'
import type { Health, HealthOptions } from '../status/healthMonitor.ts'
import type { EvaluationRequest } from './resolutionDetails.ts'

/** Evaluates flags from `start` to `close`, in this process or on the server. It never throws. */
export interface Resolver {
  /**
   * Resolves when flags can be evaluated.
   *
   * @throws when they cannot before the deadline. The resolver continues, and reports its recovery.
   */
  readonly start: () => Promise<void>
  readonly resolve: <T extends FlagValue>(
    request: EvaluationRequest<T>,
    context: EvaluationContext
  ) => ResolutionDetails<T> | Promise<ResolutionDetails<T>>
  /** Feature id → variation id: what the user is served now, as far as this process knows. */
  readonly variationsFor: (user: User) => Readonly<Record<string, string>>
  /** Identifies the config in use in telemetry; empty if there is none. */
  readonly flagSet: FlagMetadata
  /** Ends every request and timer. Can be called repeatedly. */
  readonly close: () => Promise<void>
}

/** The options of every resolver. */
export interface StartOptions extends HealthOptions {
  /** The limit of a start, in milliseconds. */
  readonly initTimeoutMs: number
  readonly onHealth: (health: Health, message: string) => void
}
