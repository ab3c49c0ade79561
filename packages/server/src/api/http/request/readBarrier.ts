import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Operation } from '@burgee/contract'
import { withDeadline } from '@burgee/kit'
import type { Context } from 'koa'
import { parseConfigVersion } from '../../../delivery/configs/configVersions.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { unavailable } from '../../../lib/errors.ts'
import { parseEtags } from '../../../lib/etag.ts'
import { SECOND } from '../../../lib/time.ts'
import { StoreUnavailableError } from '../../../storage/store.ts'

/**
 * Makes requests wait until this server has the config version that they name, which another server may have announced.
 *
 * Server SDKs do not name the version that a stream announced: they download the config again with the ETag of the one
 * that they have, and keep that after a 304. So a 304 of a download waits for the changes of other servers, too.
 */
export interface ReadBarrier {
  /**
   * Waits for the version. Returns whether it waited, so that the config of the caller may have changed.
   * @throws {HttpError} 503 when the request names a newer version, and the changes of other servers cannot be read.
   */
  readonly wait: (ctx: Context, operation: Operation, caller: KeyConfig) => Promise<boolean>
  /** Whether a request with this query has to wait. */
  readonly mustWait: (
    request: IncomingMessage,
    operation: Operation,
    caller: KeyConfig,
    query: Context['query']
  ) => boolean
}

/** Where a server reads the changes of others. */
interface ChangeSource {
  /**
   * Resolves when this server has the config version of an environment with this time (epoch milliseconds), or it does
   * not exist. Undefined if there are no other servers.
   * @throws {StoreUnavailableError} when that cannot be read.
   */
  readonly catchUp?: ((environment: string, lastModified: number) => Promise<void>) | undefined
}

/** Creates the read barrier of a server. */
export function createReadBarrier({ catchUp }: ChangeSource): ReadBarrier {
  if (!catchUp) return { wait: async () => false, mustWait: () => false }
  return {
    wait: async ({ query, req }, operation, { environment, version }) => {
      const named = findNamedVersion(req.headers, query, environment._id)
      const isBehind = named > version.lastModified
      if (!isBehind && !(isDownload(operation) && named === version.lastModified)) return false
      // While the changes cannot be read, the version of an unchanged download is as good as that of an evaluation.
      const onFailure = isBehind ? refuse : ignoreUnavailable
      // A version is announced after its commit, so afterwards this server has it, or it does not exist.
      const reading = catchUp(environment._id, named).catch(onFailure)
      await withDeadline(MAX_WAIT_MS, reading, () => onFailure(undefined))
      return true
    },
    mustWait: ({ headers }, operation, { environment, version }, query) => {
      const {
        'if-none-match': ifNoneMatch,
        'if-modified-since': ifModifiedSince,
        'last-event-id': lastEventId
      } = headers
      if (lastEventId === undefined && !versionParameters.some((name) => query[name] !== undefined)) {
        if (ifNoneMatch === undefined && ifModifiedSince === undefined) return false
        // The ETag of an unchanged evaluation, or of the current document. The date does not count beside it.
        if (ifNoneMatch && isOfVersion(ifNoneMatch, version.id)) return isDownload(operation)
      }
      const named = findNamedVersion(headers, query, environment._id)
      return named > version.lastModified || (isDownload(operation) && named === version.lastModified)
    }
  }
}

function isDownload({ responseKind }: Operation): boolean {
  return responseKind === 'download'
}

function ignoreUnavailable(error: unknown): void {
  if (error !== undefined && !(error instanceof StoreUnavailableError)) throw error
}

/** Refuses a request rather than respond with an older config than the client knows of. */
function refuse(error: unknown): never {
  if (error !== undefined && !(error instanceof StoreUnavailableError)) throw error
  throw unavailable('the request names a newer config version, which cannot be read now', RETRY_AFTER)
}

const MAX_WAIT_MS = 2_000

/** Seconds after which a client can repeat the request. */
const RETRY_AFTER = 1

/** The headers that can name a version. */
const versionHeaders = ['if-none-match', 'if-modified-since', 'last-event-id'] as const

/** The query parameters that can name a version. */
const versionParameters = ['since', 'sseEtag', 'flagConfigEtag', 'sseLastModified', 'flagConfigLastModified'] as const

/** Whether an `If-None-Match` header has one ETag, of this version. False does not mean that it has not. */
function isOfVersion(ifNoneMatch: string, id: string): boolean {
  const start = ifNoneMatch.indexOf('"')
  const isPrefix = ifNoneMatch.startsWith(`"${id}.`, start) || ifNoneMatch.startsWith(`"${id}"`, start)
  return isPrefix && !ifNoneMatch.includes(',')
}

/** Returns the time of the newest config version of an environment that a request names, in epoch milliseconds. */
function findNamedVersion(headers: IncomingHttpHeaders, query: Context['query'], environment: string): number {
  const [ifNoneMatch = '', ifModifiedSince = '', lastEventId = ''] = versionHeaders.map((name) => headers[name])
  const ids = [ifNoneMatch, lastEventId, query.since, query.sseEtag, query.flagConfigEtag]
  const times = [
    // It counts only without an ETag (RFC 9110 §13.1.3).
    ...(ifNoneMatch ? [] : [Date.parse(String(ifModifiedSince))]),
    ...textsOf(query.sseLastModified).map((text) => parseTime(text, 1)),
    ...textsOf(query.flagConfigLastModified).map((text) => parseTime(text, SECOND)),
    ...ids.flatMap(textsOf).map((text) => parseVersion(text, environment))
  ]
  return Math.max(...times.filter((time) => !Number.isNaN(time)))
}

function textsOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}

/** Parses a number of a unit in milliseconds, or a date. */
function parseTime(text: string, unit: number): number {
  return /^\d+$/.test(text) ? Number(text) * unit : Date.parse(text)
}

/** Parses the versions of an environment at the beginning of ETags. */
function parseVersion(etags: string, environment: string): number {
  const times = parseEtags(etags).map((tag) => {
    const version = parseConfigVersion(tag)
    return version?.environment === environment ? version.lastModified : Number.NaN
  })
  return Math.max(...times.filter((time) => !Number.isNaN(time)))
}
