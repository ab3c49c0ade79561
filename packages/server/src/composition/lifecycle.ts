import { createDeferred } from '../lib/deferred.ts'
import type { Disposer } from '../lib/disposer.ts'
import type { Logger } from '../lib/logger.ts'
import type { StoreLostError } from '../storage/store.ts'

/** The lifecycle of a server, which starts, stops and closes once. */
export interface Lifecycle {
  /** Resolves when the server may answer requests, or when its start has failed. */
  readonly started: Promise<void>
  readonly start: () => void
  /** Runs `work` after the start. Until it ends, the server answers requests, but reports that it is not ready. */
  readonly warmUp: (work: () => Promise<void>) => Promise<void>
  readonly isWarmingUp: () => boolean
  readonly isStopping: () => boolean
  /** How long the server announces its stop before it stops listening, in milliseconds. */
  readonly lingerMs: () => number
  /** Returns why the server must not use its store any more; `undefined` if it may. */
  readonly findStoreLoss: () => string | undefined
  /**
   * Records that this server can no longer use its store. It closes, after its start if that is in progress.
   */
  readonly loseStore: (loss: StoreLostError) => void
  readonly close: (options?: { readonly lingerMs?: number }) => Promise<void>
  /** Resolves when everything is closed, with the error if the store was lost. */
  readonly closed: Promise<Error | undefined>
}

/** Creates the lifecycle of a server. Closing the server runs the disposer. */
export function createLifecycle(disposer: Disposer, log: Logger): Lifecycle {
  const started = createDeferred<void>()
  const closed = createDeferred<Error | undefined>()
  let isStarted = false
  let isWarmingUp = false
  let lingerMs: number | undefined
  let storeLoss: StoreLostError | undefined

  const close: Lifecycle['close'] = (options = {}) => {
    lingerMs ??= options.lingerMs ?? 0
    return disposer.close().finally(() => closed.resolve(storeLoss))
  }
  const closeAfterLoss = (loss: StoreLostError) => {
    if (lingerMs !== undefined) return
    log.fatal({ err: loss }, 'this server can no longer use its store, so it stops')
    close({ lingerMs: LOSS_LINGER_MS }).catch((error) => log.error({ err: error }, 'the server did not close cleanly'))
  }
  return {
    started: started.promise,
    start: () => {
      isStarted = true
      started.resolve()
      if (storeLoss) closeAfterLoss(storeLoss)
    },
    warmUp: async (work) => {
      isWarmingUp = true
      await work().finally(() => {
        isWarmingUp = false
      })
    },
    isWarmingUp: () => isWarmingUp,
    isStopping: () => lingerMs !== undefined,
    lingerMs: () => lingerMs ?? 0,
    findStoreLoss: () => storeLoss?.message,
    loseStore: (loss) => {
      storeLoss = loss
      if (isStarted) closeAfterLoss(loss)
    },
    close,
    closed: closed.promise
  }
}

/** How long a server that lost its store answers `/readyz` with 503 before it stops, in milliseconds. */
const LOSS_LINGER_MS = 1_000
