import type { TestServer } from '@burgee/testing/harness'
import type { ToolErrorType } from '../../src/results/toolError.ts'

/** The results of previous calls, by name. */
// biome-ignore lint/suspicious/noExplicitAny: results have many shapes.
export type Seen = Record<string, any>

/** A value, or a function of previous results. */
type Late<T> = T | ((seen: Seen) => T)

/** One call of a tool, with the expected result. */
export interface Step {
  readonly tool: string
  readonly given?: Late<object>
  /** A subset of `result`, which can contain matchers. */
  readonly result?: Late<unknown>
  /** The keys of the items of `result`, in order. */
  readonly keys?: readonly string[]
  /** The expected page information. */
  readonly part?: { readonly total: number; readonly page: number; readonly perPage: number }
  readonly fails?: readonly [type: ToolErrorType, message: RegExp]
  /** The expected evaluations, summed over all periods. */
  readonly counts?: Readonly<Record<string, number>>
  /** The expected text of a guide. */
  readonly markdown?: readonly (string | RegExp)[]
  /** The name of `result` for later calls. */
  readonly as?: string
}

/** The calls of one test, by title. */
export type Chapter = readonly [
  says: string,
  steps: readonly Step[],
  before?: (server: TestServer, seen: Seen) => Promise<void>
]
