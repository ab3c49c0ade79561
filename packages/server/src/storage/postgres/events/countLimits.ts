import type { SdkType } from '@burgee/contract'
import { DAY } from '../../../lib/time.ts'
import { DaySummary } from '../../events/engine/daySummary.ts'
import { toUtcDay, utcDayStart } from '../../events/utcDay.ts'
import type { Database } from '../connection/database.ts'

/**
 * Limits the number of separate counts of a day as summaries in memory do. Each server applies the limits to the counts
 * that it has seen: those in the database when it first wrote to the day, and its own.
 */
export class CountLimits {
  readonly #database: Database
  readonly #onNotice: (message: string) => void
  readonly #days = new Map<string, Promise<DaySummary>>()
  readonly #coarse = new Set<string>()

  constructor(database: Database, onNotice: (message: string) => void) {
    this.#database = database
    this.#onNotice = onNotice
  }

  /**
   * Returns the known counts of the days that contain these times. Uses another connection, so it must not be awaited
   * inside a transaction.
   */
  async load(times: readonly number[]): Promise<ReadonlyMap<string, DaySummary>> {
    const summaries = new Map<string, DaySummary>()
    for (const day of new Set(times.map(toUtcDay))) summaries.set(day, await this.#of(day))
    return summaries
  }

  #of(day: string): Promise<DaySummary> {
    const known = this.#days.get(day) ?? this.#load(day)
    this.#days.delete(day)
    this.#days.set(day, known)
    for (const oldest of this.#days.keys()) if (this.#days.size > MAX_DAYS) this.#days.delete(oldest)
    known.catch(() => this.#days.delete(day))
    return known
  }

  /** Reports once for each day that counts were merged. */
  reportCoarse(day: string, summary: DaySummary): void {
    if (!summary.isCoarse || this.#coarse.has(day)) return
    this.#coarse.add(day)
    this.#onNotice(
      `the limit of counts of ${day} is reached; further evaluations are counted without variable and platform`
    )
  }

  /** Forgets all counts, which may contain the id of a user. */
  clear(): void {
    this.#days.clear()
  }

  async #load(day: string): Promise<DaySummary> {
    const summary = new DaySummary()
    const rows = await this.#database.read<CountRow>(
      `select environment, hour, feature, variable, variation, platform, sdk_type as "sdkType", count
      from burgee_event_counts where hour >= $1 and hour < $2`,
      [utcDayStart(day), utcDayStart(day) + DAY]
    )
    for (const { environment, ...row } of rows) summary.environment(environment).restoreCount(row)
    return summary
  }
}

interface CountRow {
  readonly environment: string
  readonly hour: number
  readonly feature: string
  readonly variable: string
  readonly variation: string
  readonly platform: string
  readonly sdkType: SdkType
  readonly count: number
}

/** Today, and the day before around midnight. */
const MAX_DAYS = 3
