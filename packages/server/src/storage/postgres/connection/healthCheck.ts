import { every } from '@burgee/kit'
import { type Database, describeCause } from './database.ts'

/** Whether the database accepts writes. */
export interface HealthCheck {
  readonly isWritable: () => boolean
  /** Records that a statement failed because the database is not available. */
  readonly noteFailure: (error: unknown) => void
  readonly stop: () => Promise<void>
}

/** Asks the database every two seconds whether it accepts writes, and reports when that changes. */
export function startHealthCheck(database: Database, onNotice: (message: string) => void): HealthCheck {
  let isWritable = true
  const noteFailure = (error: unknown) => {
    if (isWritable) onNotice(`the database ${database.name} cannot be written: ${describeCause(error)}`)
    isWritable = false
  }
  const check = async () => {
    const [row] = await database.read<{ readonly standby: boolean }>('select pg_is_in_recovery() as standby')
    if (row?.standby !== false) return noteFailure(new Error('it is a standby'))
    if (!isWritable) onNotice(`the database ${database.name} can be written again`)
    isWritable = true
  }
  const job = every(CHECK_MS, check, { onError: noteFailure })
  return { isWritable: () => isWritable, noteFailure, stop: job.stop }
}

const CHECK_MS = 2_000
