import type { Permission } from '@burgee/contract'
import type { z } from 'zod'
import type { Answer } from './answers/answer.ts'
import type { Call } from './api/call.ts'
import type { Effect } from './confirmation/effect.ts'
import type { Category } from './settings.ts'

/** What a tool does to what is there; the four hints are read from it. */
export type Changes =
  /** It only reads. */
  | 'nothing'
  /** It remembers something for the session. */
  | 'session'
  /** It makes something new. */
  | 'adds'
  /** It changes what is there; doing it twice does no more than doing it once. */
  | 'replaces'
  /** It removes something from every environment. */
  | 'removes'

/** One thing an assistant can do (specification 3, "Endpoints"). */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly category: Category
  readonly description: string
  readonly changes: Changes
  /** All that the caller must be allowed to do, also for what is read beforehand; a token that leaves some of it out is challenged for that. */
  readonly permissions: readonly Permission[]
  readonly input: Input
  /** Parts of its input that another tool tells all about, and which one does. */
  readonly elsewhere?: Readonly<Record<string, string>>
  /** Parts within its parameters that nobody needs to be told of. */
  readonly unlisted?: readonly string[]
  /** What `result` is; a tool that answers a guide has none. */
  readonly output?: z.ZodType
  /** What it would change: a tool that has this is confirmed first. Nothing where a call has nothing to be confirmed. */
  readonly preview?: (args: z.output<Input>, call: Call) => Promise<Effect | undefined>
  readonly run: (args: z.output<Input>, call: Call) => Promise<Answer>
}

/** Keeps a tool's own input type while checking its form. */
export function tool<Input extends z.ZodObject>(record: Tool<Input>): Tool {
  // The runner hands `run` and `preview` what this very `input` parsed.
  return record as unknown as Tool
}
