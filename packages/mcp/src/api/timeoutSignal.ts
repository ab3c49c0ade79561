/**
 * Creates a signal that aborts after a timeout or with one of the given signals. `AbortSignal.any` with a timeout signal is no
 * replacement: Node 20 can garbage-collect it before it fires.
 */
export function timeoutSignal(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const ending = new AbortController()
  setTimeout(
    () => ending.abort(new DOMException(`no response within ${ms / 1000} seconds`, 'TimeoutError')),
    ms
  ).unref()
  for (const signal of signals) {
    if (signal.aborted) ending.abort(signal.reason)
    else signal.addEventListener('abort', () => ending.abort(signal.reason), { once: true })
  }
  return ending.signal
}
