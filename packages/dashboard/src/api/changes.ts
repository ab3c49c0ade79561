import type { ProjectChange } from '@burgee/contract/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { checkConnection } from './client.ts'
import { reportReachable } from './connection.ts'
import { refetchAfterChange } from './refetch.ts'

const MIN_WAIT_MS = 1000
const MAX_WAIT_MS = 30_000
/** A hidden tab stops listening after this time. */
const HIDDEN_MS = 5 * 60_000

/**
 * Refetches the queries of the page when the project changes. Of all tabs of a browser with the same project, one
 * listens to the stream and notifies the others. Drafts are not queries, so nothing that was typed is replaced.
 * `onChange` gets each change that the stream describes.
 */
export function useChanges(project: string | undefined, onChange: (change: ProjectChange) => void): void {
  const client = useQueryClient()
  const newest = useRef(onChange)
  useEffect(() => {
    newest.current = onChange
  })
  useEffect(() => {
    if (project === undefined) return
    const refresh = () => refetchAfterChange(client, { predicate: ({ queryKey }) => queryKey[0] !== 'getSession' })
    const channel = new BroadcastChannel(`burgee-changes-${project}`)
    const take = (change: ProjectChange | undefined) => {
      refresh()
      if (change) newest.current(change)
    }
    channel.onmessage = ({ data }: MessageEvent<ProjectChange | undefined>) => take(data)
    const stopped = new AbortController()
    const listen = () =>
      navigator.locks.request(`burgee-changes-${project}`, { signal: stopped.signal }, () =>
        follow(project, stopped.signal, (change) => {
          take(change)
          channel.postMessage(change)
        })
      )
    // The request for the lock is pending until the page closes, which aborts it.
    listen().catch(() => undefined)
    return () => {
      stopped.abort()
      channel.close()
    }
  }, [client, project])
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
