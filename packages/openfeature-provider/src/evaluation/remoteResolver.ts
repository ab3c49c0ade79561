import { ErrorCode, type EvaluationContext, type FlagValue, type ResolutionDetails } from '@openfeature/server-sdk'
import type { ServerOptions } from '../http/serverOptions.ts'
import { OfrepClient } from './ofrepClient.ts'
import type { OfrepOutcome } from './ofrepOutcome.ts'
import { type EvaluationRequest, toErrorDetails, toResolutionDetails } from './resolutionDetails.ts'
import type { Resolver, StartOptions } from './resolver.ts'
import { ServerMonitor } from './serverMonitor.ts'

/** A flag that no server has to have: to learn whether one answers, it is enough that it says so. */
const PROBE_FLAG = 'burgee-probe'

/** The number of consecutive failures after which the server gets no request for a while. */
const FAILURE_LIMIT = 3

/** Evaluates on the server, one request for each evaluation: for applications that cannot have a config. */
export class RemoteResolver implements Resolver {
  /** The server does not tell which config it has. */
  readonly flagSet = {}
  readonly #client: OfrepClient
  readonly #watch: ServerMonitor

  constructor(server: ServerOptions, options: StartOptions) {
    this.#client = new OfrepClient(server, FAILURE_LIMIT)
    this.#watch = new ServerMonitor(server, async () => this.#note(await this.#client.request(PROBE_FLAG, {})), options)
  }

  start(): Promise<void> {
    return this.#watch.start()
  }

  async resolve<T extends FlagValue>(
    question: EvaluationRequest<T>,
    context: EvaluationContext
  ): Promise<ResolutionDetails<T>> {
    const outcome = await this.#client.evaluate(question.key, context)
    this.#note(outcome)
    if ('flag' in outcome) return toResolutionDetails(outcome.flag, question)
    return toErrorDetails(question, ErrorCode.GENERAL, outcome.message)
  }

  /** What users are served is known to the server only. */
  variationsFor(): Readonly<Record<string, string>> {
    return {}
  }

  async close(): Promise<void> {
    this.#watch.close()
    this.#client.close()
  }

  #note(outcome: OfrepOutcome): void {
    if (outcome.type === 'failed') this.#watch.reportFailure(outcome.message, this.#client)
    else if (outcome.type === 'answered' || outcome.type === 'busy') this.#watch.reportSuccess()
  }
}
