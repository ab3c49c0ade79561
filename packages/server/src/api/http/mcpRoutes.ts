import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Middleware } from 'koa'
import { runWithAddress } from './inProcessFetch.ts'

/**
 * Handles a request to the MCP endpoint. Resolves to false, without a response, if the path does not belong to the
 * endpoint.
 */
export type HandleMcpRequest = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

interface Dependencies {
  readonly handle: HandleMcpRequest
  /** Requests wait until this resolves. */
  readonly started: Promise<void>
  readonly isStopping: () => boolean
}

/**
 * Passes requests to the MCP endpoint, which has its own CORS rules and writes to the response directly. The measured
 * duration ends with the last message, so it includes the time that a person takes to confirm.
 */
export function mcpRoutes({ handle, started, isStopping }: Dependencies): Middleware {
  return async (ctx, next) => {
    await started
    if (isStopping()) ctx.set('connection', 'close')
    let isHandled = true
    try {
      isHandled = await runWithAddress(ctx.ip, () => handle(ctx.req, ctx.res))
    } finally {
      // An error counts as handled: the endpoint fails only on its own paths.
      if (isHandled) {
        ctx.state.operation = 'mcp'
        ctx.state.surface = 'mcp'
      }
    }
    if (!isHandled) return next()
    ctx.respond = false
  }
}
