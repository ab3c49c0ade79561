/** The state of the source. In `STALE` and `ERROR`, evaluations use the last valid config. */
export type Health = 'READY' | 'STALE' | 'ERROR'

/** How long a source may be unavailable before each state. */
export interface HealthOptions {
  readonly staleAfterMs: number
  readonly errorAfterMs: number
}

/**
 * Derives the health from how long the source has been unavailable. The first failure starts timers and a success stops
 * them; the system clock is not used, because it may jump. Nothing is announced before `announceFrom`.
 */
export class HealthMonitor {
  readonly #options: HealthOptions
  readonly #onChange: (health: Health, message: string) => void
  #health: Health = 'READY'
  /** The last announced health. */
  #announced: Health | undefined
  #message = ''
  #timers: NodeJS.Timeout[] = []

  constructor(options: HealthOptions, onChange: (health: Health, message: string) => void) {
    this.#options = options
    this.#onChange = onChange
  }

  /** Reports that the source was reached. */
  succeed(): void {
    this.#clear()
    this.#setHealth('READY')
  }

  /** Reports that the source could not be read. */
  fail(message: string): void {
    this.#message = message
    if (this.#timers.length > 0) return
    const { staleAfterMs, errorAfterMs } = this.#options
    this.#timers = [
      setTimeout(() => this.degrade(this.#message), staleAfterMs).unref(),
      setTimeout(() => this.#setHealth('ERROR'), errorAfterMs).unref()
    ]
  }

  /** Reports that the config in use is outdated. */
  degrade(message: string): void {
    this.#message = message
    if (this.#health === 'READY') this.#setHealth('STALE')
  }

  /** Announces changes of the health from now on. `known` is the health at the end of the start. */
  announceFrom(known: 'READY' | 'ERROR'): void {
    if (known === 'ERROR') this.#health = 'ERROR'
    this.#announced = known
    this.#announce()
  }

  close(): void {
    this.#clear()
    this.#announced = undefined
  }

  #clear(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
  }

  #setHealth(health: Health): void {
    this.#health = health
    this.#announce()
  }

  #announce(): void {
    if (this.#announced === undefined || this.#announced === this.#health) return
    this.#announced = this.#health
    this.#onChange(this.#health, this.#health === 'READY' ? '' : this.#message)
  }
}
