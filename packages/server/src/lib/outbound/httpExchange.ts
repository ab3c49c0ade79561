import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6, type LookupFunction, type TcpSocketConnectOpts } from 'node:net'
import type { Destination } from './destination.ts'

/** The headers and the body of a request. */
export interface RequestContent {
  readonly headers: Readonly<Record<string, string>>
  /** The body of a POST request; without it, the request is a GET. */
  readonly body?: string
}

/** A request with a limit for its response. */
export interface BoundedRequest extends RequestContent {
  readonly maxBodyBytes: number
}

/** A response: its head, and the part of its body that was read. */
export interface HttpExchange {
  readonly head: IncomingMessage
  readonly text: string
}

/**
 * Sends a request to these addresses of a host only, on a new connection. Resolves once the head has arrived, even if
 * the body fails or is too long.
 * @throws an error that occurs before; `signal.reason` when the signal aborted the request.
 */
export function httpExchange(
  { url, host, port, isLiteral }: Destination,
  addresses: readonly string[],
  { headers, body, maxBodyBytes }: BoundedRequest,
  signal: AbortSignal
): Promise<HttpExchange> {
  const options: RequestOptions & Families = {
    method: body === undefined ? 'GET' : 'POST',
    host,
    port,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    // Connections are not reused, so that receivers cannot affect one another and every request is validated.
    agent: false,
    maxHeaderSize: 16_384,
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 2000
  }
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:' ? requestHttps({ ...options, servername: isLiteral ? '' : host }) : requestHttp(options)
    const chunks: Buffer[] = []
    let head: IncomingMessage | undefined
    let length = 0
    let interims = 0
    const end = (error?: unknown) => {
      if (head) resolve({ head, text: Buffer.concat(chunks).toString() })
      else reject(error)
      signal.removeEventListener('abort', abort)
      request.destroy()
    }
    const abort = () => end(signal.reason)
    signal.addEventListener('abort', abort)
    request.on('response', (response) => {
      head = response
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk.subarray(0, maxBodyBytes - length))
        length += chunk.length
        if (length >= maxBodyBytes) end()
      })
      response.on('error', end)
      response.on('close', end)
    })
    request.on('information', () => {
      interims += 1
      if (interims > MAX_INTERIM_RESPONSES) end(new Error('too many interim responses'))
    })
    // Stays attached, since a destroyed connection can still fail.
    request.on('error', end)
    request.on('close', () => end(new Error('closed without a response')))
    request.end(body)
    if (signal.aborted) abort()
  })
}

type Families = Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>

/** The maximum number of 1xx responses before the final one. */
const MAX_INTERIM_RESPONSES = 16

/** Pins the resolved addresses, which prevents DNS rebinding. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (name, { all }, done) => {
    const [first] = entries
    if (!first) return done(new Error(`${name} has no address`), '')
    if (all) done(null, entries)
    else done(null, first.address, first.family)
  }
}
