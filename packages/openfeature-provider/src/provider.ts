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
import { FlagMetadataCache } from './evaluation/flagMetadata.ts'
import { InProcessResolver } from './evaluation/inProcessResolver.ts'
import { RemoteResolver } from './evaluation/remoteResolver.ts'
import { type EvaluationRequest, toErrorDetails } from './evaluation/resolutionDetails.ts'
import type { Resolver } from './evaluation/resolver.ts'
import { createEventRecorder } from './events/eventRecorder.ts'
import type { Recorder } from './events/recorder.ts'
import { type Mode, normalizeOptions, type ProviderOptions, resolveMode, toServerOptions } from './options.ts'
import type { Health } from './status/healthMonitor.ts'
import { unknownOptions } from './unknownOptions.ts'

/**
 * The OpenFeature provider of Burgee. It evaluates flags in this process from a config that it keeps up to date:
 * evaluations make no requests once there is a config, and use the last valid config if the server fails.
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
  readonly #metadata: FlagMetadataCache
  #recorder: Recorder | undefined
  /** Exists from `initialize` to `onClose`. */
  #resolver: Resolver | undefined
  #starting: Promise<void> | undefined
  #closing: Promise<unknown> | undefined

  constructor(options: ProviderOptions) {
    this.#options = options
    this.#metadata = new FlagMetadataCache(options.flagMetadata !== false)
    // A logger that throws must not interrupt requests or evaluations.
    this.#logger = new SafeLogger(options.logger ?? new DefaultLogger())
    for (const warning of unknownOptions(options)) this.#logger.warn(warning)
  }

  /**
   * Starts to follow the config. Resolves when the first config is available. A closed provider can be initialized
   * again.
   *
   * @throws if there is no config at the deadline. The provider emits `Ready` when one arrives.
   * @throws {ProviderFatalError} if the options are invalid.
   */
  initialize(): Promise<void> {
    this.#starting ??= this.#start()
    return this.#starting
  }

  /**
   * Sends the remaining events and ends all requests and timers. Resolves when the cache file is written. Can be called
   * repeatedly.
   */
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

  /** Records an event with the variations that the user is served now. Events before `initialize` are also queued. */
  track(name: string, context: EvaluationContext, details: TrackingEventDetails): void {
    this.#recorder ??= this.#createEarlyRecorder()
    if (!this.#recorder) return
    const { user } = toUser(context)
    const featureVars = this.#resolver?.variationsFor(user) ?? {}
    this.#recorder.recordTracking({ name, user, details, featureVars })
  }

  /** Sends the queued events. Resolves when they are delivered, or sending failed. */
  async flush(): Promise<void> {
    await this.#recorder?.flush()
  }

  async #start(): Promise<void> {
    const options = normalizeOptions(this.#options)
    const mode = resolveMode(options)
    this.#recorder ??= this.#createRecorder(options)
    this.#resolver = this.#createResolver(mode, options)
    return this.#resolver.start()
  }

  /**
   * Creates the recorder for events that are tracked before `initialize`. Returns undefined if the options are invalid,
   * which `initialize` reports.
   */
  #createEarlyRecorder(): Recorder | undefined {
    try {
      const options = normalizeOptions(this.#options)
      resolveMode(options)
      return this.#createRecorder(options)
    } catch {
      return undefined
    }
  }

  #createRecorder(options: ProviderOptions): Recorder | undefined {
    const server = toServerOptions(options)
    const { events = {} } = options
    if (!server || !events) return undefined
    return createEventRecorder(server, events, (message) => this.#logger.warn(message))
  }

  #createResolver(mode: Mode, options: ProviderOptions): Resolver {
    const { initTimeoutMs = 5_000, staleAfterMs = 5_000, errorAfterMs = 60_000 } = options
    const onHealth = (health: Health, message: string): void => this.#announce(health, message)
    const start = { initTimeoutMs, staleAfterMs, errorAfterMs, onHealth }
    if (mode.evaluation === 'remote') return new RemoteResolver(mode.server, { ...start, logger: this.#logger })
    const onFlagsChanged = (keys: readonly string[]): void => {
      this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...keys] })
    }
    const observers = { onFlagsChanged, recorder: this.#recorder, logger: this.#logger }
    return new InProcessResolver(mode, { ...options, ...start, ...observers })
  }

  #announce(health: Health, message: string): void {
    switch (health) {
      case 'READY':
        // Later calls of `initialize` must not return the rejection of a start that has recovered.
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
    request: EvaluationRequest<T>,
    context: EvaluationContext
  ): Promise<ResolutionDetails<T>> {
    const resolver = this.#resolver
    if (!resolver) return toErrorDetails(request, ErrorCode.PROVIDER_NOT_READY, 'the provider is not initialized')
    const details = await resolver.resolve(request, context)
    return { ...details, flagMetadata: this.#metadata.get(details.flagMetadata, resolver.flagSet, context) }
  }
}
