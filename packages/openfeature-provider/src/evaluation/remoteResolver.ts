import { ErrorCode, type EvaluationContext, type FlagValue, type ResolutionDetails } from '@openfeature/server-sdk'
import type { ServerOptions } from '../http/serverOptions.ts'
import { OfrepClient } from './ofrepClient.ts'
import type { OfrepOutcome } from './ofrepOutcome.ts'
import { type EvaluationRequest, toErrorDetails, toResolutionDetails } from './resolutionDetails.ts'
import type { Resolver, StartOptions } from './resolver.ts'
import { ServerMonitor } from './serverMonitor.ts'

/** A flag that need not exist: any answer shows that the server works. */
const PROBE_FLAG = 'burgee-probe'

/** The number of consecutive failures after which the server gets no request for a while. */
const FAILURE_LIMIT = 3

/** Evaluates on the server with one request per evaluation. */
export class RemoteResolver implements Resolver {
  /** Unknown: the server does not name its config. */
  readonly flagSet = {}
  readonly #client: OfrepClient
  readonly #monitor: ServerMonitor

  constructor(server: ServerOptions, options: StartOptions) {
    this.#client = new OfrepClient(server, FAILURE_LIMIT)
    this.#monitor = new ServerMonitor(
      server,
      async () => this.#report(await this.#client.request(PROBE_FLAG, {})),
      options
    )
  }

  start(): Promise<void> {
    return this.#monitor.start()
  }

  async resolve<T extends FlagValue>(
    request: EvaluationRequest<T>,
    context: EvaluationContext
  ): Promise<ResolutionDetails<T>> {
    const outcome = await this.#client.evaluate(request.key, context)
    this.#report(outcome)
    if ('flag' in outcome) return toResolutionDetails(outcome.flag, request)
    return toErrorDetails(request, ErrorCode.GENERAL, outcome.message)
  }

  /** Only the server knows it. */
  variationsFor(): Readonly<Record<string, string>> {
    return {}
  }

  async close(): Promise<void> {
    this.#monitor.close()
    this.#client.close()
  }

  #report(outcome: OfrepOutcome): void {
    if (outcome.type === 'failed') this.#monitor.reportFailure(outcome.message, this.#client)
    else if (outcome.type === 'answered' || outcome.type === 'throttled') this.#monitor.reportSuccess()
  }
}
