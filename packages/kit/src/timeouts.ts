/**
 * Runs work that is aborted after a timeout or by a signal. `AbortSignal.any` does the same, but leaks memory in Node
 * 20 for the lifetime of the signal. The timer does not keep the process alive.
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(new Error(`it took longer than ${ms} ms`)), ms)
  timer.unref()
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
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
