import type { TestServer } from '@burgee/testing/harness'
import type { ErrorType } from '../../src/results/toolError.ts'

/** What the calls before have answered, by the name that they gave it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export type Seen = Record<string, any>

/** Something that depends on what the calls before have answered, or does not. */
type Late<T> = T | ((seen: Seen) => T)

/** One call of a tool, and what is expected of its answer. */
export interface Step {
  readonly tool: string
  readonly given?: Late<object>
  /** What `result` has, at least; matchers will do. */
  readonly result?: Late<unknown>
  /** The keys of the items of `result`, in order. */
  readonly keys?: readonly string[]
  /** Which part of how many items `result` is. */
  readonly part?: { readonly total: number; readonly page: number; readonly perPage: number }
  readonly fails?: readonly [type: ErrorType, message: RegExp]
  /** How often what was served, in all periods together. */
  readonly counts?: Readonly<Record<string, number>>
  /** What a guide says. */
  readonly markdown?: readonly (string | RegExp)[]
  /** What later calls know `result` by. */
  readonly as?: string
}

/** The calls of one test, named by what they show. */
export type Chapter = readonly [
  says: string,
  steps: readonly Step[],
  before?: (server: TestServer, seen: Seen) => Promise<void>
]
