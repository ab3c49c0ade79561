import type { Evaluator } from '@burgee/core'
import type { FlagMetadata, Logger } from '@openfeature/server-sdk'
import { MAX_CONFIG_BYTES } from '../http/configDownload.ts'
import { errorMessage } from '../lib/text.ts'
import type { CommonOptions } from '../options.ts'
import type { ConfigUpdate, Source, SourceFailure } from '../sources/source.ts'
import { type Health, HealthMonitor, type HealthOptions } from '../status/healthMonitor.ts'
import { Startup } from '../status/startup.ts'
import { StatusReporter } from '../status/statusReporter.ts'
import { escapeInvisible } from '../visible.ts'
import { ConfigAge } from './configAge.ts'
import { CurrentConfig } from './currentConfig.ts'
import { PersistedConfig, type StoredConfig } from './persistedConfig.ts'

/** What a follower is told. */
export interface ConfigFollowerOptions extends HealthOptions {
  readonly source: Source
  readonly bootstrap: CommonOptions['bootstrap']
  readonly cacheFile: string | undefined
  /** The largest document that there may be, in bytes. */
  readonly maxBytes: number | undefined
  readonly maxAge: number | undefined
  readonly initTimeoutMs: number
  readonly logger: Logger
  readonly now: () => number
}

/** Told what becomes of a follower once its start has ended. */
export interface ConfigFollowerListener {
  readonly onHealth: (health: Health, message: string) => void
  readonly onFlagsChanged: (keys: readonly string[]) => void
}

const OUTDATED = 'the config is older than the age limit, and the source has not confirmed it'

const OLDER =
  'the source has an older config than the one in use, which is kept. `burgee-server configs renew` makes it newer; to go on with it as it is, restart the application, without its cacheFile'

/** Follows a source from `start` to `close`, and keeps the last good config through whatever comes of it. */
export class ConfigFollower {
  readonly #options: ConfigFollowerOptions
  readonly #listener: ConfigFollowerListener
  readonly #current = new CurrentConfig()
  readonly #freshness: ConfigAge
  readonly #reports: StatusReporter
  readonly #health: HealthMonitor
  readonly #copy: PersistedConfig | undefined
  readonly #start: Startup
  /** Whether bootstrap and copy have been looked at. */
  #hasLooked = false
  /** Whether the source itself has delivered, after which bootstrap and copy are of no interest. */
  #hasDelivered = false
  #failure: SourceFailure | undefined
  #isClosed = false

  constructor(options: ConfigFollowerOptions, listener: ConfigFollowerListener) {
    const { initTimeoutMs, cacheFile: path, source, now, maxAge, maxBytes = MAX_CONFIG_BYTES, logger } = options
    this.#options = options
    this.#listener = listener
    this.#freshness = new ConfigAge(maxAge, () => this.#health.degrade(OUTDATED))
    this.#reports = new StatusReporter(logger)
    this.#health = new HealthMonitor(options, listener.onHealth)
    this.#copy = path === undefined ? undefined : new PersistedConfig({ path, source, maxBytes, now })
    this.#start = new Startup(initTimeoutMs, () => this.#endStart(`there is no config after ${initTimeoutMs} ms`))
  }

  /** The config in use, if there is one. */
  get evaluator(): Evaluator | undefined {
    return this.#current.evaluator
  }

  /** What telemetry is told of the config in use. */
  get flagSet(): FlagMetadata {
    return this.#current.flagSet
  }

  /** Whether the config is older than the age limit, as far as anybody can tell. */
  get isOutdated(): boolean {
    return this.#freshness.isOutdated
  }

