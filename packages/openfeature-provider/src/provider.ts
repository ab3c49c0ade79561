import { type EvaluateOptions, type Evaluator, toOfrepFlag, toUser } from '@burgee/core'
import {
  DefaultLogger,
  ErrorCode,
  type EvaluationContext,
  type FlagValue,
  type JsonValue,
  type Logger,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  type ResolutionDetails,
  StandardResolutionReasons,
  type TrackingEventDetails
} from '@openfeature/server-sdk'
import { failed, type Question, toDetails } from './details.ts'
import { eventRecorder } from './events/recorder.ts'
import { fallback } from './fallback.ts'
import { Follower } from './follower.ts'
import type { Health } from './health.ts'
import { keyOf } from './http/server.ts'
import { ownMetadata } from './metadata.ts'
import { ofrepRemote } from './ofrep.ts'
import { checkOptions, type ProviderOptions, serverOf } from './options.ts'
import type { Recorder } from './recorder.ts'
import type { Remote } from './remote.ts'
import type { Source } from './source.ts'
import { streaming } from './sources/streaming.ts'
import { toContextId } from './telemetry.ts'

/**
 * The OpenFeature provider of Burgee. It evaluates in this process, from a config that it follows: an evaluation makes
 * no request and waits for nothing, and goes on with the last good config whatever becomes of the server.
 *
 * @example
 * await OpenFeature.setProviderAndWait(new BurgeeProvider({ url: 'https://flags.example.com', sdkKey }))
 */
export class BurgeeProvider implements Provider {
  readonly metadata = { name: 'burgee' } as const
  readonly runsOn = 'server'
  readonly events = new OpenFeatureEventEmitter()
  readonly #options: ProviderOptions
  readonly #source: Source | undefined
  readonly #logger: Logger
  readonly #recorder: Recorder | undefined
  /** Evaluates everything, where that is what the application wants. */
  readonly #remote: Remote | undefined
  /** Evaluates while there is no config. */
  readonly #fallback: Pick<Remote, 'resolve' | 'close'> | undefined
  #follower: Follower | undefined
  #starting: Promise<void> | undefined

  constructor(options: ProviderOptions) {
    const server = serverOf(options)
    this.#options = options
    this.#logger = options.logger ?? new DefaultLogger()
    const isRemote = options.evaluation === 'remote'
    this.#source = isRemote ? undefined : (options.source ?? (server && streaming(server)))
    this.#remote = isRemote && server ? ofrepRemote(server) : undefined
    this.#fallback = isRemote || !server ? undefined : fallback(server)
    const { events = {} } = options
    this.#recorder =
      server && events ? eventRecorder(server, events, (message) => this.#logger.warn(message)) : undefined
  }

  /**
   * Begins to follow the config; resolves when there is one. The provider can be initialised again after it was closed.
   *
   * @throws when there is no config at the deadline. It becomes ready, by event, when one comes after all.
   * @throws {ProviderFatalError} when the options can never work.
   */
  initialize(): Promise<void> {
    this.#starting ??= this.#begin()
    return this.#starting
  }

  /** Ends everything that was begun, and sends the events that are left. Closing again does nothing more. */
  async onClose(): Promise<void> {
    const follower = this.#follower
    this.#follower = undefined
    this.#starting = undefined
    this.#remote?.close()
    this.#fallback?.close()
    await Promise.all([follower?.close(), this.#recorder?.close()])
  }

  resolveBooleanEvaluation(
    key: string,
    defaultValue: boolean,
    context: EvaluationContext
  ): Promise<ResolutionDetails<boolean>> {
    return this.#resolve({ key, type: 'boolean', defaultValue }, context)
  }

  resolveStringEvaluation(
    key: string,
    defaultValue: string,
    context: EvaluationContext
  ): Promise<ResolutionDetails<string>> {
    return this.#resolve({ key, type: 'string', defaultValue }, context)
  }

  resolveNumberEvaluation(
    key: string,
    defaultValue: number,
    context: EvaluationContext
  ): Promise<ResolutionDetails<number>> {
    return this.#resolve({ key, type: 'number', defaultValue }, context)
  }

  resolveObjectEvaluation<T extends JsonValue>(
    key: string,
    defaultValue: T,
    context: EvaluationContext
  ): Promise<ResolutionDetails<T>> {
    return this.#resolve({ key, type: 'object', defaultValue }, context)
  }

  /** Sends an event that the application tracks, with what the user is served at this moment. */
  track(name: string, context: EvaluationContext, details: TrackingEventDetails): void {
    if (!this.#recorder) return
    const { user } = toUser(context)
    const featureVars = this.#follower?.evaluator?.bucket(user, this.#at()).featureVariationMap ?? {}
    this.#recorder.tracked({ name, user, details, featureVars })
  }

  /** Sends the events that have been gathered; resolves when that is done or given up. */
  async flush(): Promise<void> {
    await this.#recorder?.flush()
  }

  async #begin(): Promise<void> {
    checkOptions(this.#options)
    const { now = Date.now, initTimeoutMs = 5_000, staleAfterMs = 5_000, errorAfterMs = 60_000 } = this.#options
    const times = { initTimeoutMs, staleAfterMs, errorAfterMs }
    const onHealth = (health: Health, message: string): void => this.#announce(health, message)
    const source = this.#source
    // Where there is no source, evaluation is remote.
    if (!source) return this.#remote?.start({ ...times, onHealth }) ?? Promise.resolve()
    const server = serverOf(this.#options)
    const owner = `${source.name} ${server ? keyOf(server) : ''}`
    const onFlagsChanged = (keys: readonly string[]): void => {
      this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...keys] })
    }
    const { bootstrap, cacheFile, maxAge } = this.#options
    const options = { bootstrap, cacheFile, maxAge, ...times, source, owner, now, logger: this.#logger }
    this.#follower = new Follower(options, { onHealth, onFlagsChanged })
    return this.#follower.start()
  }

  #announce(health: Health, message: string): void {
    switch (health) {
      case 'READY':
        this.events.emit(ProviderEvents.Ready)
        break
      case 'STALE':
        this.events.emit(ProviderEvents.Stale, { message })
        break
      case 'ERROR':
        this.events.emit(ProviderEvents.Error, { message, errorCode: ErrorCode.GENERAL })
        break
    }
  }

  async #resolve<T extends FlagValue>(
    question: Question<T>,
    context: EvaluationContext
  ): Promise<ResolutionDetails<T>> {
    const details = await this.#answer(question, context)
    const { flagMetadata = {} } = details
    if (this.#options.flagMetadata === false) return { ...details, flagMetadata: ownMetadata(flagMetadata) }
    const telemetry = { ...this.#follower?.flagSet, ...toContextId(context) }
    return { ...details, flagMetadata: { ...telemetry, ...flagMetadata } }
  }

  #answer<T extends FlagValue>(
    question: Question<T>,
    context: EvaluationContext
  ): ResolutionDetails<T> | Promise<ResolutionDetails<T>> {
    const evaluator = this.#follower?.evaluator
    if (evaluator) return this.#evaluate(question, context, evaluator)
    const { key, type, defaultValue } = question
    const remote = this.#starting && (this.#remote ?? this.#fallback)
    if (remote) return remote.resolve(key, type, defaultValue, context)
    return failed(question, ErrorCode.PROVIDER_NOT_READY, 'there is no config yet')
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
    if (details.errorCode !== undefined || !this.#follower?.isOutdated) return details
    return { ...details, reason: StandardResolutionReasons.STALE }
  }

  #at(): EvaluateOptions {
    const { now } = this.#options
    return now ? { now: now() } : {}
  }
}
