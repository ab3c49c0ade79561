import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isPublicKeyType } from '@burgee/contract/access'
import { whenReady } from '@burgee/kit'
import type { KeyConfigs } from '../../../delivery/configs/configs.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { findKeyRefusal } from '../../../delivery/configs/keyRestrictions.ts'
import { isDamagedSdkKey } from '../../../lib/checksum.ts'
import { HttpError } from '../../../lib/errors.ts'
import type { RateLimit } from '../../../lib/limits/rateLimiter.ts'
import { memoizeByIdentity } from '../../../lib/object.ts'
import { noTracing, type Tracing } from '../../../telemetry/tracing/tracing.ts'
import type { Handlers } from '../../handlers/shared/handler.ts'
import { mustBeSigned } from '../../handlers/shared/verifyUsers.ts'
import { addressOf } from '../clientAddress.ts'
import { errorBodyOf } from '../errorHandler.ts'
import { findHandOver, type HandOver, handOver } from '../request/handOver.ts'
import type { ReadBarrier } from '../request/readBarrier.ts'
import type { RequestRecorder, StartedRequest } from '../requestLog.ts'
import { Connection, originOf } from './connection.ts'
import { type FastReply, sendReply, toErrorReply, toReply } from './fastReply.ts'
import { compileFastRoutes, type FastInput, type FastRoute, type FoundRoute, isPlainSegment } from './fastRoutes.ts'
import { createFindCaller } from './findCaller.ts'
import { hasNoBody, readSmallBody, receiveSmallBody, smallBodyLength } from './smallBody.ts'

interface Dependencies {
  readonly handlers: Partial<Handlers>
  readonly configs: KeyConfigs
  readonly now: () => number
  readonly limits: { readonly requests: RateLimit | undefined; readonly bytes: RateLimit }
  readonly barrier: Pick<ReadBarrier, 'isBehind'>
  readonly onKeyUse: (environment: string, keyDigest: string) => void
  /** Logs and measures requests. */
  readonly requestRecorder: RequestRecorder
  readonly tracing: Tracing
  /** Resolves when the server may answer requests. */
  readonly started: Promise<void>
  readonly isStopping: () => boolean
  readonly trustedProxies: number
}

/**
 * Answers ordinary evaluations, events and downloads without the application's middleware (ADR 98), and passes every other request on
 * to the application, even if that is known only after the body has arrived. Both give the same responses.
 */
