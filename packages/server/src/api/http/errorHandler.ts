import { type ErrorType, type Operation, operations } from '@burgee/contract'
import type {
  BulkFailure,
  ErrorBody,
  EvaluationFailure,
  ManagementError,
  ManifestError
} from '@burgee/contract/schemas'
import type { Context, Middleware } from 'koa'
import { ManagementHttpError, refused, toManagementError } from '../../access/permissions/managementError.ts'
import { RestrictionError } from '../../access/restrictions/restrictionError.ts'
import { type OAuthError, toOAuthError } from '../../identity/oauth/oauthError.ts'
import type { Surface } from '../../identity/requestState.ts'
import { SCIM_CONTENT_TYPE, type ScimErrorBody, toScimErrorBody } from '../../identity/scim/protocol/scimError.ts'
import { conflict, HttpError, notFound, unavailable } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { MINUTE } from '../../lib/time.ts'
import { EventsUnavailableError } from '../../storage/events/eventStore.ts'
import type { Resources } from '../../storage/resources/collections.ts'
import { DuplicateError, StoreBusyError, StoreUnavailableError, UncertainWriteError } from '../../storage/store.ts'
import { OfrepHttpError } from '../handlers/evaluation/ofrepError.ts'
import { UnsignedUserError } from '../handlers/shared/verifyUsers.ts'
import { BodyError } from './request/bodyError.ts'
import { redactPath } from './request/requestUrl.ts'
import { findSurface } from './surface.ts'

/** Converts errors to responses in the error format of the requested API, and logs unexpected errors. */
export function errorHandler(log: Logger): Middleware {
  const outages = createOutageLog(log)
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      // The status cannot change after the headers are sent; the `error` listener of the app ends the response.
      if (ctx.headerSent) throw error
      ctx.respond = true
      sendError(ctx, toHttpError(error, ctx, { log, outages }))
    }
  }
}

/** Handles requests that match no route. @throws {HttpError} 404 */
export function notFoundHandler(ctx: Context): never {
  throw notFound(`no route for ${ctx.method} ${redactPath(ctx)}; /docs describes the API`)
}

interface ErrorLogs {
  readonly log: Logger
  readonly outages: OutageLog
}

function toHttpError(error: unknown, ctx: Context, { log, outages }: ErrorLogs): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof DuplicateError) return duplicate(error)
  const { requestId } = ctx.state
  if (error instanceof StoreUnavailableError) {
    ctx.state.reason = error.message
    if (!(error instanceof StoreBusyError)) outages.note(error, requestId)
    if (error instanceof UncertainWriteError) {
      return unavailable(
        'the store failed; the change may have been stored. Check the current state before you repeat it',
        1
      )
    }
    if (error instanceof EventsUnavailableError) {
      return unavailable('the store failed; no event was stored. Try again later', 1)
    }
    if (isChange(ctx)) return unavailable('the store failed; no part of the change was stored. Try again later', 1)
    return unavailable('the store is not available. Try again later', 1)
  }
  log.error({ requestId, err: error }, 'a request failed unexpectedly')
  return new HttpError(500, `internal server error; see the server log for request id ${requestId}`)
}

/** Whether a request changes data: evaluations and explanations are read with POST, too. */
function isChange(ctx: Context): boolean {
  if (ctx.method === 'POST') {
    return !readingOperations.has(ctx.state.operation) && ['management', 'manifest', 'scim'].includes(findSurface(ctx))
  }
  return ctx.method !== 'GET' && ctx.method !== 'HEAD'
}

/** The operations that need no permission to change anything. */
const readingOperations: ReadonlySet<string | undefined> = new Set(
  Object.values<Operation>(operations)
    .filter(({ credential }) => credential.type === 'token' && credential.permission?.endsWith(':read'))
    .map(({ id }) => id)
)

/** Logs only the first error of an outage, in which thousands of requests can fail. */
interface OutageLog {
  readonly note: (error: StoreUnavailableError, requestId: string | undefined) => void
}

function createOutageLog(log: Logger): OutageLog {
  let until = 0
  return {
    note: (error, requestId) => {
      const isKnown = performance.now() < until
      until = performance.now() + MINUTE
      // The line of each failed request has its own reason.
      if (!isKnown) log.error({ requestId, err: error }, 'the store is not available')
    }
  }
}

