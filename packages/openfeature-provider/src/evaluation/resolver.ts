import type { User } from '@burgee/core'
import type { EvaluationContext, FlagMetadata, FlagValue, ResolutionDetails } from '@openfeature/server-sdk'
import type { Health, HealthOptions } from '../status/healthMonitor.ts'
import type { EvaluationRequest } from './resolutionDetails.ts'

/** Evaluates flags from `start` to `close`, in this process or on the server. It never throws. */
export interface Resolver {
  /**
   * Resolves when flags can be evaluated.
   *
   * @throws if they cannot be evaluated at the deadline. The resolver continues, and reports its recovery.
   */
  readonly start: () => Promise<void>
  readonly resolve: <T extends FlagValue>(
    request: EvaluationRequest<T>,
    context: EvaluationContext
  ) => ResolutionDetails<T> | Promise<ResolutionDetails<T>>
  /** Feature id → id of the variation that the user is served now. Empty if this process has no config. */
  readonly variationsFor: (user: User) => Readonly<Record<string, string>>
  /** Identifies the config in use in telemetry; empty if there is none. */
  readonly flagSet: FlagMetadata
  /** Ends all requests and timers. Can be called repeatedly. */
  readonly close: () => Promise<void>
}

/** The options of every resolver. */
export interface StartOptions extends HealthOptions {
  /** The timeout of a start, in milliseconds. */
  readonly initTimeoutMs: number
  readonly onHealth: (health: Health, message: string) => void
}
