import { createHash } from 'node:crypto'
import { escapeLine, withoutTrailingSlashes } from '@burgee/kit/text'
import { errorMessage } from '../lib/text.ts'
import type { RetryOptions } from './retryBackoff.ts'

/** The server and the options of requests to it. */
export interface ServerOptions {
  /** The address, for example `https://flags.example.com`. */
  readonly url: string
  /**
   * The environment's server key. A function is called before each request, so that the key can be rotated at run time.
   */
  readonly sdkKey: string | (() => string)
  /** The timeout of a request, including its body. Default: 10 seconds. */
  readonly requestTimeoutMs?: number
  /** The maximum size of a config in bytes, uncompressed. Default: 64 MiB. */
  readonly maxBytes?: number
  readonly retry?: RetryOptions
  /** Replaces the global `fetch`, for example to use proxies or custom certificates. */
  readonly fetch?: typeof fetch
  /** Replaces `Math.random` for jitter. */
  readonly random?: () => number
  /** Returns the current time in epoch milliseconds. Default: the system clock. */
  readonly now?: () => number
}

/**
 * Returns the key for the next request.
 *
 * @throws {TypeError} if it cannot be sent in a header. The message does not contain it.
 */
export function keyOf({ sdkKey }: Pick<ServerOptions, 'sdkKey'>): string {
  // Untyped applications can pass any value.
  const key: unknown = typeof sdkKey === 'function' ? sdkKey() : sdkKey
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key
  // Nobody else handles a promise, and an unhandled rejection ends the process.
  if (key instanceof Promise) key.catch(() => {})
  const subject = typeof sdkKey === 'function' ? 'the sdkKey function should return' : 'sdkKey should be'
  throw new TypeError(`${subject} a string of visible ASCII characters, got ${describeKey(key)}`)
}

function describeKey(key: unknown): string {
  if (key === '') return 'an empty string'
  if (typeof key === 'string') return 'a string with other characters'
  if (key === undefined || key === null) return String(key)
  if (key instanceof Promise) return 'a promise: the function cannot be async'
  return typeof key === 'object' ? 'an object' : `a ${typeof key}`
}

/** Whether the key of the next request differs from the rejected one. */
export function isKeyReplaced({ sdkKey }: Pick<ServerOptions, 'sdkKey'>, refusedKey: string): boolean {
  if (typeof sdkKey !== 'function') return false
  try {
    return keyOf({ sdkKey }) !== refusedKey
  } catch {
    return false
  }
}

/**
 * Asserts that a URL can be the address of a server. `fetch` rejects URLs with credentials.
 *
 * @throws {TypeError} if it cannot. The message masks credentials.
 */
export function assertUrl(url: string): void {
  const masked = String(url).replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1<credentials>@')
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError(`url should be an address such as https://flags.example.com, got "${masked}"`)
  }
  const { username, password } = new URL(url)
  if (username || password) throw new TypeError(`url should not contain credentials, got "${masked}"`)
  // Paths are appended to the address.
  if (/[?#]/.test(url)) {
    throw new TypeError(`url should not contain a query or a fragment, got "${masked.replace(/([?#]).+/s, '$1…')}"`)
  }
}

/** Returns the address of a path below the server's address. */
export function addressOf({ url }: Pick<ServerOptions, 'url'>, path: string): string {
  return `${withoutTrailingSlashes(url)}${path}`
}

/** Returns a hash that identifies the server and key of a document. */
export function ownerOf({ url }: Pick<ServerOptions, 'url'>, key: string): string {
  return createHash('sha256').update(`${url} ${key}`).digest('hex')
}

/** The minimum length of a key that is masked. Shorter keys are not secrets, and masking them would garble messages. */
const MIN_SECRET_LENGTH = 8

/** Masks the SDK key and credentials of addresses in a message. */
export function maskSecrets(message: string, key: string): string {
  const forms = key.length < MIN_SECRET_LENGTH ? [] : [key, encodeURIComponent(key)]
  const text = forms.reduce((rest, form) => rest.replaceAll(form, '<sdk key>'), message)
  return text
    .replace(/(sdkKey=)(?:<sdk key>|[^&\s"'\\]+)/g, '$1<sdk key>')
    .replace(/\/\/[^\s/?#]+@/g, '//<credentials>@')
}

/**
 * Describes why a request failed without a response. If `key` is empty, the application supplied no valid key and no
 * request was sent, so the message does not name the URL.
 */
export function describeFailure(error: unknown, url: string, key: string): string {
  const message = errorMessage(error)
  return sanitize(key === '' ? message : `${url} cannot be reached: ${message}`, key)
}

/** Masks secrets and escapes control characters in a message that quotes a server. */
export function sanitize(message: string, key: string): string {
  return escapeLine(maskSecrets(message, key))
}
