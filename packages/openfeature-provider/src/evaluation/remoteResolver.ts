import { ErrorCode, type EvaluationContext, type FlagValue, type ResolutionDetails } from '@openfeature/server-sdk'
import type { ServerOptions } from '../http/serverOptions.ts'
import { OfrepClient } from './ofrepClient.ts'
import type { OfrepOutcome } from './ofrepOutcome.ts'
import { type EvaluationRequest, toErrorDetails, toResolutionDetails } from './resolutionDetails.ts'
import type { Resolver } from './resolver.ts'
import { type RemoteOptions, ServerMonitor } from './serverMonitor.ts'

/** The flag of health probes. It need not exist: any OFREP response shows that the server is available. */
const PROBE_FLAG = 'burgee-probe'

/** The number of consecutive failures that open the circuit breaker. */
const FAILURE_LIMIT = 3

/** Evaluates on the server with one request per evaluation. */
export class RemoteResolver implements Resolver {
  /** Empty, because responses do not identify the config. */
  readonly flagSet = {}
  readonly #client: OfrepClient
  readonly #monitor: ServerMonitor

  constructor(server: ServerOptions, options: RemoteOptions) {
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

  /** Empty, because only the server knows the variations. */
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
