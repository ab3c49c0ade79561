import { ErrorCode, type EvaluationContext, type FlagValue, type ResolutionDetails } from '@openfeature/server-sdk'
import type { ServerOptions } from '../http/serverOptions.ts'
import { OfrepClient } from './ofrepClient.ts'
import { type EvaluationRequest, toErrorDetails, toResolutionDetails } from './resolutionDetails.ts'

/**
 * The longest time that an evaluation waits for the server. Applications with in-process evaluation expect no delay.
 */
const MAX_WAIT_MS = 2_000

/**
 * Evaluates on the server while there is no config. One trial request determines whether the server is available.
 * Until then, and during the back-off after a failure, evaluations return their default at once.
 */
export class ServerFallback {
  readonly #client: OfrepClient

  constructor(server: ServerOptions) {
    const { requestTimeoutMs = MAX_WAIT_MS } = server
    this.#client = new OfrepClient({ ...server, requestTimeoutMs: Math.min(requestTimeoutMs, MAX_WAIT_MS) }, 1)
  }

  async resolve<T extends FlagValue>(
    request: EvaluationRequest<T>,
    context: EvaluationContext
  ): Promise<ResolutionDetails<T>> {
    const outcome = await this.#client.evaluate(request.key, context)
    if ('flag' in outcome) return toResolutionDetails(outcome.flag, request)
    const message = `there is no config yet, and the server did not evaluate the flag: ${outcome.message}`
    return toErrorDetails(request, ErrorCode.PROVIDER_NOT_READY, message)
  }

  close(): void {
    this.#client.close()
  }
}
