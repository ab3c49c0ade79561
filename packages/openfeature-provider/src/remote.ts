import { ErrorCode, type EvaluationContext, type FlagValue, type ResolutionDetails } from '@openfeature/server-sdk'
import { failed, type Question, toDetails } from './details.ts'
import type { ServerOptions } from './http/server.ts'
import { OfrepClient } from './ofrep.ts'
import type { Outcome } from './ofrepAnswer.ts'
import { RemoteWatch } from './remoteWatch.ts'
import type { Resolver, StartOptions } from './resolver.ts'

/** A flag that no server has to have: to learn whether one answers, it is enough that it says so. */
const PROBE = 'burgee-probe'

/** The number of consecutive failures after which the server gets no request for a while. */
const FAILURE_LIMIT = 3

/** Evaluates on the server, one request for each evaluation: for applications that cannot have a config. */
export class Remote implements Resolver {
  /** The server does not tell which config it has. */
  readonly flagSet = {}
  readonly #client: OfrepClient
  readonly #watch: RemoteWatch

  constructor(server: ServerOptions, options: StartOptions) {
    this.#client = new OfrepClient(server, FAILURE_LIMIT)
    this.#watch = new RemoteWatch(server, async () => this.#note(await this.#client.ask(PROBE, {})), options)
  }

  start(): Promise<void> {
    return this.#watch.start()
  }

  async resolve<T extends FlagValue>(question: Question<T>, context: EvaluationContext): Promise<ResolutionDetails<T>> {
    const outcome = await this.#client.evaluate(question.key, context)
    this.#note(outcome)
    if ('flag' in outcome) return toDetails(outcome.flag, question)
    return failed(question, ErrorCode.GENERAL, outcome.message)
  }

  /** What users are served is known to the server only. */
  servedTo(): Readonly<Record<string, string>> {
    return {}
  }

  async close(): Promise<void> {
    this.#watch.close()
    this.#client.close()
  }

  #note(outcome: Outcome): void {
    if (outcome.type === 'failed') this.#watch.fail(outcome.message, this.#client)
    else if (outcome.type === 'answered' || outcome.type === 'busy') this.#watch.succeed()
  }
}
