import { STATUS_CODES } from 'node:http'
import type { ErrorType } from '@burgee/contract'
import type { BulkFailure, ErrorBody, EvaluationFailure, ManagementError } from '@burgee/contract/schemas'
import type { Context, Middleware } from 'koa'
import { type OAuthError, toOAuthError } from '../../identity/endpoints/withOAuthErrors.ts'
import { ApiError, conflict, type ErrorCode, notFound, unavailable } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { EventsUnavailableError } from '../../storage/events/eventStore.ts'
import type { Resources } from '../../storage/resources/collections.ts'
import { DuplicateError, StoreUnavailableError } from '../../storage/store.ts'
import { redactPath } from './request/requestUrl.ts'

/** Converts errors to responses in the error format of the requested API, and logs unexpected errors. */
export function errorHandler(log: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      // The status cannot change after the headers are sent; the `error` listener of the app ends the response.
      if (ctx.headerSent) throw error
      ctx.respond = true
      sendError(ctx, toApiError(error, ctx, log))
    }
  }
}

/** Handles requests that match no route. @throws {ApiError} 404 */
export function notFoundHandler(ctx: Context): never {
  throw notFound(`there is nothing at ${ctx.method} ${redactPath(ctx)}`)
}

function toApiError(error: unknown, ctx: Context, log: Logger): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DuplicateError) return duplicate(error)
  const { requestId } = ctx.state
  if (error instanceof StoreUnavailableError) {
    log.error({ requestId, err: error }, 'the store failed to write')
    const lost = error instanceof EventsUnavailableError ? 'no event was stored' : 'no part of the change was stored'
    return unavailable(`the store failed; ${lost}. Try again later`, 1)
  }
  log.error({ requestId, err: error }, 'a request failed unexpectedly')
  return new ApiError(500, 'internal', `internal server error; see the server log for request id ${requestId}`)
}

/** Requests set the last member of a unique key; the members before it are its scope. */
function duplicate({ collection, members }: DuplicateError): ApiError {
  const [member = 'key', value] = Object.entries(members).at(-1) ?? []
  return conflict(`Duplicate ${member} '${String(value)}'`, duplicateErrorTypes[collection]?.[member])
}

/** The error types of the unique members that requests can set. */
const duplicateErrorTypes: { readonly [C in keyof Resources]?: { readonly [member: string]: ErrorType } } = {
  audiences: { key: 'ERR_DUPE_AUDIENCE_KEY' },
  clients: { clientId: 'ERR_DUPE_CLIENT_CLIENT_ID' },
  customProperties: {
    key: 'ERR_DUPE_CUSTOM_PROPERTY_KEY',
    propertyKey: 'ERR_DUPE_CUSTOM_PROPERTY_PROPERTY_KEY'
  },
  environments: { key: 'ERR_DUPE_ENVIRONMENT_KEY' },
  features: { key: 'ERR_DUPE_FEATURE_KEY' },
  issueLinks: { issueId: 'ERR_DUPE_ISSUE_LINK_ISSUE_ID' },
  metrics: { key: 'ERR_DUPE_METRIC_KEY' },
  projects: { key: 'ERR_DUPE_PROJECT_KEY' },
  users: { email: 'ERR_DUPE_USER_EMAIL' },
  variables: { key: 'ERR_DUPE_VARIABLE_KEY' }
}

function sendError(ctx: Context, error: ApiError): void {
  ctx.status = error.status
  // Errors are not cached: the next request may succeed.
  ctx.set({ 'cache-control': 'no-store', ...error.headers })
  ctx.body = bodyOf(ctx, error)
}

/** Returns the error body in the format of the API. The path selects it, because an error can precede routing. */
function bodyOf(
  ctx: Context,
  error: ApiError
): ErrorBody | ManagementError | EvaluationFailure | BulkFailure | OAuthError | JsonRpcError {
  if (ctx.state.operation === 'mcp') return jsonRpcBody(error)
  if (ctx.path.startsWith('/ofrep/')) return ofrepBody(ctx, error)
  if (OAUTH_PATHS.test(ctx.path)) return toOAuthError(error)
  if (/^\/v[12]\/(projects|semantic|integrations|organizations)(\/|$)/.test(ctx.path)) return managementBody(error)
  return { statusCode: error.status, message: error.message }
}

/** The endpoints of the authorization server that clients call without a browser. */
const OAUTH_PATHS = /^\/oauth\/(token|revoke|userinfo|register)$/

interface JsonRpcError {
  readonly jsonrpc: '2.0'
  readonly error: { readonly code: number; readonly message: string }
  readonly id: null
}

/** `id` is null, because the handler failed before it had read the message (JSON-RPC 2.0 §5). */
function jsonRpcBody({ message }: ApiError): JsonRpcError {
  return { jsonrpc: '2.0', error: { code: INTERNAL_ERROR, message }, id: null }
}

/** JSON-RPC 2.0 §5.1. */
const INTERNAL_ERROR = -32603

function managementBody({ status, message, issues, errorType }: ApiError): ManagementError {
  return {
    statusCode: status,
    message: status === 400 ? [...issues] : message,
    error: STATUS_CODES[status] ?? 'Error',
    ...(errorType === undefined ? {} : { errorType })
  }
}

/** OFREP clients ignore an error without `key` and `errorCode` (docs/reference/ofrep.md#errors). */
function ofrepBody(ctx: Context, { code, message }: ApiError): EvaluationFailure | BulkFailure {
  const [, key] = /^\/ofrep\/v1\/evaluate\/flags\/([^/]+)/.exec(ctx.path) ?? []
  return {
    ...(key === undefined ? {} : { key: ctx.params?.key ?? key }),
    errorCode: ofrepCodes[code] ?? 'GENERAL',
    errorDetails: message
  }
}

/** The error codes of OFREP. */
const ofrepCodes: { readonly [C in ErrorCode]?: EvaluationFailure['errorCode'] } = {
  malformed_body: 'PARSE_ERROR',
  invalid_body: 'INVALID_CONTEXT',
  flag_not_found: 'FLAG_NOT_FOUND',
  targeting_key_missing: 'TARGETING_KEY_MISSING',
  invalid_context: 'INVALID_CONTEXT',
  evaluation_failed: 'PARSE_ERROR'
}
