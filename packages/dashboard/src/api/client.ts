import { table } from 'virtual:operations'
import { type Client, createTableClient } from '@burgee/contract/client'
import { reportResponse, reportUnreachable } from './connection.ts'

/** Sends a request with the cookie of the session. Notes each answer, and that there was none. */
export async function sendAndReport(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  try {
    const response = await fetch(input, { ...init, credentials: 'same-origin' })
    reportResponse(response)
    return response
  } catch (error) {
    reportUnreachable(error)
    throw error
  }
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
