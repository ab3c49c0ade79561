import { type EvaluateOptions, type Evaluator, toOfrepFlag, toUser, type User } from '@burgee/core'
import {
  ErrorCode,
  type EvaluationContext,
  type FlagMetadata,
  type FlagValue,
  type Logger,
  type ResolutionDetails,
  StandardResolutionReasons
} from '@openfeature/server-sdk'
import { failed, type Question, toDetails } from './details.ts'
import { Fallback } from './fallback.ts'
import { Follower, type FollowerListener } from './follower.ts'
import type { ServerOptions } from './http/server.ts'
import type { CommonOptions, InProcessMode } from './options.ts'
import type { Recorder } from './recorder.ts'
import type { Resolver, StartOptions } from './resolver.ts'

/** What evaluation in process is made of, besides a source. */
export interface InProcessOptions
  extends StartOptions,
    Pick<FollowerListener, 'onFlagsChanged'>,
    Pick<CommonOptions, 'bootstrap' | 'cacheFile' | 'maxAge' | 'now'>,
    Pick<ServerOptions, 'maxBytes'> {
  readonly recorder: Recorder | undefined
  readonly logger: Logger
}

/** Evaluates in this process, from a config that is followed; while there is none, on the server if there is one. */
export class InProcess implements Resolver {
  readonly #follower: Follower
  readonly #fallback: Fallback | undefined
  readonly #recorder: Recorder | undefined
  readonly #now: (() => number) | undefined

  constructor({ source, server }: InProcessMode, { onHealth, onFlagsChanged, recorder, ...options }: InProcessOptions) {
    const { bootstrap, cacheFile, maxAge, maxBytes, now = Date.now } = options
    const following = { ...options, bootstrap, cacheFile, maxAge, maxBytes, now, source }
    this.#follower = new Follower(following, { onHealth, onFlagsChanged })
    this.#fallback = server && new Fallback(server)
    this.#recorder = recorder
    this.#now = options.now
  }

  get flagSet(): FlagMetadata {
    return this.#follower.flagSet
  }

  start(): Promise<void> {
    return this.#follower.start()
  }

  resolve<T extends FlagValue>(
    question: Question<T>,
    context: EvaluationContext
  ): ResolutionDetails<T> | Promise<ResolutionDetails<T>> {
    const { evaluator } = this.#follower
    if (evaluator) return this.#evaluate(question, context, evaluator)
    if (this.#fallback) return this.#fallback.resolve(question, context)
    return failed(question, ErrorCode.PROVIDER_NOT_READY, 'there is no config yet')
  }

  servedTo(user: User): Readonly<Record<string, string>> {
    return this.#follower.evaluator?.bucket(user, this.#at()).featureVariationMap ?? {}
  }

  async close(): Promise<void> {
    this.#fallback?.close()
    await this.#follower.close()
  }

  #evaluate<T extends FlagValue>(
    question: Question<T>,
    context: EvaluationContext,
    evaluator: Evaluator
  ): ResolutionDetails<T> {
    const contextUser = toUser(context)
    const { user, error } = contextUser
    if (error?.code === 'INVALID_CONTEXT') return failed(question, ErrorCode.INVALID_CONTEXT, error.message)
    const { key } = question
    const resolution = evaluator.resolve(user, key, this.#at())
    const details = toDetails(toOfrepFlag(evaluator, contextUser, key, resolution), question)
    const isDefaulted = resolution.status !== 'served' || details.errorCode !== undefined
    this.#recorder?.evaluated({ key, user, resolution, isDefaulted })
    if (details.errorCode !== undefined || !this.#follower.isOutdated) return details
    return { ...details, reason: StandardResolutionReasons.STALE }
  }

  #at(): EvaluateOptions {
    return this.#now ? { now: this.#now() } : {}
  }
}
