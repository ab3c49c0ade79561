import { createClient } from '@burgee/contract/client'
import { reportResponse, reportUnreachable } from './connection.ts'

/** Requests carry the session's cookie. The header proves that a page of this origin sent them. */
async function sendInSession(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.delete('authorization')
  headers.set('burgee-dashboard', '1')
  try {
    const response = await fetch(input, { ...init, headers, credentials: 'same-origin' })
    reportResponse(response)
    return response
  } catch (error) {
    reportUnreachable(error)
    throw error
  }
}

/** The API of the server that serves this page, as the signed-in person. */
export const api = createClient({
  baseUrl: `${location.origin}/session/api`,
  credentials: { token: 'session' },
  fetch: sendInSession
})
