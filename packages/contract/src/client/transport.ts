import { ApiError } from './apiError.ts'

/** Milliseconds after which a request is aborted. */
export const REQUEST_TIMEOUT_MS = 30_000

/** How requests are sent. */
export interface Transport {
  readonly send: typeof fetch
  /** Milliseconds for a response including its body. */
  readonly timeoutMs: number
}

/**
 * Sends a request and follows no redirect, so that credentials reach only the configured server.
 * @throws {ApiError} if the response is a redirect; the message has its location.
 */
export async function fetchWithoutRedirect(
  { send, timeoutMs }: Transport,
  operation: string,
  url: string | URL,
  init: RequestInit
): Promise<Response> {
  const response = await send(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  // Browsers hide status and location of a redirect.
  const isRedirect = response.type === 'opaqueredirect' || /^30[12378]$/.test(String(response.status))
  if (!isRedirect) return response
  await response.body?.cancel()
  const location = response.headers.get('location') ?? 'another address'
  throw new ApiError(
    operation,
    response.status,
    `a redirect to ${location}, which is not followed: use its address as that of the server`
  )
}

/** Parses JSON, or returns the text if it is not JSON. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
