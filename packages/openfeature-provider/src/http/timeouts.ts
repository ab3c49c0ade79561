/**
 * Runs work that is aborted after a timeout or by a signal. `AbortSignal.any` does the same, but leaks memory in Node
 * 20 for the lifetime of the signal.
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(new Error(`it took longer than ${ms} ms`)), ms).unref()
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
