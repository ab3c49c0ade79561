import { ErrorCode } from '@openfeature/server-sdk'
import { failed } from './details.ts'
import { backoff } from './http/backoff.ts'
import type { ServerOptions } from './http/server.ts'
import { ofrepRemote } from './ofrep.ts'
import type { Remote } from './remote.ts'

/** The longest that an evaluation waits for the server: who evaluates in process does not expect to wait at all. */
const MAX_WAIT_MS = 2_000

/**
 * Evaluates on the server while there is no config to evaluate here. A server that does not answer is left alone for a
 * while, in which the answer is the default, at once.
 */
export function fallback(server: ServerOptions): Pick<Remote, 'resolve' | 'close'> {
  const { requestTimeoutMs = MAX_WAIT_MS } = server
  const remote = ofrepRemote({ ...server, requestTimeoutMs: Math.min(requestTimeoutMs, MAX_WAIT_MS) })
  const waits = backoff(server.retry, server.random)
  let restsUntil = Number.NEGATIVE_INFINITY
  return {
    resolve: async (key, type, defaultValue, context) => {
      const notReady = (why: string) => {
        const message = `there is no config yet, and the server does not evaluate in its place: ${why}`
        return failed({ key, type, defaultValue }, ErrorCode.PROVIDER_NOT_READY, message)
      }
      if (performance.now() < restsUntil) return notReady('it did not answer a moment ago')
      const details = await remote.resolve(key, type, defaultValue, context)
      if (details.errorCode === ErrorCode.GENERAL) {
        restsUntil = performance.now() + waits.next(false)
        return notReady(details.errorMessage ?? 'it did not answer')
      }
      waits.reset()
      return details
    },
    close: () => remote.close()
  }
}
