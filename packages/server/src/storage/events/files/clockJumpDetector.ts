import { DAY, HOUR } from '../../../lib/time.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'
import { utcDayStart } from '../utcDay.ts'

/** Doubts a clock that jumped: by one that is wrong, everything looks too old, and what is deleted is gone. */
export class ClockJumpDetector {
  readonly #monotonic: () => number
  readonly #onInfo: (message: string) => void
  /** A day that came suddenly, and until when it is doubted. */
  #doubted: { readonly day: string; readonly until: number } | undefined

  constructor({
    monotonic = () => performance.now(),
    onInfo = () => {}
  }: Pick<EventStoreOptions, 'monotonic' | 'onInfo'>) {
    this.#monotonic = monotonic
    this.#onInfo = onInfo
  }

  /** Whether today may be another day than the clock says, by the days of which there is something. */
  isSuspect(today: string, days: Iterable<string>): boolean {
    const doubted = this.#doubted
    if (doubted && today >= doubted.day && this.#monotonic() < doubted.until) return true
    if (doubted?.day === today) return false
    // A day that was believed in the end counts like one of which there is something.
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

/** After such a gap, either the server stood still or the clock is wrong. */
const MAX_GAP = 2 * DAY

/** How long somebody has to put the clock right. */
const GRACE_PERIOD = HOUR