export function createFastPath(dependencies: Dependencies, application: RequestListener): RequestListener {
  const {
    configs,
    limits,
    now,
    onKeyUse,
    requestRecorder: recorder,
    isStopping,
    trustedProxies,
    barrier
  } = dependencies
  // Spans need the middleware that starts them.
  if (dependencies.tracing !== noTracing) return application
  const findRoute = compileFastRoutes(dependencies.handlers)
  const findCaller = createFindCaller(configs)
  let isStarted = false
  void dependencies.started.then(() => {
    isStarted = true
  })

  /** Returns the caller; undefined if the key is not accepted, or if more than the key decides. */
  const identify = (request: IncomingMessage, { route, value, query }: FoundRoute): KeyConfig | undefined => {
    const { credential, record } = route
    const { authorization = '', 'x-api-key': apiKey } = request.headers
    const inUrl = credential.inPath ? value : authorization === '' && credential.inQuery ? query.sdkKey : undefined
    const caller =
      inUrl === undefined
        ? findCaller(authorization, credential.inApiKeyHeader ? String(apiKey ?? '') : '')
        : findCaller(isPlainSegment(inUrl) ? inUrl : '', '')
    if (!caller || !credential.keyTypes.includes(caller.keyType) || mustBeSigned(record, caller)) return undefined
    if (caller.restrictions?.allowsOrigin || isDamaged(caller)) return undefined
    if (caller.restrictions && findKeyRefusal(caller, originOf(request, trustedProxies), now())) return undefined
    return caller
  }
  const finish = ({ response, route, requestId, startedAt }: Exchange, reply: FastReply): void => {
    recorder.record({
      requestId,
      startedAt,
      operation: route.record.id,
      method: route.record.method,
      status: reply.status
    })
    sendReply(response, requestId, reply, isStopping())
  }
  const fail = (exchange: Exchange, body: Buffer | undefined, failure: unknown): void => {
    if (!isPlainError(failure)) {
      passOn(exchange, { ...(body && { body }), failure })
      return
    }
    const { route, request, value } = exchange
    finish(
      exchange,
      toErrorReply(failure, errorBodyOf(route.surface, { path: request.url ?? '', key: value }, failure))
    )
  }
  const handle = (exchange: Exchange, caller: KeyConfig, body: Buffer | undefined): void => {
    const { request, response, route } = exchange
    try {
      onKeyUse(caller.environment._id, caller.keyDigest)
      const input = parse(exchange, body)
      if (!input) {
        passOn(exchange, { ...(body && { body }) })
        return
      }
      const result = route.handle(input, caller, new Connection(request, response, trustedProxies))
      const reply = whenReady(result, (ready) => toReply(route, request, { result: ready, caller }))
      if (!(reply instanceof Promise)) finish(exchange, reply)
      else reply.then((ready) => finish(exchange, ready)).catch((error) => fail(exchange, body, error))
    } catch (error) {
      fail(exchange, body, error)
    }
  }
  const passOn = ({ request, response, route }: Exchange, note: Omit<HandOver, 'isCounted'>) => {
    handOver(request, { ...note, isCounted: route.record.rateLimit === 'requests' })
    application(request, response)
  }
  /** Continues after a wait: the key may have been invalidated, or the config may have changed, meanwhile. */
  const proceed = (exchange: Exchange, caller: KeyConfig, version: unknown, body: Buffer): void => {
    const isCurrent = configs.version() === version && !caller.restrictions
    const current = isCurrent ? caller : identify(exchange.request, exchange)
    if (current) handle(exchange, current, body)
    else passOn(exchange, { body })
  }
  const receive = (exchange: Exchange, caller: KeyConfig, length: number): void => {
    const { request, route } = exchange
    if (!route.parseBody) {
      handle(exchange, caller, undefined)
      return
    }
    const isLimited = route.record.rateLimit === 'bytes' && isPublicKeyType(caller.keyType)
    const complete = readSmallBody(request, length)
    if (complete && !isLimited) {
      handle(exchange, caller, complete)
      return
    }
    const version = configs.version()
    const take = (body: Buffer | undefined) => {
      if (!body) return passOn(exchange, {})
      if (!isLimited) return proceed(exchange, caller, version, body)
      limits.bytes(addressOf(request, trustedProxies), length).then(
        () => proceed(exchange, caller, version, body),
        (failure) => passOn(exchange, { body, failure })
      )
    }
    if (complete) take(complete)
    else receiveSmallBody(request, length, take)
  }

  return (request, response) => {
    const found = findRoute(request.method, request.url)
    const length = found && isOrdinary(request) ? bodyLengthOf(request, found.route) : undefined
    const caller = found && length !== undefined && isStarted ? identify(request, found) : undefined
    if (!found || length === undefined || !caller || isStopping() || barrier.isBehind(request, caller, found.query)) {
      application(request, response)
      return
    }
    const { requestId, startedAt } = recorder.begin(request)
    // Properties are listed because object spread took a quarter of the time of a request (ADR 98).
    const { route, value, query } = found
    const exchange = { route, value, query, requestId, startedAt, request, response }
    const counted = found.route.record.rateLimit === 'requests' ? limits.requests?.(caller.sdkKey) : undefined
    if (!counted) return receive(exchange, caller, length)
    counted.then(
      () => receive(exchange, caller, length),
      (failure) => passOn(exchange, { failure })
    )
  }
}

/** Imported keys may have the form of generated ones, without a valid checksum. */
const isDamaged = memoizeByIdentity(({ sdkKey }: KeyConfig) => isDamagedSdkKey(sdkKey))

/** A request on the fast path. */
interface Exchange extends FoundRoute, StartedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Whether a request has nothing that only the application handles: a dashboard session, repeated credentials, or a
 * failure that a worker reports.
 */
function isOrdinary(request: IncomingMessage): boolean {
  return request.headers.cookie === undefined && !hasRepeatedCredential(request) && !findHandOver(request)
}

/** Returns the length of the body of a request; undefined if the fast path does not read it. */
function bodyLengthOf(request: IncomingMessage, { parseBody }: FastRoute): number | undefined {
  if (parseBody) return smallBodyLength(request)
  return hasNoBody(request) ? 0 : undefined
}

/** Node drops all but the first of several `Authorization` headers. */
function hasRepeatedCredential({ rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) count++
  }
  return count > 1
}

const AUTHORIZATION = 'authorization'

/**
 * Returns the input of the handler; undefined if a part of the request does not match its schema.
 * @throws {HttpError} 400 if the body is not JSON.
 */
function parse({ route, value, query: given, request }: Exchange, bytes: Buffer | undefined): FastInput | undefined {
  const headers = route.parseHeaders(request.headers)
  const params = value === undefined ? NOTHING : route.parseParams(value)
  const query = route.parseQuery(given)
  const parsed = headers && params && query && (bytes && route.parseBody ? route.parseBody(bytes) : NO_BODY)
  if (!parsed) return undefined
  const { body, text } = parsed
  return { params: params.data, query: query.data, headers: headers.data, body, text }
}

const NOTHING = { data: undefined }
const NO_BODY = { body: undefined, text: undefined }

/** Whether an error is a response that needs neither a log line nor headers of its own. */
function isPlainError(error: unknown): error is HttpError {
  return error instanceof HttpError && PLAIN_STATUSES.has(error.status) && Object.keys(error.headers).length === 0
}

const PLAIN_STATUSES: ReadonlySet<number> = new Set([400, 404])
