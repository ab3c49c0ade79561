import { Readable } from 'node:stream'
import type { Operation } from '@burgee/contract'
import type { Context } from 'koa'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import type { Download } from '../../../delivery/downloads/download.ts'
import type { StartStream } from '../../../delivery/streams/streamSink.ts'
import { matchesEtag, toStrongEtag } from '../../../lib/etag.ts'
import { createTimeSlices } from '../../../lib/time.ts'
import type { Page } from '../../../storage/store.ts'
import type { Revised, WithEtag } from '../../handlers/shared/handler.ts'
import { JsonText } from '../../handlers/shared/jsonText.ts'
import { WithHeaders } from '../../handlers/shared/withHeaders.ts'
import type { NameMapping } from '../request/legacyNames.ts'
import { sendDownload } from './sendDownload.ts'
import { sendEventStream } from './sendEventStream.ts'
import { sendJson } from './sendJson.ts'

/** Sends the result of an operation in the form that its record names. */
export async function sendResult(
  ctx: Context,
  record: Operation,
  { result, caller }: { readonly result: unknown; readonly caller: KeyConfig | TokenCaller },
  names: NameMapping
): Promise<void> {
  ctx.status = record.status
  // The response depends on the credential, which is not part of the cache key.
  if (record.method === 'GET') ctx.set('cache-control', 'no-store')
  // The handler's type guarantees the result for each kind.
  switch (record.responseKind) {
    case 'conditional': {
      const { etag, toBody, headers = {} } = result as WithEtag<unknown>
      ctx.set({ ...headers, etag })
      if (matchesEtag(ctx.get('if-none-match'), etag)) ctx.status = 304
      else sendText(ctx, toBody())
      return
    }
    case 'list': {
      const { items, count } = result as Page<unknown>
      ctx.set('count', String(count))
      return sendJson(ctx, names.toResponse(items))
    }
    case 'lines':
      ctx.type = 'application/x-ndjson'
      ctx.body = Readable.from(linesOf(result as AsyncIterable<unknown>))
      return
    case 'download':
      return sendDownload(ctx, result as Download, 'restrictions' in caller ? caller : { restrictions: undefined })
    case 'stream':
      return sendEventStream(ctx, result as StartStream)
    case undefined:
      if (!record.hasRevision) return sendBody(ctx, record, result, names)
      return sendRevised(ctx, record, result as Revised<unknown>, names)
  }
}

function sendRevised(
  ctx: Context,
  record: Operation,
  { revision, body }: Revised<unknown>,
  names: NameMapping
): Promise<void> {
  ctx.set('etag', toStrongEtag(revision))
  return sendBody(ctx, record, body, names)
}

function sendText(ctx: Context, { text }: JsonText<unknown>): void {
  ctx.type = 'json'
  ctx.body = text
}

async function sendBody(ctx: Context, record: Operation, result: unknown, names: NameMapping): Promise<void> {
  if (result instanceof WithHeaders) {
    ctx.set(result.headers)
    return sendBody(ctx, record, result.body, names)
  }
  if (result instanceof JsonText) return sendText(ctx, result)
  if (record.response && result !== undefined) {
    if (record.credential.type === 'token') return sendJson(ctx, names.toResponse(result))
    ctx.body = names.toResponse(result)
    return
  }
  if (record.noContent) ctx.status = record.noContent
  ctx.body = ''
  ctx.remove('content-type')
}

async function* linesOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  const slices = createTimeSlices()
  for await (const item of items) {
    await slices.yieldIfDue()
    yield `${JSON.stringify(item)}\n`
  }
}
