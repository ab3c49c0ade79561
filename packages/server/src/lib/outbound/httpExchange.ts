import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6, type LookupFunction, type TcpSocketConnectOpts } from 'node:net'
import type { Destination } from './destination.ts'

/** What is asked. */
export interface RequestContent {
  readonly headers: Readonly<Record<string, string>>
  /** What is posted; without it, what is there is read. */
  readonly body?: string
}

/** What came back: the head of an answer, and as much of its body as was read. */
export interface HttpExchange {
  readonly head: IncomingMessage
  readonly text: string
}

/**
 * Asks these addresses of a host, and nowhere else, on a connection of its own. Once the head of an answer is there, the answer counts,
 * whatever becomes of its body.
 * @throws what went wrong before that; `signal.reason` when the signal ended it.
 */
export function httpExchange(
  { url, host, port, isLiteral }: Destination,
  addresses: readonly string[],
  { headers, body }: RequestContent,
  signal: AbortSignal
): Promise<HttpExchange> {
  const options: RequestOptions & Families = {
    method: body === undefined ? 'GET' : 'POST',
    host,
    port,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    // No connection is used again: what one receiver does to it is nothing to the next, and every request is looked at anew.
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
        chunks.push(chunk.subarray(0, MAX_BODY_BYTES - length))
        length += chunk.length
        if (length >= MAX_BODY_BYTES) end()
      })
      response.on('error', end)
      response.on('close', end)
    })
    request.on('information', () => {
      interims += 1
      if (interims > MAX_INTERIM_RESPONSES) end(new Error('too many interim answers'))
    })
    // It stays to the end: a connection that is given up may still fail.
    request.on('error', end)
    request.on('close', () => end(new Error('closed without an answer')))
    request.end(body)
    if (signal.aborted) abort()
  })
}

type Families = Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>

const MAX_BODY_BYTES = 65_536

/** Answers of 1xx that may come before the one that counts. */
const MAX_INTERIM_RESPONSES = 16

/** Gives these addresses for every name, so that nobody is asked a second time, who could answer otherwise. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (name, { all }, done) => {
    const [first] = entries
    if (!first) return done(new Error(`${name} has no address`), '')
    if (all) done(null, entries)
    else done(null, first.address, first.family)
  }
}
