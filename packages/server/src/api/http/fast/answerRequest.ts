import { whenReady } from '@burgee/kit'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { HttpError } from '../../../lib/errors.ts'
import { errorBodyOf } from '../errorHandler.ts'
import type { HandOver } from '../request/handOver.ts'
import type { RequestRecorder } from '../requestLog.ts'
import { Connection } from './connection.ts'
import { type Exchange, parseInput } from './exchange.ts'
import { type FastReply, sendReply, toErrorReply, toReply } from './fastReply.ts'

interface Dependencies {
  readonly onKeyUse: (environment: string, keyDigest: string) => void
  /** Logs and measures requests. */
  readonly requestRecorder: RequestRecorder
  readonly isStopping: () => boolean
  readonly trustedProxies: number
}

/** Passes a request on to the application, with its body or failure if they are known. */
export type PassOn = (exchange: Exchange, note: Omit<HandOver, 'isCounted'>) => void

/** Answers a request whose caller is authenticated and whose body has arrived, if it has one. */
type AnswerRequest = (exchange: Exchange, caller: KeyConfig, body: Buffer | undefined) => void

/** Creates the function that answers requests by their handlers. It passes invalid requests and unexpected errors on. */
export function createAnswerRequest(
  { onKeyUse, requestRecorder: recorder, isStopping, trustedProxies }: Dependencies,
  passOn: PassOn
): AnswerRequest {
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
  return (exchange, caller, body) => {
    const { request, response, route } = exchange
    try {
      onKeyUse(caller.environment._id, caller.keyDigest)
      const input = parseInput(exchange, body)
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
}

/** Whether an error is a response that needs neither a log line nor headers of its own. */
function isPlainError(error: unknown): error is HttpError {
  return error instanceof HttpError && PLAIN_STATUSES.has(error.status) && Object.keys(error.headers).length === 0
}

const PLAIN_STATUSES: ReadonlySet<number> = new Set([400, 404])
