import { DAY, HOUR } from '../../../lib/time.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'
import { utcDayStart } from '../utcDay.ts'

/** Detects sudden jumps of the clock, which would make all events look expired. */
export class ClockJumpDetector {
  readonly #monotonic: () => number
  readonly #onInfo: (message: string) => void
  /** The day after a jump, and the end of the time for which it is suspect, in monotonic milliseconds. */
  #suspect: { readonly day: string; readonly until: number } | undefined

  constructor({
    monotonic = () => performance.now(),
    onInfo = () => {}
  }: Pick<EventStoreOptions, 'monotonic' | 'onInfo'>) {
    this.#monotonic = monotonic
    this.#onInfo = onInfo
  }

  /** Whether the clock may be wrong: `today` is more than two days after the newest day with files. */
  isSuspect(today: string, days: Iterable<string>): boolean {
    const suspect = this.#suspect
    if (suspect && today >= suspect.day && this.#monotonic() < suspect.until) return true
    if (suspect?.day === today) return false
    // A day that is no longer suspect counts like one with files.
    const newest = [...days, ...(suspect ? [suspect.day] : [])]
      .filter((day) => day < today)
      .sort()
      .at(-1)
    const isSudden = newest !== undefined && utcDayStart(today) - utcDayStart(newest) > MAX_GAP
    this.#suspect = isSudden ? { day: today, until: this.#monotonic() + GRACE_PERIOD } : undefined
    if (isSudden) this.#onInfo(`no events are deleted for an hour, because there are none since ${newest}`)
    return isSudden
  }
}

/** After a longer gap, either the server was stopped or the clock is wrong. */
const MAX_GAP = 2 * DAY

/** How long an operator has to correct the clock. */
const GRACE_PERIOD = HOUR
