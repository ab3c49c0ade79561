import type { BulkFailure, ErrorBody, EvaluationFailure } from '@burgee/contract'
import type { Context, Middleware } from 'koa'
import { ApiError, type ErrorCode } from '../errors.ts'
import type { Logger } from '../log.ts'
import { StoreUnavailableError } from '../store/store.ts'

/** Turns every error into the answer of the surface it happened on, and logs the unexpected ones. The outermost but for observation. */
export function failures(log: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next()
      if (ctx.status === 404 && ctx.body === undefined) {
        throw new ApiError(404, 'not_found', `there is nothing at ${ctx.method} ${ctx.path}`)
      }
    } catch (error) {
      answer(ctx, translate(error, ctx, log))
    }
  }
}

function translate(error: unknown, ctx: Context, log: Logger): ApiError {
  if (error instanceof ApiError) return error
  const { requestId } = ctx.state
  if (error instanceof StoreUnavailableError) {
    log.error({ requestId, err: error }, 'the store refused a write')
    return new ApiError(503, 'unavailable', 'the change could not be kept; nothing of it was. Try again later', {
      'retry-after': '1'
    })
  }
  log.error({ requestId, err: error }, 'a request failed unexpectedly')
  return new ApiError(500, 'internal', `the server failed; its log says how, under request id ${requestId}`)
}

function answer(ctx: Context, error: ApiError): void {
  ctx.status = error.status
  ctx.set(error.headers)
  ctx.body = ctx.path.startsWith('/ofrep/') ? ofrepBody(ctx, error) : bucketingBody(error)
}

function bucketingBody({ status, message }: ApiError): ErrorBody {
  return { statusCode: status, message }
}

/** OFREP's clients lose an error without `key` and `errorCode` (`ofrep.md` §0.2). */
function ofrepBody(ctx: Context, { code, message }: ApiError): EvaluationFailure | BulkFailure {
  const [, key] = /^\/ofrep\/v1\/evaluate\/flags\/([^/]+)/.exec(ctx.path) ?? []
  return {
    ...(key === undefined ? {} : { key: ctx.params?.key ?? key }),
    errorCode: ofrepCodes[code],
    errorDetails: message
  }
}

/** What OFREP calls each failure. */
const ofrepCodes: Record<ErrorCode, EvaluationFailure['errorCode']> = {
  invalid_request: 'GENERAL',
  malformed_body: 'PARSE_ERROR',
  invalid_body: 'INVALID_CONTEXT',
  unauthorized: 'GENERAL',
  forbidden: 'GENERAL',
  not_found: 'GENERAL',
  flag_not_found: 'FLAG_NOT_FOUND',
  targeting_key_missing: 'TARGETING_KEY_MISSING',
  invalid_context: 'INVALID_CONTEXT',
  evaluation_failed: 'PARSE_ERROR',
  method_not_allowed: 'GENERAL',
  too_large: 'GENERAL',
  unsupported_media_type: 'GENERAL',
  rate_limited: 'GENERAL',
  unavailable: 'GENERAL',
  internal: 'GENERAL'
}
