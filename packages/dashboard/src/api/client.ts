import { table } from 'virtual:operations'
import { type Client, createTableClient, REQUEST_TIMEOUT_MS } from '@burgee/contract/client'
import { reportResponse, reportUnreachable } from './connection.ts'
import { sendWithSession } from './signIn.ts'

/** Sends a request with the cookie of the session. Reports each response, and its absence. */
export function sendAndReport(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  return sendWithSession(async (isRepeated) => {
    try {
      // Signing in again may have taken longer than the timeout of the first attempt.
      const repeated = isRepeated ? { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) } : {}
      const sentAt = performance.now()
      const response = await fetch(input, { ...init, credentials: 'same-origin', ...repeated })
      reportResponse(response, sentAt)
      return response
    } catch (error) {
      reportUnreachable(error)
      throw error
    }
  })
}

/** A client of the server that serves this page. The cookie names the person; the header excludes other origins. */
export function createSessionClient(options: { readonly send: typeof fetch; readonly timeoutMs?: number }): Client {
  const { send, timeoutMs } = options
  return createTableClient({
    table,
    baseUrl: `${location.origin}/session/api`,
    credentials: { headers: { 'burgee-dashboard': '1' } },
    fetch: send,
    ...(timeoutMs === undefined ? {} : { timeoutMs })
  })
}

/** The API of the server that serves this page. */
export const api = createSessionClient({ send: sendAndReport })

/** Checks whether the server responds and the session exists. Both are reported. */
export function checkConnection(): void {
  api.getSession().catch(() => undefined)
}
