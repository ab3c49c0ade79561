/** A job that runs periodically. */
export interface PeriodicJob {
  /** Runs the job now, or joins the run in progress; the next wait starts after it. Does nothing once stopped. */
  readonly run: () => Promise<void>
  /** Schedules no further run. Resolves when the run in progress has finished. */
  readonly stop: () => Promise<void>
}

interface JobOptions {
  /** Receives errors of the job, which runs again after the next wait. */
  readonly onError: (error: unknown) => void
  /** Milliseconds to wait after a run that failed; the interval if omitted. */
  readonly retryMs?: number
  /** Runs the job at once instead of after the first wait. */
  readonly immediately?: boolean
}

/**
 * Runs a job periodically. Runs never overlap, since each wait starts after the previous run has finished. The timer
 * does not keep the process alive.
 * @param intervalMs Milliseconds between two runs.
 */
export function every(
  intervalMs: number,
  work: () => unknown,
  { onError, retryMs = intervalMs, immediately = false }: JobOptions
): PeriodicJob {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let isStopped = false

  const cancel = (): void => {
    clearTimeout(timer)
    timer = undefined
  }

  const wait = (ms: number): void => {
    if (isStopped) return
    timer = setTimeout(() => void run(), ms)
    timer.unref()
  }

  const runOnce = async (): Promise<void> => {
    try {
      await work()
      wait(intervalMs)
    } catch (error) {
      onError(error)
      wait(retryMs)
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
  else wait(intervalMs)
  return {
    run,
    stop: async () => {
      isStopped = true
      cancel()
      await running
    }
  }
}