/** Requests set the last member of a unique key; the members before it are its scope. */
function duplicate({ collection, members }: DuplicateError): HttpError {
  const [member = 'key', value] = Object.entries(members).at(-1) ?? []
  const message = `Duplicate ${member} '${String(value)}'`
  const errorType = duplicateErrorTypes[collection]?.[member]
  return errorType === undefined ? conflict(message) : refused(errorType, message)
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

function sendError(ctx: Context, error: HttpError): void {
  if (error instanceof RestrictionError) recordRefusal(ctx, error)
  const surface = findSurface(ctx)
  ctx.status = surface === 'manifest' ? manifestStatus(error) : error.status
  // Errors are not cached: the next request may succeed.
  ctx.set({ 'cache-control': 'no-store', ...error.headers })
  ctx.body = errorBodyOf(surface, { path: ctx.path, key: ctx.params?.key }, error)
  if (surface === 'scim') ctx.type = SCIM_CONTENT_TYPE
}

/** Lets the access log record which restriction refused a key or token. */
function recordRefusal({ state }: Context, { reason, caller: { target, ...facts } }: RestrictionError): void {
  const isToken = ['management', 'manifest', 'oauth'].includes(state.surface ?? '')
  if (target) state.accessTarget = target
  state.access = { kind: isToken ? 'tokenUse' : 'sdkKey', ...state.access, ...facts, reason }
}

/** The path of a request, and its parameter `key` if a route has been found. */
interface RequestedPath {
  readonly path: string
  readonly key: string | undefined
}

/** Returns the error body in the format of the API. */
export function errorBodyOf(
  surface: Surface,
  requested: RequestedPath,
  error: HttpError
):
  | ErrorBody
  | ManagementError
  | ManifestError
  | EvaluationFailure
  | BulkFailure
  | OAuthError
  | ScimErrorBody
  | JsonRpcError {
  switch (surface) {
    case 'mcp':
      return jsonRpcBody(error)
    case 'ofrep':
      return ofrepBody(requested, error)
    case 'oauth':
      return toOAuthError(error)
    case 'scim':
      return toScimErrorBody(error)
    case 'manifest':
      return toManifestError(error)
    case 'management':
      return toManagementError(error)
    case 'evaluation':
      return { statusCode: error.status, message: error.message }
  }
}

/** The command line of OpenFeature shows `error.message` (docs/guides/openfeature-cli.md). */
function toManifestError(error: HttpError): ManifestError {
  const { message, places } = error
  const status = manifestStatus(error)
  const code = error instanceof ManagementHttpError ? error.members.errorType : undefined
  const details = places.map(({ path, message: text }) => ({ field: path.join('.'), message: text }))
  const all = [...details, ...(code ? [{ code: code.replace(/^ERR_/, '').toLowerCase(), message }] : [])]
  return { error: { message, status, ...(all.length > 0 ? { details: all } : {}) } }
}

/** Maps an error to a status of the manifest API, which has no 412, and 403 only for missing permissions. */
function manifestStatus(error: HttpError): number {
  const needsApproval = error instanceof ManagementHttpError && error.members.errorType === 'ERR_APPROVAL_REQUIRED'
  return needsApproval || error.status === 412 ? 409 : error.status
}

interface JsonRpcError {
  readonly jsonrpc: '2.0'
  readonly error: { readonly code: number; readonly message: string }
  readonly id: null
}

/** `id` is null, because the handler failed before it had read the message (JSON-RPC 2.0 §5). */
function jsonRpcBody({ message }: HttpError): JsonRpcError {
  return { jsonrpc: '2.0', error: { code: INTERNAL_ERROR, message }, id: null }
}

/** JSON-RPC 2.0 §5.1. */
const INTERNAL_ERROR = -32603

/** OFREP clients ignore an error without `key` and `errorCode` (docs/reference/ofrep.md#errors). */
function ofrepBody({ path, key }: RequestedPath, error: HttpError): EvaluationFailure | BulkFailure {
  const [, segment] = FLAG_PATH.exec(path) ?? []
  return {
    ...(segment === undefined ? {} : { key: key ?? segment }),
    errorCode: ofrepCodeOf(error),
    errorDetails: error.message
  }
}

const FLAG_PATH = new RegExp(`^${operations.ofrepEvaluateFlag.path.replace('{key}', '([^/]+)')}`)

function ofrepCodeOf(error: HttpError): EvaluationFailure['errorCode'] {
  if (error instanceof OfrepHttpError) return error.errorCode
  if (error instanceof UnsignedUserError) return 'INVALID_CONTEXT'
  if (!(error instanceof BodyError)) return 'GENERAL'
  return error.problem === 'malformed' ? 'PARSE_ERROR' : 'INVALID_CONTEXT'
}
