import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { every } from '@burgee/kit'
import type { Client } from 'pg'
import { StoreUnavailableError } from '../../store.ts'
import { type Database, describeCause } from './database.ts'
import { isRefused, SilentDatabaseError } from './databaseErrors.ts'
import { createWriteProof } from './writeProof.ts'

/** Whether the database accepts writes. */
export interface HealthCheck {
  readonly isWritable: () => boolean
  /** Resolves when it is known whether the database accepts writes. */
  readonly checked: () => Promise<void>
  /** Records that a statement failed because the database is not available. */
  readonly noteFailure: (error: unknown) => void
  readonly stop: () => Promise<void>
}

/**
 * Asks the database every two seconds whether it accepts writes, and reports when that changes. At the start and after a
 * failure, a change must succeed first. While the database does not answer at all, no other statement waits for it.
 */
export function startHealthCheck(database: Database, onNotice: (message: string) => void): HealthCheck {
  const probe = createProbe(database)
  const prove = createWriteProof(database)
  let isWritable = true
  let isStopped = false
  let failures = 0
  /** The number of failures before the last change that succeeded. */
  let provenAfter: number | undefined
  const noteFailure = (error: unknown) => {
    failures += 1
    // Its message already names the database.
    const cause = error instanceof StoreUnavailableError ? (error.cause ?? error) : error
    if (isWritable && !isStopped) onNotice(`the database ${database.name} cannot be written: ${describeCause(cause)}`)
    isWritable = false
  }
  const check = async () => {
    const problem = await probe.findProblem().catch((error) => {
      // A check that the stop ended shows nothing.
      if (!isStopped) database.setSilent(error instanceof SilentDatabaseError)
      throw error
    })
    database.setSilent(false)
    if (problem !== null) throw new Error(problem)
    if (provenAfter === failures) return
    const known = failures
    await prove()
    // A change may have failed meanwhile.
    if (failures !== known) return
    provenAfter = known
    if (!isWritable) onNotice(`the database ${database.name} can be written again`)
    isWritable = true
  }
  const job = every(CHECK_MS, check, { onError: noteFailure, retryMs: RETRY_MS, immediately: true })
  const first = job.run()
  return {
    isWritable: () => isWritable,
    checked: () => first,
    noteFailure,
    stop: async () => {
      isStopped = true
      probe.stop()
      await job.stop()
    }
  }
}

/** Asks the database on a connection of its own: a free one of the pool may be long in coming. */
function createProbe(database: Database) {
  let client: Client | undefined
  /** Ends the wait for the answer in progress. */
  let waiting: AbortController | undefined
  let isStopped = false
  const close = () => {
    // A statement in progress ends the connection at once.
    void client?.end().catch(() => {})
    client = undefined
  }
  const open = async (): Promise<Client> => {
    const opened = database.createProbe()
    client = opened
    opened.on('error', () => {})
    opened.once('end', () => {
      if (client === opened) client = undefined
    })
    await opened.connect()
    return opened
  }
  const ask = async (connected: Client | undefined): Promise<string | null> => {
    const { rows } = await (connected ?? (await open())).query<ProblemRow>(FIND_PROBLEM)
    return rows[0]?.problem ?? null
  }
  return {
    /**
     * Returns why the database cannot be written; `null` if nothing is known.
     * @throws {SilentDatabaseError} when it does not answer.
     */
    findProblem: async (): Promise<string | null> => {
      if (database.isScarce && database.isConnected) return askOpenConnection(database)
      const known = client
      // The connection may have ended unnoticed.
      const answer = ask(known).catch((error) => {
        if (!known || isStopped) throw error
        close()
        return ask(undefined)
      })
      const late = new AbortController()
      waiting = late
      try {
        return await Promise.race([answer, silenceAfter(ANSWER_MS, late.signal)])
      } catch (error) {
        close()
        if (!isRefused(error)) throw error
        database.noteRefusal()
        // The open connections are sufficient.
        if (database.isConnected) return askOpenConnection(database)
        throw error
      } finally {
        late.abort()
        answer.catch(() => {})
      }
    },
    /** Ends a question in progress. */
    stop: () => {
      isStopped = true
      waiting?.abort()
      close()
    }
  }
}

/** Asks the database on a connection of the pool. */
async function askOpenConnection(database: Database): Promise<string | null> {
  const [row] = await database.read<ProblemRow>(FIND_PROBLEM)
  return row?.problem ?? null
}

/** @throws {SilentDatabaseError} after a time, unless it is aborted. */
async function silenceAfter(ms: number, signal: AbortSignal): Promise<never> {
  await sleep(ms, undefined, { signal, ref: false })
  // The answer may have arrived while this process was busy or suspended.
  await nextTurn()
  throw new SilentDatabaseError()
}

interface ProblemRow {
  readonly problem: string | null
}

const FIND_PROBLEM = `
  select case when pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on'
    then 'it is a standby, or read-only'
  when to_regclass('burgee_locks') is null then 'it lacks the tables of the store' end as problem`

const CHECK_MS = 2_000

/** How soon the database is asked again after a failure. */
const RETRY_MS = 500

/** The time after which a database that has not answered is considered unavailable. */
const ANSWER_MS = 5_000
