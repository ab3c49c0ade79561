import type { JWK } from 'jose'
import { z } from 'zod'
import { unavailable } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import { setWithinLimit } from '../../../lib/object.ts'
import type { GuardedRequest } from '../../../lib/outbound/guardedRequest.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/time.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'

/** The source of the keys of an issuer. */
export type KeySource = Pick<StoredWorkloadTrust, 'issuer' | 'jwksUri'>

/** The keys of issuers, in the memory of this process. */
export interface IssuerKeys {
  /**
   * Returns the keys of an issuer. Reads them if there are none, if they are stale, or, at most once a minute, if
   * `isEnough` returns false.
   * @throws {HttpError} 503 if the keys cannot be read.
   */
  readonly find: (source: KeySource, isEnough: (keys: readonly JWK[]) => boolean) => Promise<readonly JWK[]>
}

interface Dependencies {
  /** Reads up to `MAX_KEY_BYTES`, within five seconds. */
  readonly request: GuardedRequest
  readonly now: () => number
  readonly log: Logger
  /** Receives each attempt to read the keys of an issuer. */
  readonly onKeysRead?: ((issuer: string, isRead: boolean) => void) | undefined
}

/** The keys of an issuer as they were last read. Times are in epoch milliseconds. */
interface Entry {
  keys?: readonly JWK[]
  freshUntil: number
  triedAt: number
  hasFailed: boolean
  pending?: Promise<void> | undefined
}

/** The timeout of one request, in milliseconds. */
export const KEY_DEADLINE_MS = 5 * SECOND

/** The largest discovery document or key set, in bytes. */
export const MAX_KEY_BYTES = 256 * 1024

/** The time to live of keys: by default, and the bounds for `max-age` of the issuer. */
const FRESH_MS = { min: 5 * MINUTE, default: HOUR, max: DAY }

/** How long stale keys are used while the issuer is unavailable. */
const STALE_MS = DAY

/** The minimum interval between attempts to read missing keys. */
const PAUSE_MS = MINUTE

/** The minimum interval after a failed first attempt. */
const FIRST_PAUSE_MS = 10 * SECOND

/** The maximum number of issuers in the cache. */
const MAX_ISSUERS = 1000

/** Creates the cache of issuers' keys. It reads nothing before the first token of an issuer. */
export function createIssuerKeys({ request, now, log, onKeysRead }: Dependencies): IssuerKeys {
  const entries = new Map<string, Entry>()

  const entryOf = ({ issuer, jwksUri }: KeySource): Entry => {
    const id = JSON.stringify([issuer, jwksUri])
    const known = entries.get(id)
    if (known) return known
    const entry = { freshUntil: 0, triedAt: Number.NEGATIVE_INFINITY, hasFailed: false }
    setWithinLimit(entries, MAX_ISSUERS, id, entry)
    return entry
  }

  const read = async (source: KeySource, entry: Entry): Promise<void> => {
    entry.triedAt = now()
    const result = await readKeys(source, request)
    entry.hasFailed = typeof result === 'string'
    onKeysRead?.(source.issuer, !entry.hasFailed)
    if (typeof result === 'string') log.warn({ issuer: source.issuer, reason: result }, 'keys cannot be read')
    else Object.assign(entry, { keys: result.keys, freshUntil: now() + result.freshMs })
  }

  return {
    find: async (source, isEnough) => {
      const entry = entryOf(source)
      const isUsable = () => entry.keys !== undefined && isEnough(entry.keys)
      const pauseMs = entry.keys ? PAUSE_MS : FIRST_PAUSE_MS
      if (!isUsable() || now() >= entry.freshUntil) {
        if (now() - entry.triedAt >= pauseMs) {
          entry.pending ??= read(source, entry).finally(() => {
            entry.pending = undefined
          })
        }
        await entry.pending
      }
      const { keys = [], hasFailed, freshUntil } = entry
      const isCurrent = !hasFailed || (isUsable() && now() < freshUntil + STALE_MS)
      if (isCurrent) return keys
      const waitMs = Math.max(entry.triedAt + pauseMs - now(), SECOND)
      throw unavailable('the keys of the issuer cannot be read; try again later', Math.ceil(waitMs / SECOND))
    }
  }
}

const Discovery = z.looseObject({ issuer: z.string(), jwks_uri: z.url() })
const KeySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) })

/** Returns the keys of an issuer, or why they cannot be read. */
async function readKeys(
  { issuer, jwksUri }: KeySource,
  request: GuardedRequest
): Promise<{ readonly keys: readonly JWK[]; readonly freshMs: number } | string> {
  const read = async <T>(url: string, schema: z.ZodType<T>) => {
    const response = await request({ url, headers: { accept: 'application/json' } })
    if (typeof response === 'string') return response
    const { head, text } = response
    if (head.statusCode !== 200) return `${url} answered with status ${head.statusCode}`
    if (Buffer.byteLength(text) >= MAX_KEY_BYTES) return `${url} answered with ${MAX_KEY_BYTES} bytes or more`
    const data = schema.safeParse(parseJson(text)).data
    return data === undefined ? `${url} answered with an invalid document` : { data, head }
  }
  let location = jwksUri
  if (location === undefined) {
    const found = await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, Discovery)
    if (typeof found === 'string') return found
    if (found.data.issuer !== issuer) return 'the discovery document belongs to another issuer'
    location = found.data.jwks_uri
    const [{ protocol, host }, own] = [new URL(location), new URL(issuer)]
    if (protocol !== own.protocol || host !== own.host) return 'jwks_uri is on another host'
  }
  const found = await read(location, KeySet)
  if (typeof found === 'string') return found
  return { keys: found.data.keys, freshMs: freshMs(found.head.headers['cache-control']) }
}

function freshMs(cacheControl = ''): number {
  const [, seconds] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl) ?? []
  if (seconds === undefined) return FRESH_MS.default
  return Math.min(Math.max(Number(seconds) * SECOND, FRESH_MS.min), FRESH_MS.max)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
