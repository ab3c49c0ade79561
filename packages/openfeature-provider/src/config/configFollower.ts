import type { Evaluator } from '@burgee/core'
import { escapeLine } from '@burgee/kit/text'
import type { FlagMetadata, Logger } from '@openfeature/server-sdk'
import { MAX_CONFIG_BYTES } from '../http/configDownload.ts'
import { errorMessage } from '../lib/text.ts'
import type { CommonOptions } from '../options.ts'
import type { ConfigUpdate, Source, SourceFailure } from '../sources/source.ts'
import { type Health, HealthMonitor, type HealthOptions } from '../status/healthMonitor.ts'
import { Startup } from '../status/startup.ts'
import { StatusReporter } from '../status/statusReporter.ts'
import { ConfigAge } from './configAge.ts'
import { CurrentConfig } from './currentConfig.ts'
import { PersistedConfig, type StoredConfig } from './persistedConfig.ts'

/** The options of a config follower. */
export interface ConfigFollowerOptions extends HealthOptions {
  readonly source: Source
  readonly bootstrap: CommonOptions['bootstrap']
  readonly cacheFile: string | undefined
  /** The largest document, in bytes. */
  readonly maxBytes: number | undefined
  readonly maxAge: number | undefined
  readonly initTimeoutMs: number
  readonly logger: Logger
  readonly now: () => number
}

/** Notified of changes after the start has ended. */
export interface ConfigFollowerListener {
  readonly onHealth: (health: Health, message: string) => void
  readonly onFlagsChanged: (keys: readonly string[]) => void
}

const OUTDATED = 'the config is older than maxAge, and the source has not confirmed it'

const OLDER =
  'the source has an older config than the one in use, which is kept. To use the older one, ' +
  'run `burgee-server configs renew`, or restart the application without its cacheFile'

/** Follows a source from `start` to `close`, and keeps the last valid config when the source fails. */
export class ConfigFollower {
  readonly #options: ConfigFollowerOptions
  readonly #listener: ConfigFollowerListener
  readonly #currentConfig = new CurrentConfig()
  readonly #age: ConfigAge
  readonly #statusReporter: StatusReporter
  readonly #health: HealthMonitor
  readonly #persistedConfig: PersistedConfig | undefined
  readonly #startup: Startup
  /** Whether the bootstrap and the cache file have been read. */
  #hasReadLocalConfigs = false
  /** Whether the source has delivered a config; after that, bootstrap and cache file are ignored. */
  #hasSourceDelivered = false
  #failure: SourceFailure | undefined
  #isClosed = false

  constructor(options: ConfigFollowerOptions, listener: ConfigFollowerListener) {
    const { initTimeoutMs, cacheFile: path, source, now, maxAge, maxBytes = MAX_CONFIG_BYTES, logger } = options
    this.#options = options
    this.#listener = listener
    this.#age = new ConfigAge(maxAge, () => this.#health.degrade(OUTDATED))
    this.#statusReporter = new StatusReporter(logger)
    this.#health = new HealthMonitor(options, listener.onHealth)
    this.#persistedConfig = path === undefined ? undefined : new PersistedConfig({ path, source, maxBytes, now })
    this.#startup = new Startup(initTimeoutMs, () => this.#endStart(`there is no config after ${initTimeoutMs} ms`))
  }

  /** The config in use, if there is one. */
  get evaluator(): Evaluator | undefined {
    return this.#currentConfig.evaluator
  }

  /** Identifies the config in use in telemetry. */
  get flagSet(): FlagMetadata {
    return this.#currentConfig.flagSet
  }

  /** Whether the config is known to be older than `maxAge`. */
  get isOutdated(): boolean {
    return this.#age.isOutdated
  }

