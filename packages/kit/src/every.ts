/** A job that runs periodically. */
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
  /** Receives errors of the job, which runs again after the next wait. */
  readonly onError: (error: unknown) => void
  /** Milliseconds to wait after a run that failed; the interval if omitted. */
  readonly retryMs?: number
  /** Runs the job at once instead of after the first wait. */
  readonly immediately?: boolean
  /** The random variation of each wait, as a part of it: 0.1 is ±10 %. */
  readonly jitter?: number
  /** Returns a random number, at least 0 and less than 1. */
  readonly random?: () => number
  readonly timers?: Timers
}

/**
 * Runs a job periodically. Runs never overlap, since each wait starts after the previous run has finished. The timer
 * does not keep the process alive.
 * @param interval Milliseconds between two runs; a function is called before each wait.
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
    // `timer` was returned by `setTimeout` of the same `timers`.
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
