import { ErrorCode, type EvaluationContext, type FlagValue, type ResolutionDetails } from '@openfeature/server-sdk'
import type { ServerOptions } from '../http/serverOptions.ts'
import { OfrepClient } from './ofrepClient.ts'
import { type EvaluationRequest, toErrorDetails, toResolutionDetails } from './resolutionDetails.ts'

/** The longest that an evaluation waits for the server: who evaluates in process does not expect to wait at all. */
const MAX_WAIT_MS = 2_000

/**
 * Evaluates on the server while there is no config to evaluate here. A server that does not answer once is left alone
 * for a while, in which the answer is the default, at once.
 */
export class ServerFallback {
  readonly #client: OfrepClient

  constructor(server: ServerOptions) {
    const { requestTimeoutMs = MAX_WAIT_MS } = server
    this.#client = new OfrepClient({ ...server, requestTimeoutMs: Math.min(requestTimeoutMs, MAX_WAIT_MS) }, 1)
  }

  async resolve<T extends FlagValue>(
    question: EvaluationRequest<T>,
    context: EvaluationContext
  ): Promise<ResolutionDetails<T>> {
    const outcome = await this.#client.evaluate(question.key, context)
    if ('flag' in outcome) return toResolutionDetails(outcome.flag, question)
    const message = `there is no config yet, and the server does not evaluate in its place: ${outcome.message}`
    return toErrorDetails(question, ErrorCode.PROVIDER_NOT_READY, message)
  }

  close(): void {
    this.#client.close()
  }
}
