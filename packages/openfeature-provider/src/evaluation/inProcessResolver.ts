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
import { ConfigFollower, type ConfigFollowerListener } from '../config/configFollower.ts'
import type { Recorder } from '../events/recorder.ts'
import type { ServerOptions } from '../http/serverOptions.ts'
import type { CommonOptions, InProcessMode } from '../options.ts'
import { type EvaluationRequest, toErrorDetails, toResolutionDetails } from './resolutionDetails.ts'
import type { Resolver, StartOptions } from './resolver.ts'
import { ServerFallback } from './serverFallback.ts'

/** The options of evaluation in process, besides the source. */
export interface InProcessResolverOptions
  extends StartOptions,
    Pick<ConfigFollowerListener, 'onFlagsChanged'>,
    Pick<CommonOptions, 'bootstrap' | 'cacheFile' | 'maxAge' | 'now'>,
    Pick<ServerOptions, 'maxBytes'> {
  readonly recorder: Recorder | undefined
  readonly logger: Logger
}

/** Evaluates in this process from the followed config. Without a config, evaluates on the server if there is one. */
export class InProcessResolver implements Resolver {
  readonly #follower: ConfigFollower
  readonly #fallback: ServerFallback | undefined
  readonly #recorder: Recorder | undefined
  readonly #now: (() => number) | undefined

  constructor(
    { source, server }: InProcessMode,
    { onHealth, onFlagsChanged, recorder, ...options }: InProcessResolverOptions
  ) {
    const { bootstrap, cacheFile, maxAge, maxBytes, now = Date.now } = options
    const followerOptions = { ...options, bootstrap, cacheFile, maxAge, maxBytes, now, source }
    this.#follower = new ConfigFollower(followerOptions, { onHealth, onFlagsChanged })
    this.#fallback = server && new ServerFallback(server)
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
    request: EvaluationRequest<T>,
    context: EvaluationContext
  ): ResolutionDetails<T> | Promise<ResolutionDetails<T>> {
    const { evaluator } = this.#follower
    if (evaluator) return this.#evaluate(request, context, evaluator)
    if (this.#fallback) return this.#fallback.resolve(request, context)
    return toErrorDetails(request, ErrorCode.PROVIDER_NOT_READY, 'there is no config yet')
  }

  variationsFor(user: User): Readonly<Record<string, string>> {
    return this.#follower.evaluator?.bucket(user, this.#evaluateOptions()).featureVariationMap ?? {}
  }

  async close(): Promise<void> {
    this.#fallback?.close()
    await this.#follower.close()
  }

  #evaluate<T extends FlagValue>(
    request: EvaluationRequest<T>,
    context: EvaluationContext,
    evaluator: Evaluator
  ): ResolutionDetails<T> {
    const contextUser = toUser(context)
    const { user, error } = contextUser
    if (error?.code === 'INVALID_CONTEXT') return toErrorDetails(request, ErrorCode.INVALID_CONTEXT, error.message)
    const { key } = request
    const resolution = evaluator.resolve(user, key, this.#evaluateOptions())
    const details = toResolutionDetails(toOfrepFlag(evaluator, contextUser, key, resolution), request)
    const isDefaulted = resolution.status !== 'served' || details.errorCode !== undefined
    this.#recorder?.recordEvaluation({ key, user, resolution, isDefaulted })
    if (details.errorCode !== undefined || !this.#follower.isOutdated) return details
    return { ...details, reason: StandardResolutionReasons.STALE }
  }

  #evaluateOptions(): EvaluateOptions {
    return this.#now ? { now: this.#now() } : {}
  }
}
