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

/**
 * The OpenFeature provider of Burgee. It evaluates flags in this process from a config that it follows: evaluations
 * make no request once there is a config, and use the last valid config when the server fails.
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
    // A logger that throws must not end a request or evaluation.
    this.#logger = new SafeLogger(options.logger ?? new DefaultLogger())
  }

  /**
   * Starts to follow the config. Resolves when there is one. A closed provider can be initialized again.
   *
   * @throws when there is no config at the deadline. The provider becomes ready, by event, when one arrives.
   * @throws {ProviderFatalError} when the options can never work.
   */
  initialize(): Promise<void> {
    this.#starting ??= this.#begin()
    return this.#starting
  }

  /**
   * Sends the remaining events and ends every request and timer. Resolves when the cache file is written. Can be called
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

  /** Records an event with the variations that the user is served now. Events before `initialize` are queued, too. */
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

  async #begin(): Promise<void> {
    const options = normalizeOptions(this.#options)
    const mode = resolveMode(options)
    this.#recorder ??= this.#createRecorder(options)
    this.#resolver = this.#createResolver(mode, options)
    return this.#resolver.start()
  }

  /**
   * Creates the recorder of an application that tracks before `initialize`. Returns undefined if the options can never
   * work, which `initialize` reports.
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
    if (mode.evaluation === 'remote') return new RemoteResolver(mode.server, start)
    const onFlagsChanged = (keys: readonly string[]): void => {
      this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...keys] })
    }
    const observers = { onFlagsChanged, recorder: this.#recorder, logger: this.#logger }
    return new InProcessResolver(mode, { ...options, ...start, ...observers })
  }

  #announce(health: Health, message: string): void {
    switch (health) {
      case 'READY':
        // A failed start has healed.
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
