import { createHash } from 'node:crypto'
import { escapeInvisible } from '../visible.ts'
import type { RetryOptions } from './backoff.ts'

/** The server that a source reads, and how patient to be with it. */
export interface ServerOptions {
  /** Its address, as in `https://flags.example.com`. */
  readonly url: string
  /** The environment's server key. A function is asked before each request, so that a key can be replaced while the program runs. */
  readonly sdkKey: string | (() => string)
  /** The limit of a whole download; 10 seconds unless said otherwise. */
  readonly requestTimeoutMs?: number
  /** The largest config document that is read, unpacked; 64 MiB unless said otherwise. */
  readonly maxBytes?: number
  readonly retry?: RetryOptions
  /** Makes the requests instead of the global `fetch`, for proxies and certificates. */
  readonly fetch?: typeof fetch
  /** A number in [0, 1) for each wait, instead of `Math.random`. */
  readonly random?: () => number
}

/**
 * Returns the key for the next request.
 *
 * @throws {TypeError} when it is nothing that a request can carry. The message does not contain it.
 */
export function keyOf({ sdkKey }: Pick<ServerOptions, 'sdkKey'>): string {
  // Applications without types can pass anything.
  const key: unknown = typeof sdkKey === 'function' ? sdkKey() : sdkKey
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key
  const subject = typeof sdkKey === 'function' ? 'the sdkKey function should return' : 'sdkKey should be'
  throw new TypeError(`${subject} a string of visible ASCII characters, got ${kindOf(key)}`)
}

function kindOf(key: unknown): string {
  if (key === '') return 'an empty string'
  if (typeof key === 'string') return 'a string with other characters'
  if (key === undefined || key === null) return String(key)
  return typeof key === 'object' ? 'an object' : `a ${typeof key}`
}

/** Whether the next request has another key than the one that was refused. */
export function isKeyReplaced({ sdkKey }: Pick<ServerOptions, 'sdkKey'>, refusedKey: string): boolean {
  if (typeof sdkKey !== 'function') return false
  try {
    return keyOf({ sdkKey }) !== refusedKey
  } catch {
    return false
  }
}

/**
 * Asserts that requests can be made to an address. `fetch` refuses credentials in addresses.
 *
 * @throws {TypeError} when they cannot. The message masks credentials.
 */
export function assertUrl(url: string): void {
  const masked = String(url).replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1<credentials>@')
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError(`url should be an address such as https://flags.example.com, got "${masked}"`)
  }
  const { username, password } = new URL(url)
  if (username || password) throw new TypeError(`url should not contain credentials, got "${masked}"`)
}

/** The address of a path on the server; whatever path the server itself lives under stays. */
export function addressOf({ url }: Pick<ServerOptions, 'url'>, path: string): string {
  return `${url.replace(/\/+$/, '')}${path}`
}

/** What tells the documents of one server and key from those of others, without saying the key. */
export function ownerOf({ url }: Pick<ServerOptions, 'url'>, key: string): string {
  return createHash('sha256').update(`${url} ${key}`).digest('hex')
}

/** The shortest key that messages are cleared of. A shorter one is no secret, and would take letters out of words. */
const MIN_SECRET_LENGTH = 8

/** A message without the SDK key: keys stand in addresses, and addresses in messages. */
export function maskSecrets(message: string, key: string): string {
  const forms = key.length < MIN_SECRET_LENGTH ? [] : [key, encodeURIComponent(key)]
  const text = forms.reduce((rest, form) => rest.replaceAll(form, '<sdk key>'), message)
  return text
    .replace(/(sdkKey=)(?:<sdk key>|[^&\s"'\\]+)/g, '$1<sdk key>')
    .replace(/\/\/[^\s/?#]+@/g, '//<credentials>@')
}

/** A message with words of others, such as a server's, as it is told: in one line, and without the SDK key. */
export function sanitize(message: string, key: string): string {
  return escapeInvisible(maskSecrets(message, key))
}
