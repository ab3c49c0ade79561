/** A job that runs again and again. */
export interface PeriodicJob {
  /** Runs the job now, or joins the run in progress; the next wait starts after it. Does nothing once stopped. */
  readonly run: () => Promise<void>
  /** Schedules no further run. Resolves when the run in progress has finished. */
  readonly stop: () => Promise<void>
}

/** The timer functions that a job uses; tests pass their own. */
export interface Timers {
  readonly setTimeout: (callback: () => void, ms: number) => { readonly unref?: () => unknown }
  // Node and browsers each accept only what their own `setTimeout` returned.
  readonly clearTimeout: (timer: never) => void
}

interface JobOptions {
  /** Receives what the job throws; the job runs again after the next wait. */
  readonly onError: (error: unknown) => void
  /** Milliseconds to wait after a run that failed; the interval if omitted. */
  readonly retryMs?: number
  /** Runs the job at once instead of after the first wait. */
  readonly immediately?: boolean
  /** The part by which each wait is lengthened or shortened at random: 0.1 spreads waits by ±10 %. */
  readonly jitter?: number
  /** At least 0 and less than 1. */
  readonly random?: () => number
  readonly timers?: Timers
}

/**
 * Runs a job periodically. Runs never overlap, since a wait starts when the run before it has finished, and the timer does
 * not keep the process alive.
 * @param interval Milliseconds between two runs; a function is read before each wait.
 */
export function every(
  interval: number | (() => number),
  work: () => unknown,
  { onError, retryMs, immediately = false, jitter = 0, random = Math.random, timers = globalThis }: JobOptions
): PeriodicJob {
  let timer: ReturnType<Timers['setTimeout']> | undefined
  let running: Promise<void> | undefined
  let isStopped = false

  const cancel = (): void => {
    // What this `setTimeout` returned is what this `clearTimeout` takes.
    if (timer !== undefined) timers.clearTimeout(timer as never)
    timer = undefined
  }

  const wait = (ms: number): void => {
    if (isStopped) return
    timer = timers.setTimeout(() => void run(), ms * (1 + jitter * (2 * random() - 1)))
    timer.unref?.()
  }

  const runOnce = async (): Promise<void> => {
    const next = () => (typeof interval === 'function' ? interval() : interval)
    try {
      await work()
      wait(next())
    } catch (error) {
      onError(error)
      wait(retryMs ?? next())
    }
  }

  const run = (): Promise<void> => {
    if (isStopped) return running ?? Promise.resolve()
    cancel()
    running ??= runOnce().finally(() => {
      running = undefined
    })
    return running
  }

  if (immediately) void run()
  else wait(typeof interval === 'function' ? interval() : interval)
  return {
    run,
    stop: async () => {
      isStopped = true
      cancel()
      await running
    }
  }
}
