import { DAY } from '../../../lib/time.ts'
import { toUtcDay, utcDayStart } from '../../events/utcDay.ts'
import type { Database } from '../connection/database.ts'
import { hasSqlState } from '../connection/databaseErrors.ts'

/** The partitions of the entries: one for each UTC day. */
export class Partitions {
  readonly #database: Database
  /** The days that are known to have a partition. */
  readonly #known = new Map<string, Promise<void>>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Creates the partition of a day if it is missing. */
  ensure(day: string): Promise<void> {
    const known = this.#known.get(day) ?? this.#create(day)
    this.#known.set(day, known)
    known.catch(() => this.#known.delete(day))
    return known
  }

  /** Deletes the entries of a day. */
  async drop(day: string): Promise<void> {
    this.#known.delete(day)
    await this.#database.transaction(async (client) => {
      await client.query(`drop table if exists ${tableOf(day)}`)
      await client.query('delete from burgee_event_days where day = $1', [day])
    })
  }

  async #create(day: string): Promise<void> {
    const next = toUtcDay(utcDayStart(day) + DAY)
    const table = tableOf(day)
    const text = `create table if not exists ${table} partition of burgee_event_entries for values from ('${day}') to ('${next}')`
    try {
      await this.#database.transaction((client) => client.query(text))
    } catch (error) {
      // Another server creates it at this moment.
      if (!hasSqlState(error, '23505', '42P07', '42P17')) throw error
    }
  }
}

/** Returns the name of the partition of a day. */
function tableOf(day: string): string {
  return `burgee_event_entries_${day.replaceAll('-', '')}`
}
