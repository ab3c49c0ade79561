import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Middleware } from 'koa'

/**
 * Answers a request to the MCP endpoint. Resolves to false, without a response, if the path is not one of the
 * endpoint's.
 */
export type AnswerMcpRequest = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

interface Dependencies {
  readonly answer: AnswerMcpRequest
  /** Requests wait for this. */
  readonly started: Promise<void>
  readonly isStopping: () => boolean
}

/**
 * Passes requests to the MCP endpoint, which has its own CORS rules and writes to the response itself. The measured
 * duration ends with the last message, so it includes the time that a person takes to confirm.
 */
export function mcpRoutes({ answer, started, isStopping }: Dependencies): Middleware {
  return async (ctx, next) => {
    await started
    if (isStopping()) ctx.set('connection', 'close')
    let isForTools = true
    try {
      isForTools = await answer(ctx.req, ctx.res)
    } finally {
      // The endpoint fails only on its own paths.
      if (isForTools) ctx.state.operation = 'mcp'
    }
    if (!isForTools) return next()
    ctx.respond = false
  }
}
