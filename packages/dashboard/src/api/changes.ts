import type { ProjectChange } from '@burgee/contract/schemas'
import { useEffect } from 'react'
import { checkConnection } from './client.ts'
import { reportReachable } from './connection.ts'
import { queryClient } from './query.ts'
import { refetchAfterChange } from './refetch.ts'

const MIN_WAIT_MS = 1000
const MAX_WAIT_MS = 30_000
/** A hidden tab stops listening after this time. */
const HIDDEN_MS = 5 * 60_000
/** How long the first reads wait for the stream. It is requested with the session, and usually opens no later. */
const MAX_READS_WAIT_MS = 100

interface Following {
  readonly project: string
  /** Resolves when this tab or another one reports all changes from then on. */
  readonly isListening: Promise<void>
  readonly stop: () => void
}

let followed: Following | undefined
let announce: (change: ProjectChange) => void = () => undefined

/**
 * Follows the changes of a project, or of none, and refetches the queries of the page when it changes. Further calls with
 * the same project have no effect.
 */
export function followChanges(project: string | undefined): void {
  if (project === followed?.project) return
  followed?.stop()
  followed = project === undefined ? undefined : startFollowing(project)
}

/** Resolves when the stream is open, or after a moment. What is read before it is open is read again then. */
export function whenListening(): Promise<void> {
  return Promise.race([followed?.isListening, new Promise<void>((resolve) => setTimeout(resolve, MAX_READS_WAIT_MS))])
}

/** Follows the changes of the project of the page. `onChange` gets each change that the stream describes. */
export function useChanges(project: string | undefined, onChange: (change: ProjectChange) => void): void {
  useEffect(() => {
    announce = onChange
  })
  useEffect(() => followChanges(project), [project])
}

/**
 * Of all tabs of a browser with the same project, one listens to the stream and notifies the others. Drafts are not
 * queries, so nothing that was typed is replaced.
 */
function startFollowing(project: string): Following {
  const name = `burgee-changes-${project}`
  const channel = new BroadcastChannel(name)
  const take = (change: ProjectChange | undefined) => {
    refetchAfterChange(queryClient, { predicate: ({ queryKey }) => queryKey[0] !== 'getSession' })
    if (change) announce(change)
  }
  channel.onmessage = ({ data }: MessageEvent<ProjectChange | undefined>) => take(data)
  const stopped = new AbortController()
  const isListening = new Promise<void>((resolve) => {
    const listen = () =>
      follow(project, stopped.signal, (change) => {
        take(change)
        channel.postMessage(change)
        resolve()
      })
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => (lock ? listen() : resolve()))
      .then(() => navigator.locks.request(name, { signal: stopped.signal }, listen))
      // The request for the lock is pending until the page closes, which aborts it.
      .catch(() => undefined)
  })
  const stop = () => {
    stopped.abort()
    channel.close()
  }
  return { project, isListening, stop }
}

/** Follows the stream until the signal is aborted. Waits longer after each failure. */
async function follow(project: string, signal: AbortSignal, onChange: (change?: ProjectChange) => void): Promise<void> {
  let wait = MIN_WAIT_MS
  while (!signal.aborted) {
    await untilVisible(signal)
    const wasOpen = await readStream(
      `/session/api/v1/projects/${encodeURIComponent(project)}/changes`,
      signal,
      onChange
    )
    wait = wasOpen ? MIN_WAIT_MS : Math.min(wait * 2, MAX_WAIT_MS)
    await sleep(wait * (0.5 + Math.random() / 2), signal)
  }
}

/** Reads one connection to its end; returns whether it was open. */
function readStream(
  address: string,
  signal: AbortSignal,
  onChange: (change?: ProjectChange) => void
): Promise<boolean> {
  return new Promise((resolve) => {
    let wasOpen = false
    const source = new EventSource(address)
    const end = () => {
      clearTimeout(hidden)
      document.removeEventListener('visibilitychange', onVisibility)
      source.close()
      resolve(wasOpen)
    }
    let hidden: ReturnType<typeof setTimeout> | undefined
    const onVisibility = () => {
      clearTimeout(hidden)
      if (document.visibilityState === 'hidden') hidden = setTimeout(end, HIDDEN_MS)
    }
    document.addEventListener('visibilitychange', onVisibility)
    signal.addEventListener('abort', end, { once: true })
    source.onopen = () => {
      wasOpen = true
      reportReachable()
      // The stream says nothing about earlier changes, and what was read until now may be older.
      onChange()
    }
    // The server writes what the contract says.
    source.onmessage = ({ data }) => onChange(JSON.parse(data) as ProjectChange)
    source.addEventListener('reset', () => onChange())
    source.onerror = () => {
      // Proxies end streams too, so the end alone does not mean that the server is unreachable.
      if (wasOpen) checkConnection()
      end()
    }
  })
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve()
  return new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return
      document.removeEventListener('visibilitychange', check)
      resolve()
    }
    document.addEventListener('visibilitychange', check)
    signal.addEventListener('abort', check, { once: true })
  })
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true }
    )
  })
}
