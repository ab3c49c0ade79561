import { table } from 'virtual:operations'
import { createTableClient } from '@burgee/contract/client'
import { reportResponse, reportUnreachable } from './connection.ts'

/** Notes each answer, and that there was none. */
async function sendAndReport(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  try {
    const response = await fetch(input, { ...init, credentials: 'same-origin' })
    reportResponse(response)
    return response
  } catch (error) {
    reportUnreachable(error)
    throw error
  }
}

/** The API of the server that serves this page. The session's cookie names the person; the header excludes other origins. */
export const api = createTableClient({
  table,
  baseUrl: `${location.origin}/session/api`,
  credentials: { headers: { 'burgee-dashboard': '1' } },
  fetch: sendAndReport
})
