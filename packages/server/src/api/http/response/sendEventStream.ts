import type { Context } from 'koa'
import type { StartStream } from '../../../delivery/streams/streamSink.ts'

/** Answers server-sent events (WHATWG HTML §9.2) until one side hangs up. The request counts as answered once that has begun. */
export function sendEventStream(ctx: Context, begin: StartStream): void {
  const { res } = ctx
  ctx.set({
    'content-type': 'text/event-stream; charset=utf-8',
    // Whoever changes or keeps pieces of a stream would hold them back.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    // The end of the stream is that of the connection: without chunks, a message is one write.
    connection: 'close'
  })
  ctx.remove('transfer-encoding')
  // Koa would pipe a body; messages go straight to the connection, which knows how much it can take.
  ctx.respond = false
  if (ctx.method === 'HEAD') {
    res.end()
    return
  }
  res.flushHeaders()
  if (res.destroyed) return
  const onGone = begin({
    lastEventId: ctx.get('last-event-id') || undefined,
    write: (text) => res.write(text),
    onDrain: (listener) => void res.once('drain', listener),
    end: () => void res.end(),
    destroy: () => void res.destroy()
  })
  res.once('close', onGone)
}
