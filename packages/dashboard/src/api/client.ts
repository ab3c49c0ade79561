import { table } from 'virtual:operations'
import { createTableClient, REQUEST_TIMEOUT_MS } from '@burgee/contract/client'
import { reportResponse, reportUnreachable } from './connection.ts'
import { sendWithSession } from './signIn.ts'

/** Notes each answer, and that there was none. Each attempt has its own time limit: a sign-in may take longer. */
function sendAndReport(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  return sendWithSession(async () => {
    try {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
      const response = await fetch(input, { ...init, credentials: 'same-origin', signal })
      reportResponse(response)
      return response
    } catch (error) {
      reportUnreachable(error)
      throw error
    }
  })
}

/** The API of the server that serves this page. The session's cookie names the person; the header excludes other origins. */
export const api = createTableClient({
  table,
  baseUrl: `${location.origin}/session/api`,
  credentials: { headers: { 'burgee-dashboard': '1' } },
  fetch: sendAndReport
})

/** Finds out whether the server answers and the session exists. Both are reported. */
export function checkConnection(): void {
  api.getSession().catch(() => undefined)
}
