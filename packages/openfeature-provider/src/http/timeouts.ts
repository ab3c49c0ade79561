/**
 * Runs work that is aborted at a timeout or by a signal. `AbortSignal.any` does the same, but on Node 20 it leaks for
 * the life of the signal.
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal,
  work: (ending: AbortSignal) => Promise<T>
): Promise<T> {
  const ending = new AbortController()
  const end = (): void => ending.abort(signal.reason)
  const timer = setTimeout(() => ending.abort(new Error(`it took longer than ${ms} ms`)), ms).unref()
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    return await work(ending.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}
