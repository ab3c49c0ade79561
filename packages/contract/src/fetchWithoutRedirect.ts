import { ApiError } from './apiError.ts'

/**
 * Sends a request to an address and to no other: secrets must not follow where an answer redirects to.
 * @throws {ApiError} when the answer is a redirect; it says where to.
 */
export async function fetchWithoutRedirect(
  send: typeof fetch,
  operation: string,
  url: string | URL,
  init: RequestInit
): Promise<Response> {
  const response = await send(url, { ...init, redirect: 'manual' })
  // Browsers show nothing of a redirect but that it is one.
  const isRedirect = response.type === 'opaqueredirect' || /^30[12378]$/.test(String(response.status))
  if (!isRedirect) return response
  await response.body?.cancel()
  const place = response.headers.get('location') ?? 'another address'
  throw new ApiError(
    operation,
    response.status,
    `a redirect to ${place}, which is not followed: give its address as baseUrl`
  )
}