  /**
   * Resolves when there is a config to evaluate. It goes on after it has rejected, and tells its listener of a config
   * that comes then.
   *
   * @throws when there is none at the deadline, or the SDK key is refused before it.
   */
  start(): Promise<void> {
    // The copy first: what the source delivers is held against it.
    if (this.#copy) void this.#readCopy().then((copy) => this.#begin(copy))
    else this.#begin(undefined)
    return this.#start.promise
  }

  /** Ends everything that was begun; resolves when nothing is being written any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#options.source.close()
    this.#health.close()
    this.#freshness.close()
    this.#reports.close()
    this.#start.fail(new Error('the provider was closed before it had a config'))
    await this.#copy?.whenWritten()
  }

  #begin(copy: StoredConfig | undefined): void {
    if (this.#isClosed) return
    const { maxAge = Number.POSITIVE_INFINITY, bootstrap, now, source } = this.#options
    const age = copy ? Math.max(0, now() - copy.confirmedAt) : 0
    const isOutdated = age > maxAge
    // A copy came from the source, and so after whatever the program was built with, unless it is too old to say so.
    if (copy && (bootstrap === undefined || !isOutdated) && this.#use(copy.update)) {
      this.#freshness.setAge(age)
      this.#hasLooked = true
    }
    this.#startSource(source)
    if (this.#hasLooked) this.#useWithout()
    else void this.#readBootstrap().then((delivery) => this.#beginWithout(delivery, copy, age))
  }

  #startSource(source: Source): void {
    try {
      source.start({
        onConfig: (delivery) => this.#deliver(delivery),
        onUnchanged: () => this.#confirm(),
        onFailure: (failure) => this.#fail(failure),
        onWarning: (message) => this.#reports.warn('sourceWarning', escapeInvisible(message))
      })
    } catch (error) {
      // Sources must not throw, but applications can bring their own.
      this.#fail({ message: `${source.name} cannot be started: ${errorMessage(error)}` })
    }
  }

  /** Takes the bootstrap or else the copy, unless the source has delivered before. */
  #beginWithout(bootstrap: ConfigUpdate | undefined, copy: StoredConfig | undefined, age: number): void {
    this.#hasLooked = true
    if (this.#isClosed || this.#hasDelivered) return
    if (bootstrap && this.#use(bootstrap)) this.#freshness.setAge(0)
    else if (copy && this.#use(copy.update)) this.#freshness.setAge(age)
    this.#useWithout()
  }

  /** Ends the start with what is there: at once if it is current, after the source has failed if it is outdated. */
  #useWithout(): void {
    if (this.#start.hasEnded || !this.#hasLooked) return
    const isRefused = this.#failure?.isRefused === true
    if (this.evaluator ? !this.isOutdated || this.#failure : isRefused) this.#endStart('there is no config')
  }

  async #readCopy(): Promise<StoredConfig | undefined> {
    try {
      return await this.#copy?.read()
    } catch (error) {
      this.#reports.warn(
        'cacheFile',
        escapeInvisible(`the copy ${this.#options.cacheFile} is not used: ${errorMessage(error)}`)
      )
      return undefined
    }
  }

  async #readBootstrap(): Promise<ConfigUpdate | undefined> {
    const { bootstrap } = this.#options
    if (bootstrap === undefined) return undefined
    try {
      // A copy: what is in use may not change.
      return { config: structuredClone(typeof bootstrap === 'function' ? await bootstrap() : bootstrap) }
    } catch (error) {
      this.#reports.warn('bootstrap', escapeInvisible(`the bootstrap is not used: ${errorMessage(error)}`))
      return undefined
    }
  }

  /** Takes a document from the source, and answers whether it is in use now. */
  #deliver(delivery: ConfigUpdate): boolean {
    if (this.#isClosed) return false
    return this.#use(delivery, (isNew) => {
      this.#hasDelivered = true
      if (isNew) void this.#save(delivery)
      this.#confirm()
    })
  }

  /** Puts a document in use, and answers whether it is. */
  #use(delivery: ConfigUpdate, onUsed?: (isNew: boolean) => void): boolean {
    // What ends the start is no change to anybody.
    const isChange = this.#start.hasEnded
    const taken = this.#current.apply(delivery)
    switch (taken.type) {
      case 'malformed':
        this.#fail({ message: taken.message }, 'malformed')
        return false
      case 'older':
        this.#fail({ message: OLDER }, 'older')
        return false
      case 'known':
        onUsed?.(false)
        return true
      case 'taken':
        onUsed?.(true)
        if (isChange && taken.flagsChanged.length > 0) this.#listener.onFlagsChanged(taken.flagsChanged)
        return true
    }
  }

  /** The source was reached, and what is in use is current. */
  #confirm(): void {
    if (this.#isClosed) return
    if (!this.evaluator) {
      this.#fail({ message: `${this.#options.source.name} says that its config is unchanged, and has delivered none` })
      return
    }
    if (this.#failure) {
      this.#reports.recover(escapeInvisible(`${this.#options.source.name} can be read again`))
      this.#failure = undefined
    }
    this.#freshness.confirm()
    this.#health.succeed()
    this.#endStart('')
    void this.#copy?.confirm().catch((error) => this.#reportCopy(error))
  }

  #fail(failure: SourceFailure, state = failure.isRefused ? 'refused' : 'unreadable'): void {
    if (this.#isClosed) return
    const message = escapeInvisible(failure.message)
    this.#reports.warn('source', message, state)
    this.#failure = { ...failure, message }
    this.#freshness.unconfirm()
    this.#health.fail(message)
    this.#useWithout()
  }

  /** Ends the start: well if there is a config, otherwise with what is known of the reason. */
  #endStart(reason: string): void {
    if (this.#start.hasEnded) return
    if (!this.evaluator) {
      this.#health.announceFrom('ERROR')
      this.#start.fail(new Error([reason, this.#failure?.message].filter(Boolean).join(': ')))
      return
    }
    this.#start.succeed()
    // After those who wait for the start have said that it is ready.
    setTimeout(() => {
      if (!this.#isClosed) this.#health.announceFrom('READY')
    }, 0)
  }

  async #save(delivery: ConfigUpdate): Promise<void> {
    if (!this.#copy) return
    try {
      await this.#copy.save(delivery)
      this.#reports.clear('cacheFile')
    } catch (error) {
      this.#reportCopy(error)
    }
  }

  #reportCopy(error: unknown): void {
    const message = `the copy ${this.#options.cacheFile} cannot be written: ${errorMessage(error)}`
    this.#reports.warn('cacheFile', escapeInvisible(message), 'unwritable')
  }
}
