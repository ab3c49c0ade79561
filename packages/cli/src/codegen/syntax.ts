import { escapeControlCharacters } from '@burgee/kit/text'

/** Returns a text as a doc comment with a line break; empty for an empty text. */
export function formatDocComment(text: string): string {
  const lines = text
    .trim()
    .replaceAll('*/', '*\\/')
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => escapeControlCharacters(line.trimEnd()))
  if (lines.length > 1) return `/**\n${lines.map((line) => ` *${line && ` ${line}`}\n`).join('')} */\n`
  return lines[0] ? `/** ${lines[0]} */\n` : ''
}

/** Returns a property name, quoted unless it is an identifier. */
export function formatMemberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : formatLiteral(name)
}

/** Returns the literal type of a primitive value. */
export function formatLiteral(value: unknown): string {
  return escapeControlCharacters(JSON.stringify(value))
}

/** Indents all lines but the first. */
export function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

/** Returns the union of types; `never` if there are none. */
export function formatUnion(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never'
}

/** Returns a type in parentheses if it needs them inside another type. */
export function parenthesize(type: string): string {
  return /^\w+$/.test(type) ? type : `(${type})`
}
