import type { IncomingMessage } from 'node:http'
import type { Middleware } from 'koa'

/** How long a response waits for the rest of the body, in milliseconds. */
const WAIT_MS = 2_000

/**
 * Receives the rest of a body that was not read, such as one that is too large, before the response is sent; if it does
 * not arrive in time, the connection closes after the response. HAProxy keeps a connection after an early response, and
 * the next request on it would become the rest of the body.
 */
export function receiveBody(): Middleware {
  return async (ctx, next) => {
    await next()
    // Requests in this process have no connection and no member `complete`.
    if (ctx.req.complete !== false || ctx.req.destroyed || ctx.respond === false) return
    if (!(await isReceived(ctx.req))) ctx.set('connection', 'close')
  }
}

function isReceived(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      resolve(request.complete)
    }
    const timer = setTimeout(finish, WAIT_MS)
    request.once('end', finish).once('close', finish).resume()
  })
}
