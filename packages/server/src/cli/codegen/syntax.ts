import { escapeControlCharacters } from '@burgee/kit/text'

/** A doc comment with its line break, from any text; nothing from none. */
export function formatDocComment(text: string): string {
  const lines = text
    .trim()
    .replaceAll('*/', '*\\/')
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => escapeControlCharacters(line.trimEnd()))
  if (lines.length > 1) return `/**\n${lines.map((line) => ` *${line && ` ${line}`}\n`).join('')} */\n`
  return lines[0] ? `/** ${lines[0]} */\n` : ''
}

/** A name as members of types have it: quoted where it is no identifier. */
export function formatMemberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : formatLiteral(name)
}

/** A value that is no object as types have it. */
export function formatLiteral(value: unknown): string {
  return escapeControlCharacters(JSON.stringify(value))
}

/** A text one step further in, but for its first line. */
export function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

/** One type of several; `never` of none. */
export function formatUnion(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never'
}

/** A type as a part of another one. */
export function parenthesize(type: string): string {
  return /^\w+$/.test(type) ? type : `(${type})`
}
