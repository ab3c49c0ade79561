import type { Permission } from '@burgee/contract'
import type { z } from 'zod'
import type { Call } from './api/call.ts'
import type { Plan } from './plan/plan.ts'
import type { ToolOutput } from './results/toolOutput.ts'
import type { Category } from './settings.ts'

/** How a tool acts on what exists; its annotations follow from it. */
export type ToolAccess =
  /** Only reads. */
  | 'reads'
  /** Changes the session alone. */
  | 'session'
  /** Creates something. */
  | 'creates'
  /** Changes what exists; a repeated call has no further effect. */
  | 'updates'
  /** Removes something from every environment. */
  | 'deletes'

/** A tool: see docs/reference/tools.md. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly category: Category
  readonly description: string
  readonly access: ToolAccess
  /** Everything that the caller must be allowed to do, including what the preview reads. The scope challenge names it. */
  readonly permissions: readonly Permission[]
  readonly input: Input
  /** Parameters that the definition of another tool describes, by the name of that tool. */
  readonly describedElsewhere?: Readonly<Record<string, string>>
  /** Members of parameters that the definition leaves out. */
  readonly hiddenProperties?: readonly string[]
  /** The schema of `result`; absent for tools that return Markdown. */
  readonly output?: z.ZodType
  /** Returns what a call would change, for confirmation; `undefined` when a call needs none. */
  readonly preview?: (args: z.output<Input>, call: Call) => Promise<Plan | undefined>
  readonly run: (args: z.output<Input>, call: Call) => Promise<ToolOutput>
}

/** Declares a tool; `preview` and `run` receive what `input` parses. */
export function tool<Input extends z.ZodObject>(declared: Tool<Input>): Tool {
  // `runTool` passes on only what this very `input` parsed.
  return declared as unknown as Tool
}
