import type { Node } from '../syntax.ts'

/** Returns the indentation of the line on which a node starts. */
export function indentOf({ start }: Node, text: string): string {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

/** Moves lines to an indentation. The first line has none, since it stands where the statement stood. */
export function dedent(body: string, indent: string): string {
  const lines = body.split('\n')
  const own = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0)
  const smallest = Math.min(...own)
  return lines
    .map((line, index) => (line.trim() === '' ? '' : `${index === 0 ? '' : indent}${line.slice(smallest)}`))
    .join('\n')
}

/** Returns the rest of a line after a removed statement: its semicolon and the line break, if nothing else follows. */
export function lineBreakAfter(text: string): string {
  return /^[ \t]*;?[ \t]*\r?\n/.exec(text)?.[0] ?? ''
}
