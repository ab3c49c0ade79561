import { createContext, Script } from 'node:vm'
import { badRequest } from '../../lib/errors.ts'
import { STALL_FACTOR } from '../../lib/sandbox/sandbox.ts'

/** The time that all validation schemas of one request share. */
export interface TimeBudget {
  /**
   * Runs `work`; `what` names it in the message.
   * @throws {HttpError} 400 when the budget is exceeded, which aborts the work.
   */
  readonly run: <T>(what: string, work: () => T) => T
}

/** The limits of budgets, in milliseconds of processor time. A feature can have a thousand schemas. */
export const VALUE_CHECK_MS = 250
export const SCHEMA_CHECK_MS = 1000

/** Creates the budget for checking values. */
export function createValueCheckBudget(): TimeBudget {
  return createTimeBudget(VALUE_CHECK_MS)
}

/** Creates the budget for compiling schemas and checking their examples. */
export function createSchemaCheckBudget(): TimeBudget {
  return createTimeBudget(SCHEMA_CHECK_MS)
}

/** @param limit in milliseconds. The work blocks its process, and can run twice: it has no effects. */
function createTimeBudget(limit: number): TimeBudget {
  let left = limit
  return {
    run: (what, work) => {
      for (const factor of left > 0 ? [1, STALL_FACTOR] : []) {
        const start = readClocks()
        const done = runWithTimeout(work, Math.ceil(left * factor))
        const used = timeSince(start)
        if (done) {
          left -= used
          return done.result
        }
        // The machine was busy with other work: a longer timeout decides.
        if (used > left * BUSY_SHARE) break
      }
      left = 0
      throw badRequest(`${what} takes too long (limit: ${limit} ms for all validation schemas of a request)`)
    }
  }
}

/** The share of a timeout from which on the work has used it up, and not other processes. */
const BUSY_SHARE = 0.75

/**
 * Returns the processor time since `start`, in milliseconds; threads of the engine do not count beyond the elapsed
 * time.
 */
function timeSince(start: { readonly elapsed: number; readonly processor: number }): number {
  const { elapsed, processor } = readClocks()
  return Math.min(elapsed - start.elapsed, processor - start.processor)
}

function readClocks() {
  const { user, system } = process.cpuUsage()
  return { elapsed: performance.now(), processor: (user + system) / 1000 }
}

const script = new Script('work()')
const context = createContext({})

/** Returns the result of `work`; undefined when it was stopped. */
function runWithTimeout<T>(work: () => T, timeout: number): { readonly result: T } | undefined {
  try {
    return { result: script.runInContext(Object.assign(context, { work }), { timeout }) }
  } catch (error) {
    if (isTimeout(error)) return undefined
    throw error
  }
}

/** The error comes from another realm with its own `Error` class, so `instanceof` does not apply. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
