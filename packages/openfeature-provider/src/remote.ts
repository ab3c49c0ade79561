import type { EvaluationContext, FlagValue, ResolutionDetails } from '@openfeature/server-sdk'
import type { FlagType } from './flagType.ts'
import type { WatchOptions } from './remoteWatch.ts'

/** Evaluates on the server, one request for each evaluation: for applications that cannot have a config. It never throws. */
export interface Remote {
  readonly resolve: <T extends FlagValue>(
    key: string,
    type: FlagType,
    defaultValue: T,
    context: EvaluationContext
  ) => Promise<ResolutionDetails<T>>
  /**
   * Watches the server from now on, and tells how it fares. Resolves when it has answered.
   *
   * @throws when it has not, at once or at the deadline.
   */
  readonly start: (options: WatchOptions) => Promise<void>
  /** Ends what is under way, and the watch. Closing again does nothing more; it can be used again. */
  readonly close: () => void
}
