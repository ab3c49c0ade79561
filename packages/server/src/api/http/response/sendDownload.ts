import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'koa'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import type { Download } from '../../../delivery/downloads/download.ts'
import { matchesEtag } from '../../../lib/etag.ts'
import { memoizeByIdentity } from '../../../lib/object.ts'
import { negotiateEncoding } from './negotiateEncoding.ts'

/** Sends a download in the negotiated encoding, or 304 if the client has the current version. */
export async function sendDownload(
  ctx: Context,
  download: Download,
  { restrictions }: Pick<KeyConfig, 'restrictions'>
): Promise<void> {
  const encoding = negotiateEncoding(ctx.get(ENCODING))
  // Encodes before it sets headers: an error response must not have the headers of the download.
  const body = isKnown(ctx.headers, download) ? undefined : await download.encode(encoding)
  ctx.set(downloadHeaders(download, restrictions !== undefined))
  ctx.vary(ENCODING)
  if (body === undefined) {
    ctx.status = 304
    return
  }
  if (encoding !== 'identity') ctx.set('content-encoding', encoding)
  ctx.type = 'json'
  ctx.body = body
}

/** Returns the headers of a download and of its 304, except `Vary`, which can have other names too. */
export const downloadHeaders = memoizeByIdentity(({ etag, lastModified }: Download, isRestricted: boolean) => ({
  'cache-control': isRestricted ? PRIVATE : CACHING,
  etag,
  'last-modified': new Date(lastModified).toUTCString()
}))

/** The header of a request that a download varies by. */
export const ENCODING = 'accept-encoding'

/**
 * CDNs may store downloads and revalidate them for each request, so changes and invalidated keys take effect at once;
 * most revalidations are a 304. While the server fails, CDNs may serve the last download for a day.
 */
const CACHING = 'public, max-age=0, stale-if-error=86400'

/** A shared cache would serve requests that the restrictions of the key refuse. */
const PRIVATE = 'private, max-age=0'

/** Whether the client has this version. The date counts only without an ETag (RFC 9110 §13.1.3). */
export function isKnown(headers: IncomingHttpHeaders, { etag, lastModified }: Download): boolean {
  const { 'if-none-match': etags, 'if-modified-since': date = '' } = headers
  if (etags) return etags === etag || matchesEtag(etags, etag)
  // An invalid date is NaN, which compares as false.
  return lastModified <= Date.parse(date)
}
