import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { createEncoder } from '../../../delivery/downloads/download.ts'
import { toJsonBuffer } from '../../../delivery/downloads/toJsonBuffer.ts'
import { matchesEtag, toWeakEtag } from '../../../lib/etag.ts'
import { negotiateEncoding } from '../response/negotiateEncoding.ts'

/**
 * Creates the handler of a JSON document that stays the same. Its text is built once: anyone can request it, and
 * building it for each request would delay evaluations.
 */
export function createJsonFile(document: object): (ctx: Context) => Promise<void> {
  const encode = createEncoder(() => toJsonBuffer(document))
  let etag: string | undefined
  return async (ctx) => {
    etag ??= toWeakEtag(
      createHash('sha256')
        .update(await encode('identity'))
        .digest('base64url')
    )
    ctx.set({ etag, 'cache-control': 'public, max-age=0' })
    ctx.vary('accept-encoding')
    if (matchesEtag(ctx.get('if-none-match'), etag)) {
      ctx.status = 304
      return
    }
    const encoding = negotiateEncoding(ctx.get('accept-encoding'))
    const body = await encode(encoding)
    if (encoding !== 'identity') ctx.set('content-encoding', encoding)
    ctx.type = 'json'
    ctx.body = body
  }
}
