import { escapeControlCharacters } from '@burgee/kit/text'
import type { ToolLog } from '../connection/context.ts'

interface LogOptions {
  readonly write: (text: string) => void
  readonly now: () => number
  /** Writes debug entries. */
  readonly isVerbose: boolean
}

/** Creates a log that writes one line of JSON for each entry. */
export function createLog({ write, now, isVerbose }: LogOptions): ToolLog {
  const at = (level: string) => (details: Readonly<Record<string, unknown>>, message: string) => {
    const line = { level, time: new Date(now()).toISOString(), message, ...details }
    write(`${escapeControlCharacters(JSON.stringify(line, withErrors))}\n`)
  }
  return { info: at('info'), error: at('error'), debug: isVerbose ? at('debug') : () => {} }
}

/** Serializes errors, which JSON omits. A cause that is not an error is omitted: it can be a response with tokens. */
function withErrors(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { name, message, stack, cause } = value
  return { name, message, stack, ...(cause instanceof Error ? { cause } : {}) }
}
