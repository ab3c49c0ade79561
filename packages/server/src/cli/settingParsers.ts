import { availableParallelism } from 'node:os'
import { operations } from '@burgee/contract'
import { parseBoolean, parseInteger, UsageError } from '@burgee/kit/settings'
import type { ToolServer } from '../identity/oauth/protectedResources.ts'
import { isLoopback } from '../lib/network.ts'
import {
  type AllowedDestination,
  describeHostBits,
  parseAllowedDestinations
} from '../lib/outbound/allowedDestination.ts'
import { reasonOf } from '../lib/reasonOf.ts'
import { isDamagedClientSecret, isDamagedSdkKey } from '../lib/secrets/checksum.ts'
import { type EncryptionKey, parseEncryptionKeys } from '../storage/encryption/encryptionKey.ts'

// Each parser returns undefined for an invalid text. Those of the kit are wrapped, so that the package's declarations
// name no type of that private package.

/** A switch that is off by default. @param effect What it does, without a full stop. */
export function onOff(effect: string, ...notes: readonly string[]) {
  const help = [`${effect}.`, ...notes].join(' ')
  return { kind: 'switch', help, parse: (text: string) => parseBoolean(text) } as const
}

/** Accepts the integers of a range. */
export function integer(min: number, max?: number): (text: string) => number | undefined {
  return parseInteger(min, max)
}

/** Accepts the texts that match a pattern. */
export function matching(pattern: RegExp): (text: string) => string | undefined {
  return (text) => (pattern.test(text) ? text : undefined)
}

/** Accepts some texts. */
export function oneOf<const Text extends string>(...texts: readonly Text[]): (text: string) => Text | undefined {
  return (text) => texts.find((one) => one === text)
}

/** Accepts every text. */
export function anyText(text: string): string {
  return text
}

/** Accepts every text but the empty one. */
export function nonEmptyText(text: string): string | undefined {
  return text === '' ? undefined : text
}

/** Accepts http and https URLs, and the empty text. */
export function httpUrl(text: string): string | undefined {
  return text === '' || isHttpUrl(text) ? text : undefined
}

/** Accepts http and https URLs without query, fragment or credentials, and the empty text. */
export function plainHttpUrl(text: string): string | undefined {
  return text === '' || (isHttpUrl(text) && isPlain(text)) ? text : undefined
}

/** Accepts the URL of an issuer, and the empty text. */
export function issuerUrl(text: string): string | undefined {
  return text === '' || isTrustworthy(text) ? text : undefined
}

/** Parses the number of processes that evaluate. */
export function workerCount(text: string): number | undefined {
  return text === 'auto' ? availableParallelism() : parseInteger(1, 256)(text)
}

/**
 * Parses the MiB of events per minute. 0 sets no limit; other limits allow at least one request of the maximum size.
 */
export function eventsMib(text: string): number | undefined {
  const mib = parseInteger(0)(text)
  return mib === 0 || (mib !== undefined && mib >= maxEventsMib()) ? mib : undefined
}

/** The size limit of one request with events, in MiB. */
export function maxEventsMib(): number {
  return operations.sendEvents.rawBody.maxBytes / 2 ** 20
}

/** Parses encryption keys. @throws {UsageError} that describes their format, without their text. */
export function encryptionKeys(text: string): readonly EncryptionKey[] {
  try {
    return parseEncryptionKeys(text)
  } catch (cause) {
    throw new UsageError(reasonOf(cause), { cause })
  }
}

/** Parses server keys separated by commas. Each is taken once. */
export function serverKeys(text: string): string[] | undefined {
  const keys = [...new Set(splitList(text))]
  return keys.every((key) => SERVER_KEY.test(key) && !isDamagedSdkKey(key)) ? keys : undefined
}

/** The form of server keys, including imported ones. */
const SERVER_KEY = /^(dvc_)?server[-_][\w-]+$/

/** Accepts the secrets of API clients, and the empty text. */
export function clientSecret(text: string): string | undefined {
  return isDamagedClientSecret(text) ? undefined : matching(/^([!-~]{16,256})?$/)(text)
}

/** Parses destinations of requests. @throws {Error} for networks with host bits. */
export function allowedDestinations(text: string): readonly AllowedDestination[] | undefined {
  const destinations = parseAllowedDestinations(text)
  const reason = destinations ? undefined : describeHostBits(text)
  if (reason !== undefined) throw new Error(reason)
  return destinations
}

/** Parses tool servers separated by commas. @throws {Error} that names the invalid one. */
export function toolServers(text: string): ToolServer[] {
  return splitList(text).map((entry) => {
    const [, clientId, address = ''] = /^([\w.@-]{1,100})\s*=\s*(.*)$/.exec(entry) ?? []
    if (clientId === undefined) throw new Error(`${entry} names no client`)
    if (!isTrustworthy(address)) throw new Error(`${entry} has no usable address`)
    // Normalized, as clients send it in the `resource` parameter.
    return { clientId, address: new URL(address).href }
  })
}

function splitList(text: string): string[] {
  return text.split(',').flatMap((entry) => entry.trim() || [])
}

/** Whether a plain URL has responses that are protected against tampering: https, or http to a loopback address. */
function isTrustworthy(address: string): boolean {
  if (!URL.canParse(address) || !isPlain(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

function isHttpUrl(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
}

/** Whether a URL has no query, fragment or credentials. */
function isPlain(address: string): boolean {
  const { search, hash, username, password } = new URL(address)
  return search === '' && hash === '' && username === '' && password === '' && !/[?#]/.test(address)
}
