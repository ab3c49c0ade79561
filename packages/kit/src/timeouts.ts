/**
 * Runs work that is aborted after a timeout or by a signal. Once the work has ended, it leaves no timer or listener. For
 * work whose end is not known, such as reading the body of a response that was passed on, use `timeoutSignal`.
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const timeout = startTimeout(ms, [signal])
  try {
    return await work(timeout.signal)
  } finally {
    timeout.stop()
  }
}

/**
 * Creates a signal that aborts after a timeout or with one of the given signals, whichever is first, and then leaves no
 * timer or listener behind.
 */
export function timeoutSignal(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  return startTimeout(ms, signals).signal
}

/**
 * `AbortSignal.any` with a timeout signal is not a replacement: Node 20 can garbage-collect it before it fires, and leaks
 * memory for the lifetime of the given signals. The timer does not keep the process alive.
 */
function startTimeout(ms: number, signals: readonly AbortSignal[]): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController()
  const listeners = new AbortController()
  const stop = (): void => {
    clearTimeout(timer)
    listeners.abort()
  }
  const abort = (reason: unknown): void => {
    stop()
    controller.abort(reason)
  }
  const late = () => abort(new DOMException(`no response within ${ms / 1000} s`, 'TimeoutError'))
  const timer = setTimeout(late, ms)
  timer.unref()
  for (const signal of signals) {
    signal.addEventListener('abort', () => abort(signal.reason), { signal: listeners.signal })
  }
  const ended = signals.find(({ aborted }) => aborted)
  if (ended) abort(ended.reason)
  return { signal: controller.signal, stop }
}

/**
 * Waits for a promise until a deadline, then returns the result of `onDeadline` or rejects with its error. The timer
 * keeps the process alive.
 */
export async function withDeadline<T>(ms: number, promise: Promise<T>, onDeadline: () => T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  }).then(onDeadline)
  try {
    return await Promise.race([promise, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** Divides long work into slices, between which the event loop serves others. */
export interface TimeSlices {
  /** Waits for another turn of the event loop if the current slice has lasted long enough. */
  readonly yieldIfDue: () => Promise<void> | undefined
}

/** Creates slices of a few milliseconds, for work whose steps take very different times. `pause` waits for another turn. */
export function timeSlices(pause: () => Promise<void>, sliceMs = SLICE_MS): TimeSlices {
  let start = performance.now()
  return {
    yieldIfDue: () => {
      if (performance.now() - start < sliceMs) return undefined
      return pause().then(() => {
        start = performance.now()
      })
    }
  }
}

const SLICE_MS = 4