  /**
   * Resolves when there is a config. After a rejection, the follower continues in the background and notifies its
   * listener later.
   *
   * @throws if there is no config at the deadline, or the server rejects the SDK key before it.
   */
  start(): Promise<void> {
    // Reads the cache file first, because updates of the source are compared with it.
    if (this.#persistedConfig) void this.#readPersistedConfig().then((stored) => this.#startFrom(stored))
    else this.#startFrom(undefined)
    return this.#startup.promise
  }

  /** Ends all requests and timers. Resolves when no write is in progress. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#options.source.close()
    this.#health.close()
    this.#age.close()
    this.#statusReporter.close()
    this.#startup.fail(new Error('the provider was closed before it had a config'))
    await this.#persistedConfig?.whenWritten()
  }

  #startFrom(stored: StoredConfig | undefined): void {
    if (this.#isClosed) return
    const { maxAge = Number.POSITIVE_INFINITY, bootstrap, now, source } = this.#options
    const age = stored ? Math.max(0, now() - stored.confirmedAt) : 0
    const isOutdated = age > maxAge
    // A cached config comes from the source and is newer than the bootstrap, unless it is older than `maxAge`.
    if (stored && (bootstrap === undefined || !isOutdated) && this.#apply(stored.update)) {
      this.#age.setAge(age)
      this.#hasReadLocalConfigs = true
    }
    this.#startSource(source)
    if (this.#hasReadLocalConfigs) this.#endStartWithoutSource()
    else void this.#readBootstrap().then((update) => this.#applyLocalConfig(update, stored, age))
  }

  #startSource(source: Source): void {
    try {
      source.start({
        onConfig: (update) => this.#receive(update),
        onUnchanged: () => this.#confirm(),
        onFailure: (failure) => this.#fail(failure),
        onWarning: (message) => this.#statusReporter.warn('sourceWarning', escapeLine(message))
      })
    } catch (error) {
      // Custom sources may throw despite the contract of `Source`.
      this.#fail({ message: `${source.name} cannot be started: ${errorMessage(error)}` })
    }
  }

  /** Uses the bootstrap, or else the cached config, unless the source has delivered one. */
  #applyLocalConfig(bootstrap: ConfigUpdate | undefined, stored: StoredConfig | undefined, age: number): void {
    this.#hasReadLocalConfigs = true
    if (this.#isClosed || this.#hasSourceDelivered) return
    if (bootstrap && this.#apply(bootstrap)) this.#age.setAge(0)
    else if (stored && this.#apply(stored.update)) this.#age.setAge(age)
    this.#endStartWithoutSource()
  }

  /**
   * Ends the start without the source: immediately if the config is current, or after the source failed if the config
   * is outdated.
   */
  #endStartWithoutSource(): void {
    if (this.#startup.hasEnded || !this.#hasReadLocalConfigs) return
    const isRefused = this.#failure?.isRefused === true
    if (this.evaluator ? !this.isOutdated || this.#failure : isRefused) this.#endStart('there is no config')
  }

  async #readPersistedConfig(): Promise<StoredConfig | undefined> {
    try {
      return await this.#persistedConfig?.read()
    } catch (error) {
      this.#statusReporter.warn(
        'cacheFile',
        escapeLine(`the cache file ${this.#options.cacheFile} is not used: ${errorMessage(error)}`)
      )
      return undefined
    }
  }

  async #readBootstrap(): Promise<ConfigUpdate | undefined> {
    const { bootstrap } = this.#options
    if (bootstrap === undefined) return undefined
    try {
      // A copy, because the application may modify its object later.
      return { config: structuredClone(typeof bootstrap === 'function' ? await bootstrap() : bootstrap) }
    } catch (error) {
      this.#statusReporter.warn('bootstrap', escapeLine(`the bootstrap is not used: ${errorMessage(error)}`))
      return undefined
    }
  }

  /** Receives a document from the source. Returns whether it is in use. */
  #receive(update: ConfigUpdate): boolean {
    if (this.#isClosed) return false
    return this.#apply(update, (isNew) => {
      this.#hasSourceDelivered = true
      if (isNew) void this.#save(update)
      this.#confirm()
    })
  }

  /** Uses a document. Returns whether it is in use. */
  #apply(update: ConfigUpdate, onUsed?: (isNew: boolean) => void): boolean {
    // The config that ends the start is not a change.
    const isChange = this.#startup.hasEnded
    const result = this.#currentConfig.apply(update)
    switch (result.type) {
      case 'malformed':
        this.#fail({ message: result.message }, 'malformed')
        return false
      case 'older':
        this.#fail({ message: OLDER }, 'older')
        return false
      case 'unchanged':
        onUsed?.(false)
        return true
      case 'applied':
        onUsed?.(true)
        if (isChange && result.flagsChanged.length > 0) this.#listener.onFlagsChanged(result.flagsChanged)
        return true
    }
  }

  /** Records that the source confirmed the config in use. */
  #confirm(): void {
    if (this.#isClosed) return
    if (!this.evaluator) {
      this.#fail({ message: `${this.#options.source.name} reports an unchanged config, but has delivered none` })
      return
    }
    if (this.#failure) {
      this.#statusReporter.recover(escapeLine(`${this.#options.source.name} can be read again`))
      this.#failure = undefined
    }
    this.#age.confirm()
    this.#health.succeed()
    this.#endStart('')
    void this.#persistedConfig?.confirm().catch((error) => this.#reportWriteError(error))
  }

  #fail(failure: SourceFailure, state = failure.isRefused ? 'refused' : 'unreadable'): void {
    if (this.#isClosed) return
    const message = escapeLine(failure.message)
    this.#statusReporter.warn('source', message, state)
    this.#failure = { ...failure, message }
    this.#age.unconfirm()
    this.#health.fail(message)
    this.#endStartWithoutSource()
  }

  /** Ends the start: successfully if there is a config, otherwise with the reason. */
  #endStart(reason: string): void {
    if (this.#startup.hasEnded) return
    if (!this.evaluator) {
      // Not the state of a failure, which is logged with its reason when it comes.
      if (!this.#failure) this.#fail({ message: `${this.#options.source.name} has not answered yet` }, 'silent')
      this.#health.announceFrom('ERROR')
      this.#startup.fail(new Error([reason, this.#failure?.message].filter(Boolean).join(': ')))
      return
    }
    this.#startup.succeed()
    // Announced after the promise of the start has resolved.
    setTimeout(() => {
      if (!this.#isClosed) this.#health.announceFrom('READY')
    }, 0)
  }

  async #save(update: ConfigUpdate): Promise<void> {
    if (!this.#persistedConfig) return
    try {
      await this.#persistedConfig.save(update)
      this.#statusReporter.clear('cacheFile')
    } catch (error) {
      this.#reportWriteError(error)
    }
  }

  #reportWriteError(error: unknown): void {
    const message = `the cache file ${this.#options.cacheFile} cannot be written: ${errorMessage(error)}`
    this.#statusReporter.warn('cacheFile', escapeLine(message), 'unwritable')
  }
}
