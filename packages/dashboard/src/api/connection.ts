import { useSyncExternalStore } from 'react'

/** Whether the server responds, and whether the session still exists. */
export interface Connection {
  /** Epoch milliseconds of the first request without a response; `undefined` while the server responds. */
  readonly awaySince: number | undefined
  readonly isSignedOut: boolean
  /** Whether the server has the code of another version, so that parts of this one can no longer be loaded. */
  readonly isOutdated: boolean
}

let current: Connection = { awaySince: undefined, isSignedOut: false, isOutdated: false }
const listeners = new Set<() => void>()

function set(next: Partial<Connection>): void {
  if (Object.entries(next).every(([name, value]) => current[name as keyof Connection] === value)) return
  current = { ...current, ...next }
  for (const listener of listeners) listener()
}

/** When a response last said that the session has ended, as `performance.now()` counts. */
let signedOutAt = 0

/**
 * Reports a response: the server is reachable, and the session exists or has ended.
 * @param sentAt When the request was sent, as `performance.now()` counts: one from before the session ended says nothing
 * about it.
 */
export function reportResponse({ status }: Pick<Response, 'status'>, sentAt: number): void {
  if (status === 502 || status === 503 || status === 504) {
    set({ awaySince: current.awaySince ?? Date.now() })
    return
  }
  if (status === 401) signedOutAt = performance.now()
  set({ awaySince: undefined, isSignedOut: status === 401 || (current.isSignedOut && sentAt < signedOutAt) })
}

/** Reports that the server is reachable. */
export function reportReachable(): void {
  set({ awaySince: undefined })
}

/** Reports a request without a response. A cancelled request does not count. */
export function reportUnreachable(error?: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  set({ awaySince: current.awaySince ?? Date.now() })
}

/** Reports that code of the page could not be loaded: a running server has another version, and only a reload helps. */
export function reportLoadFailure(): void {
  fetch('/livez').then(({ ok }) => (ok ? set({ isOutdated: true }) : reportUnreachable()), reportUnreachable)
}

/** The state of the connection; renders again when it changes. */
export function useConnection(): Connection {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentConnection)
}

/** The state of the connection. */
export function currentConnection(): Connection {
  return current
}
