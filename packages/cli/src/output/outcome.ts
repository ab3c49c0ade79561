import { escapeControlCharacters } from '@burgee/kit/text'
import type { OutputFormat } from '../run/settings.ts'
import type { Terminal } from '../run/terminal.ts'

/** What a command found or did. */
export interface Outcome {
  /** For programs; nothing is printed for `undefined`. */
  readonly data: unknown
  /** For people; `width` is that of the terminal. */
  readonly text: (width: number) => string
  /** 0 if omitted. */
  readonly exitCode?: number
}

/** Returns the format of the settings; if they have none, a table on a terminal, else JSON. */
export function outputFormat(
  { output, json }: { readonly output: OutputFormat | ''; readonly json: boolean },
  { isTerminal }: Pick<Terminal, 'isTerminal'>
): OutputFormat {
  if (json) return 'json'
  return output || (isTerminal ? 'table' : 'json')
}

/** Prints an outcome. */
export function printOutcome({ data, text }: Outcome, format: OutputFormat, { write, width }: Terminal): void {
  if (format === 'table') {
    const lines = text(width)
    if (lines !== '') write(`${escapeControlCharacters(lines)}\n`)
  } else if (data !== undefined) {
    const items = format === 'jsonl' && Array.isArray(data) ? data : [data]
    const indent = format === 'json' ? 2 : undefined
    // JSON escapes only some characters that control terminals.
    for (const item of items) write(`${escapeControlCharacters(JSON.stringify(item, null, indent))}\n`)
  }
}
