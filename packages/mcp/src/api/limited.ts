/**
 * A signal that ends after so many milliseconds, or when one of these does. A timer holds on to it: what `AbortSignal.any`
 * makes of a timeout, Node 20 collects before its time, and nothing ever ends.
 */
export function limited(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const ending = new AbortController()
  setTimeout(
    () => ending.abort(new DOMException(`there was no answer within ${ms / 1000} seconds`, 'TimeoutError')),
    ms
  ).unref()
  for (const signal of signals) {
    if (signal.aborted) ending.abort(signal.reason)
    else signal.addEventListener('abort', () => ending.abort(signal.reason), { once: true })
  }
  return ending.signal
}
