/**
 * Does work that ends after so many milliseconds at the latest, or when a signal ends it. `AbortSignal.any` would say
 * the same, but on Node 20 it keeps what it makes for as long as the signal lives, which here is for ever.
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
