import type { Context } from 'koa'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import type { Download } from '../../../delivery/downloads/download.ts'
import { matchesEtag } from '../../../lib/etag.ts'
import { negotiateEncoding } from './negotiateEncoding.ts'

/**
 * Sends a download in the negotiated encoding, or 304 if the client has the current version.
 *
 * All encodings have the same strong ETag: SDKs compare it as text with the ETag in stream messages. Distinct ETags
 * would matter only for range requests, which the server does not support; `Vary` separates the encodings for caches.
 */
export async function sendDownload(
  ctx: Context,
  download: Download,
  { restrictions }: Pick<KeyConfig, 'restrictions'>
): Promise<void> {
  const { etag, lastModified } = download
  const encoding = negotiateEncoding(ctx.get('accept-encoding'))
  // Encodes before it sets headers: an error response must not have the headers of the download.
  const body = isKnown(ctx, download) ? undefined : await download.encode(encoding)
  ctx.set({
    etag,
    'last-modified': new Date(lastModified).toUTCString(),
    'cache-control': restrictions ? PRIVATE : CACHING
  })
  ctx.vary('accept-encoding')
  if (body === undefined) {
    ctx.status = 304
    return
  }
  if (encoding !== 'identity') ctx.set('content-encoding', encoding)
  ctx.type = 'json'
  ctx.body = body
}

/**
 * CDNs may store downloads and revalidate them for each request, so changes and invalidated keys take effect at once;
 * most revalidations are a 304. While the server fails, CDNs may serve the last download for a day.
 */
const CACHING = 'public, max-age=0, stale-if-error=86400'

/** A shared cache would serve requests that the restrictions of the key refuse. */
const PRIVATE = 'private, max-age=0'

/** Whether the client has this version. The date counts only without an ETag (RFC 9110 §13.1.3). */
function isKnown(ctx: Context, { etag, lastModified }: Download): boolean {
  const etags = ctx.get('if-none-match')
  if (etags) return matchesEtag(etags, etag)
  // An invalid date is NaN, which compares as false.
  return lastModified <= Date.parse(ctx.get('if-modified-since'))
}
