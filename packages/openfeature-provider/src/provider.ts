import { toUser } from '@burgee/core'
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
  SafeLogger,
  type TrackingEventDetails
} from '@openfeature/server-sdk'
import { failed, type Question } from './details.ts'
import { eventRecorder } from './events/eventRecorder.ts'
import type { Health } from './health.ts'
import { InProcess } from './inProcess.ts'
import { checked, type Mode, modeOf, type ProviderOptions, serverOf } from './options.ts'
import type { Recorder } from './recorder.ts'
import { Remote } from './remote.ts'
import type { Resolver } from './resolver.ts'
import { ToldMetadata } from './telemetry.ts'

/**
 * The OpenFeature provider of Burgee. It evaluates in this process, from a config that it follows: an evaluation makes
 * no request once there is a config, and goes on with the last good config whatever becomes of the server.
 *
 * @example
 * await OpenFeature.setProviderAndWait(new BurgeeProvider({ url: 'https://flags.example.com', sdkKey }))
 */
export class BurgeeProvider implements Provider {
  readonly metadata = { name: 'burgee' } as const
  readonly runsOn = 'server'
  readonly events = new OpenFeatureEventEmitter()
  readonly #options: ProviderOptions
  readonly #logger: Logger
  readonly #metadata: ToldMetadata
  #recorder: Recorder | undefined
  /** What evaluates flags, while the provider is in use. */
  #resolver: Resolver | undefined
  #starting: Promise<void> | undefined
  #closing: Promise<unknown> | undefined

  constructor(options: ProviderOptions) {
    this.#options = options
    this.#metadata = new ToldMetadata(options.flagMetadata !== false)
    // A logger that throws is no reason to end what is being done.
    this.#logger = new SafeLogger(options.logger ?? new DefaultLogger())
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
    const resolver = this.#resolver
    this.#resolver = undefined
    this.#starting = undefined
    this.#closing = Promise.all([this.#closing, resolver?.close(), this.#recorder?.close()])
    await this.#closing
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
    this.#recorder ??= this.#earlyRecorder()
    if (!this.#recorder) return
    const { user } = toUser(context)
    const featureVars = this.#resolver?.servedTo(user) ?? {}
    this.#recorder.tracked({ name, user, details, featureVars })
  }

  /** Sends the events that have been gathered; resolves when that is done or given up. */
  async flush(): Promise<void> {
    await this.#recorder?.flush()
  }

  async #begin(): Promise<void> {
    const options = checked(this.#options)
    const mode = modeOf(options)
    this.#recorder ??= this.#recorderOf(options)
    this.#resolver = this.#resolverIn(mode, options)
    return this.#resolver.start()
  }

  /** The recorder for an application that tracks before the start; none where the options can never work, which the start reports. */
  #earlyRecorder(): Recorder | undefined {
    try {
      const options = checked(this.#options)
      modeOf(options)
      return this.#recorderOf(options)
    } catch {
      return undefined
    }
  }

  #recorderOf(options: ProviderOptions): Recorder | undefined {
    const server = serverOf(options)
    const { events = {} } = options
    if (!server || !events) return undefined
    return eventRecorder(server, events, (message) => this.#logger.warn(message))
  }

  #resolverIn(mode: Mode, options: ProviderOptions): Resolver {
    const { initTimeoutMs = 5_000, staleAfterMs = 5_000, errorAfterMs = 60_000 } = options
    const onHealth = (health: Health, message: string): void => this.#announce(health, message)
    const start = { initTimeoutMs, staleAfterMs, errorAfterMs, onHealth }
    if (mode.evaluation === 'remote') return new Remote(mode.server, start)
    const onFlagsChanged = (keys: readonly string[]): void => {
      this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...keys] })
    }
    const told = { onFlagsChanged, recorder: this.#recorder, logger: this.#logger }
    return new InProcess(mode, { ...options, ...start, ...told })
  }

  #announce(health: Health, message: string): void {
    switch (health) {
      case 'READY':
        // A start that failed has healed.
        this.#starting = Promise.resolve()
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
    const resolver = this.#resolver
    if (!resolver) return failed(question, ErrorCode.PROVIDER_NOT_READY, 'the provider is not initialized')
    const details = await resolver.resolve(question, context)
    return { ...details, flagMetadata: this.#metadata.of(details.flagMetadata, resolver.flagSet, context) }
  }
}
