import { createContext, Script } from 'node:vm'
import { badRequest } from '../../lib/errors.ts'

/** Time for all that validation schemas ask of one request: what one of them takes, the others do not have any more. */
export interface TimeBudget {
  /** What `work` gives. `what` names it. @throws {ApiError} 400 when the time is up; the work is stopped. */
  readonly run: <T>(what: string, work: () => T) => T
}

/** Time to check values with. */
export function createValueCheckBudget(): TimeBudget {
  return createTimeBudget(250)
}

/** Time to compile schemas, and to check their examples. Schemas come a thousand at once, with the variables of a feature. */
export function createSchemaCheckBudget(): TimeBudget {
  return createTimeBudget(1000)
}

/** @param limit in milliseconds: meanwhile the server does nothing else. */
function createTimeBudget(limit: number): TimeBudget {
  let left = limit
  return {
    run: (what, work) => {
      const start = performance.now()
      const done = left > 0 ? runWithTimeout(work, Math.ceil(left)) : undefined
      // The clock that stops the work is not this one: by this one, some of the time may seem to be left.
      left = done ? left - (performance.now() - start) : 0
      if (done) return done.result
      throw badRequest(`${what} takes too long: all validation schemas of a request have ${limit} ms`)
    }
  }
}

const script = new Script('work()')
const context = createContext({})

/** What `work` gives; undefined when it takes too long, and is stopped. */
function runWithTimeout<T>(work: () => T, timeout: number): { readonly result: T } | undefined {
  try {
    return { result: script.runInContext(Object.assign(context, { work }), { timeout }) }
  } catch (error) {
    if (isTimeout(error)) return undefined
    throw error
  }
}

/** The error is of the script's own world, where `Error` is another. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
