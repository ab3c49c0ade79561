/**
 * Creates a signal that aborts after a timeout or with one of the given signals. `AbortSignal.any` with a timeout signal
 * is not a replacement: Node 20 can garbage-collect it before it fires.
 */
export function timeoutSignal(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController()
  setTimeout(
    () => controller.abort(new DOMException(`no response within ${ms / 1000} seconds`, 'TimeoutError')),
    ms
  ).unref()
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason)
    else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
  }
  return controller.signal
}
