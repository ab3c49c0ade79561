/** How a provider stands towards its source: `STALE` and `ERROR` go on with the last good config. */
export type Health = 'READY' | 'STALE' | 'ERROR'

/** How long a source may be away. */
export interface HealthOptions {
  readonly staleAfterMs: number
  readonly errorAfterMs: number
}

/**
 * Tells how long the source has been away. It runs by timers and not by the clock, which may jump: the first failure
 * starts them, and contact ends them.
 */
export class HealthMonitor {
  readonly #options: HealthOptions
  readonly #onChange: (health: Health, message: string) => void
  #health: Health = 'READY'
  #message = ''
  #timers: NodeJS.Timeout[] = []

  constructor(options: HealthOptions, onChange: (health: Health, message: string) => void) {
    this.#options = options
    this.#onChange = onChange
  }

  /** The source was reached. */
  succeed(): void {
    this.close()
    this.#become('READY')
  }

  /** The source could not be read. */
  fail(message: string): void {
    this.#message = message
    if (this.#timers.length > 0) return
    const { staleAfterMs, errorAfterMs } = this.#options
    this.#timers = [
      setTimeout(() => this.degrade(this.#message), staleAfterMs).unref(),
      setTimeout(() => this.#become('ERROR'), errorAfterMs).unref()
    ]
  }

  /** What is in use is too old, whether or not the source has been tried. */
  degrade(message: string): void {
    this.#message = message
    if (this.#health === 'READY') this.#become('STALE')
  }

  /** Starts from a state that others know already. */
  begin(health: Health): void {
    this.#health = health
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
  }

  #become(health: Health): void {
    if (health === this.#health) return
    this.#health = health
    this.#onChange(health, health === 'READY' ? '' : this.#message)
  }
}
