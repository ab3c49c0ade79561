import { DAY, HOUR } from './time.ts'

interface Options {
  /** The name of the data in messages, for example `events`. */
  readonly what: string
  /** Milliseconds of a monotonic clock. */
  readonly monotonic?: (() => number) | undefined
  /** Receives one message for each jump. Must not throw. */
  readonly onInfo: ((message: string) => void) | undefined
}

/** Detects sudden jumps of the clock, after which all data with a retention period would look expired. */
export class ClockJumpDetector {
  readonly #what: string
  readonly #monotonic: () => number
  readonly #onInfo: (message: string) => void
  /** The day after a jump, and the end of the time for which it is suspect, in monotonic milliseconds. */
  #suspect: { readonly day: string; readonly until: number } | undefined

  constructor({ what, monotonic = () => performance.now(), onInfo = () => {} }: Options) {
    this.#what = what
    this.#monotonic = monotonic
    this.#onInfo = onInfo
  }

  /** Whether the clock may be wrong: `today` is more than two days after the newest of the days with data. */
  isSuspect(today: string, days: Iterable<string>): boolean {
    const suspect = this.#suspect
    if (suspect && today >= suspect.day && this.#monotonic() < suspect.until) return true
    if (suspect?.day === today) return false
    // A day that is no longer suspect counts like one with data.
    const newest = [...days, ...(suspect ? [suspect.day] : [])]
      .filter((day) => day < today)
      .sort()
      .at(-1)
    const isSudden = newest !== undefined && Date.parse(today) - Date.parse(newest) > MAX_GAP
    this.#suspect = isSudden ? { day: today, until: this.#monotonic() + GRACE_PERIOD } : undefined
    if (isSudden) this.#onInfo(`no ${this.#what} are deleted for an hour, because there are none since ${newest}`)
    return isSudden
  }
}

/** After a longer gap, either the server was stopped or the clock is wrong. */
const MAX_GAP = 2 * DAY

/** How long an operator has to correct the clock. */
const GRACE_PERIOD = HOUR
