/** How a provider stands towards its source: `STALE` and `ERROR` go on with the last good config. */
export type Health = 'READY' | 'STALE' | 'ERROR'

/** How long a source may be away. */
export interface HealthOptions {
  readonly staleAfterMs: number
  readonly errorAfterMs: number
}

/**
 * Tells how long the source has been away. It runs by timers and not by the clock, which may jump: the first failure
 * starts them, and contact ends them. What it finds before `begin` it keeps to itself.
 */
export class HealthMonitor {
  readonly #options: HealthOptions
  readonly #onChange: (health: Health, message: string) => void
  #health: Health = 'READY'
  /** What others know of, once they do. */
  #told: Health | undefined
  #message = ''
  #timers: NodeJS.Timeout[] = []

  constructor(options: HealthOptions, onChange: (health: Health, message: string) => void) {
    this.#options = options
    this.#onChange = onChange
  }

  /** The source was reached. */
  succeed(): void {
    this.#clear()
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

  /** Begins to tell: others know by now that the start has ended well or badly, and hear of what is otherwise. */
  announceFrom(known: 'READY' | 'ERROR'): void {
    if (known === 'ERROR') this.#health = 'ERROR'
    this.#told = known
    this.#tell()
  }

  close(): void {
    this.#clear()
    this.#told = undefined
  }

  #clear(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
  }

  #become(health: Health): void {
    this.#health = health
    this.#tell()
  }

  #tell(): void {
    if (this.#told === undefined || this.#told === this.#health) return
    this.#told = this.#health
    this.#onChange(this.#health, this.#health === 'READY' ? '' : this.#message)
  }
}
