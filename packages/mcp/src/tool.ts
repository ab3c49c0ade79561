import type { Permission } from '@burgee/contract'
import type { z } from 'zod'
import type { Call } from './api/call.ts'
import type { Plan } from './plan/plan.ts'
import type { ToolOutput } from './results/toolOutput.ts'
import type { Category } from './settings/toolSettings.ts'

/** The kind of access of a tool, which determines its annotations. */
export type ToolAccess =
  /** Only reads. */
  | 'reads'
  /** Changes only the session. */
  | 'session'
  /** Creates a resource. */
  | 'creates'
  /** Changes existing resources. A repeated call has no further effect. */
  | 'updates'
  /** Removes a resource from every environment. */
  | 'deletes'

/** A tool: see docs/reference/tools.md. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly category: Category
  readonly description: string
  readonly access: ToolAccess
  /** The permissions that the caller needs, including those of the preview. The scope challenge names them. */
  readonly permissions: readonly Permission[]
  readonly input: Input
  /** Parameters that the definition of another tool describes, by the name of that tool. */
  readonly describedElsewhere?: Readonly<Record<string, string>>
  /** Members of parameters that the definition omits. */
  readonly hiddenProperties?: readonly string[]
  /** The schema of `result`; absent for tools that return Markdown. */
  readonly output?: z.ZodType
  /** Returns the changes that a call would make, for confirmation; `undefined` if the call needs none. */
  readonly preview?: (args: z.output<Input>, call: Call) => Promise<Plan | undefined>
  readonly run: (args: z.output<Input>, call: Call) => Promise<ToolOutput>
}

/** Declares a tool; `preview` and `run` receive the output of `input`. */
export function tool<Input extends z.ZodObject>(declared: Tool<Input>): Tool {
  // `runTool` passes only arguments that this `input` has parsed.
  return declared as unknown as Tool
}
