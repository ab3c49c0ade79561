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
  if (error.message !== 'fetch failed') return undefined
  return `${wasSent(error) ? 'closed the connection before it answered' : 'cannot be reached'}: ${reasonOf(error)}`
}

/**
 * Whether the server may have received the request of a network error, so that the outcome of a change is unknown. It
 * has not if there was no connection.
 */
export function wasSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'TimeoutError' || error.message === 'terminated') return true
  const { cause } = error
  if (error.message !== 'fetch failed' || cause instanceof AggregateError) return false
  return isRecord(cause) && SENT.has(String(cause.code)) && !UNCONNECTED.has(String(cause.syscall))
}

/** The codes of errors of open connections, of Node.js and its `fetch`. */
const SENT: ReadonlySet<string> = new Set([
  'ECONNABORTED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET'
])

const UNCONNECTED: ReadonlySet<string> = new Set(['connect', 'getaddrinfo'])

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Returns the reason, which `fetch` of Node.js puts into the cause. */
function reasonOf({ message, cause }: Error): string {
  // A name with several addresses fails with one error for each.
  if (cause instanceof AggregateError) return cause.errors.map(toText).join('; ')
  return cause instanceof Error ? toText(cause) : message
}

function toText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  // OpenSSL has its own notation, on several lines.
  if (NO_TLS.test(cause.message)) return 'it does not answer with TLS: try http:// in place of https://'
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}

const NO_TLS = /wrong version number|packet length too long|unknown protocol/
