/**
 * Creates a signal that aborts after a timeout or with one of the given signals, whichever is first, and then leaves no
 * timer or listener behind. `AbortSignal.any` with a timeout signal is not a replacement: Node 20 can garbage-collect it
 * before it fires.
 */
export function timeoutSignal(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController()
  const ended = signals.find(({ aborted }) => aborted)
  if (ended) {
    controller.abort(ended.reason)
    return controller.signal
  }
  const abort = (reason: unknown) => {
    clearTimeout(timer)
    controller.abort(reason)
  }
  const timer = setTimeout(
    () => abort(new DOMException(`no response within ${ms / 1000} seconds`, 'TimeoutError')),
    ms
  ).unref()
  for (const signal of signals) {
    signal.addEventListener('abort', () => abort(signal.reason), { once: true, signal: controller.signal })
  }
  return controller.signal
}
