import { REQUEST_TIMEOUT_MS } from './transport.ts'

/**
 * Describes why a request got no response, as a predicate whose subject is the server, for example `cannot be reached:
 * connect ECONNREFUSED 127.0.0.1:8080`; `undefined` for other errors.
 * @param timeoutMs The timeout of the client that sent the request.
 */
export function describeNetworkError(error: unknown, timeoutMs = REQUEST_TIMEOUT_MS): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'TimeoutError') return `did not answer within ${timeoutMs / 1000} seconds`
  if (!(error instanceof TypeError)) return undefined
  if (error.message === 'terminated')
    return `closed the connection before its response was complete: ${reasonOf(error)}`
  return error.message === 'fetch failed' ? `cannot be reached: ${reasonOf(error)}` : undefined
}

/** Returns the reason, which `fetch` of Node.js puts into the cause. */
function reasonOf({ message, cause }: Error): string {
  // A name with several addresses fails with one error for each.
  if (cause instanceof AggregateError) return cause.errors.map(toText).join('; ')
  return cause instanceof Error ? toText(cause) : message
}

function toText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}
