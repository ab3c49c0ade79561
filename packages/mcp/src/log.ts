import { escapeControlCharacters } from '@burgee/kit/text'
import type { ToolLog } from './service.ts'

/** Where lines go. */
export interface LogSink {
  readonly write: (text: string) => void
  readonly now: () => number
  /** Whether details are told that only help to find mistakes. */
  readonly isVerbose: boolean
}

/** A log of lines of JSON, one for each thing that happened. */
export function createLog({ write, now, isVerbose }: LogSink): ToolLog {
  const at = (level: string) => (details: Readonly<Record<string, unknown>>, message: string) => {
    const line = { level, time: new Date(now()).toISOString(), message, ...details }
    write(`${escapeControlCharacters(JSON.stringify(line, withErrors))}\n`)
  }
  return { info: at('info'), error: at('error'), debug: isVerbose ? at('debug') : () => {} }
}

/** An error has no members that JSON would show. A cause that is none can be an answer, with tokens in it. */
function withErrors(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { name, message, stack, cause } = value
  return { name, message, stack, ...(cause instanceof Error ? { cause } : {}) }
}
