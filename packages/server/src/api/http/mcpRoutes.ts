import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Middleware } from 'koa'

/** What answers for the tools: it says whether a request was one for them, once that is answered. */
export type AnswerMcpRequest = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

interface Dependencies {
  readonly answer: AnswerMcpRequest
  /** What comes in before this waits for it. */
  readonly started: Promise<void>
  readonly isStopping: () => boolean
}

/**
 * Hands requests to the tools of assistants, which have rules of their own for browsers and write their answers themselves. A
 * request counts as answered when its last message has gone out, with the time that a person took to consent.
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
