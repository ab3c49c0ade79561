import { DAY, HOUR } from '../../../lib/time.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'
import { utcDayStart } from '../utcDay.ts'

/** Detects sudden jumps of the clock, which would make all events look expired. */
export class ClockJumpDetector {
  readonly #monotonic: () => number
  readonly #onInfo: (message: string) => void
  /** A day after a jump, and until when it is doubted. */
  #doubted: { readonly day: string; readonly until: number } | undefined

  constructor({
    monotonic = () => performance.now(),
    onInfo = () => {}
  }: Pick<EventStoreOptions, 'monotonic' | 'onInfo'>) {
    this.#monotonic = monotonic
    this.#onInfo = onInfo
  }

  /** Whether the clock may be wrong about today, judged by the days that have files. */
  isSuspect(today: string, days: Iterable<string>): boolean {
    const doubted = this.#doubted
    if (doubted && today >= doubted.day && this.#monotonic() < doubted.until) return true
    if (doubted?.day === today) return false
    // A day that is no longer doubted counts like one with files.
    const newest = [...days, ...(doubted ? [doubted.day] : [])]
      .filter((day) => day < today)
      .sort()
      .at(-1)
    const isSudden = newest !== undefined && utcDayStart(today) - utcDayStart(newest) > MAX_GAP
    this.#doubted = isSudden ? { day: today, until: this.#monotonic() + GRACE_PERIOD } : undefined
    if (isSudden) this.#onInfo(`no events are deleted for an hour, because there are none since ${newest}`)
    return isSudden
  }
}

/** After a longer gap, either the server was stopped or the clock is wrong. */
const MAX_GAP = 2 * DAY

/** How long an operator has to correct the clock. */
const GRACE_PERIOD = HOUR
