import { createContext, Script } from 'node:vm'
import { badRequest } from '../../lib/errors.ts'

/** The time that all validation schemas of one request share. */
export interface TimeBudget {
  /**
   * Runs `work`; `what` names it in the message.
   * @throws {HttpError} 400 when the budget is exceeded, which aborts the work.
   */
  readonly run: <T>(what: string, work: () => T) => T
}

/** The limits of budgets, in milliseconds. A feature can have a thousand schemas. */
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

/** @param limit in milliseconds. The work blocks its process. */
function createTimeBudget(limit: number): TimeBudget {
  let left = limit
  return {
    run: (what, work) => {
      const start = performance.now()
      const done = left > 0 ? runWithTimeout(work, Math.ceil(left)) : undefined
      // The timeout uses a different clock; by this one, some time may seem to be left.
      left = done ? left - (performance.now() - start) : 0
      if (done) return done.result
      throw badRequest(`${what} takes too long (limit: ${limit} ms for all validation schemas of a request)`)
    }
  }
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
