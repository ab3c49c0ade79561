import type { Context } from 'koa'
import type { StartStream } from '../../../delivery/streams/streamSink.ts'

/** Sends server-sent events (WHATWG HTML §9.2) until either side closes. The request log ends with the headers. */
export function sendEventStream(ctx: Context, start: StartStream): void {
  const { res } = ctx
  ctx.set({
    'content-type': 'text/event-stream; charset=utf-8',
    // Proxies that transform or cache a stream would delay its messages.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    // The stream ends with the connection. Without chunked encoding, each message is a single write.
    connection: 'close'
  })
  ctx.remove('transfer-encoding')
  // Koa would pipe a body. Direct writes let the stream handle backpressure.
  ctx.respond = false
  if (ctx.method === 'HEAD') {
    res.end()
    return
  }
  res.flushHeaders()
  if (res.destroyed) return
  const onClose = start({
    lastEventId: ctx.get('last-event-id') || undefined,
    write: (text) => res.write(text),
    onDrain: (listener) => void res.once('drain', listener),
    end: () => void res.end(),
    destroy: () => void res.destroy()
  })
  res.once('close', onClose)
}
