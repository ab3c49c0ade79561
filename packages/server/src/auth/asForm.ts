import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { FORM, type Parameters } from './parameters.ts'

/**
 * Does `work` while a context's request is a form with these parameters that wants JSON back, whatever it was. Its body
 * has been read, and those who read it again must find it.
 */
export async function asForm(ctx: Context, parameters: Parameters, work: () => Promise<unknown>): Promise<void> {
  const { req } = ctx
  const body = Buffer.from(new URLSearchParams([...parameters]).toString())
  const { authorization } = req.headers
  const headers = {
    'content-type': FORM,
    'content-length': String(body.length),
    accept: 'application/json',
    ...(authorization === undefined ? {} : { authorization })
  }
  const { method, url, socket, httpVersionMajor } = req
  // Koa and those who use it read these members of a request, and its bytes.
  const form = Object.assign(Readable.from([body]), {
    method,
    url,
    socket,
    httpVersionMajor,
    headers
  }) as IncomingMessage
  replace(ctx, form)
  try {
    await work()
  } finally {
    replace(ctx, req)
  }
}

function replace(ctx: Context, request: IncomingMessage): void {
  ctx.req = request
  ctx.request.req = request
}
