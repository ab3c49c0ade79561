import type { Context } from 'koa'
import type { Download } from '../../../delivery/downloads/download.ts'
import { matchesEtag } from './matchesEtag.ts'
import { negotiateEncoding } from './negotiateEncoding.ts'

/**
 * Answers a download in the encoding that suits the caller, or 304 to one who has it.
 *
 * Every encoding has the same strong ETag: SDKs compare it, as text, with the one that messages name, and nobody can
 * ask for parts of it, which is what telling the encodings apart would be for. `Vary` does that for caches.
 */
export async function sendDownload(ctx: Context, download: Download): Promise<void> {
  const { etag, lastModified } = download
  const encoding = negotiateEncoding(ctx.get('accept-encoding'))
  // First of all: should it fail, the refusal must not look like the download.
  const body = isKnown(ctx, download) ? undefined : await download.encode(encoding)
  ctx.set({ etag, 'last-modified': new Date(lastModified).toUTCString(), 'cache-control': CACHING })
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
 * A CDN may keep a download, and asks every time whether it still holds: an SDK that was told of a change at that moment
 * gets the new one, and one whose key is gone gets nothing. Most such answers are a 304. While this server is out of
 * order, SDKs that start get the last one there is: they have it from the CDN for a day.
 */
const CACHING = 'public, max-age=0, stale-if-error=86400'

/** Whether the caller has this version. A date counts only where no ETag is given (RFC 9110 §13.1.3). */
function isKnown(ctx: Context, { etag, lastModified }: Download): boolean {
  const etags = ctx.get('if-none-match')
  if (etags) return matchesEtag(etags, etag)
  // What is no date compares as false.
  return lastModified <= Date.parse(ctx.get('if-modified-since'))
}
