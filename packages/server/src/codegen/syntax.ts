import { visible } from '@burgee/contract'

/** A doc comment with its line break, from any text; nothing from none. */
export function docComment(text: string): string {
  const lines = text
    .trim()
    .replaceAll('*/', '*\\/')
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => visible(line.trimEnd()))
  if (lines.length > 1) return `/**\n${lines.map((line) => ` *${line && ` ${line}`}\n`).join('')} */\n`
  return lines[0] ? `/** ${lines[0]} */\n` : ''
}

/** A name as members of types have it: quoted where it is no identifier. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

/** A value that is no object as types have it. */
export function quoted(value: unknown): string {
  return visible(JSON.stringify(value))
}

/** A text one step further in, but for its first line. */
export function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

/** One type of several; `never` of none. */
export function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never'
}

/** A type as a part of another one. */
export function enclosed(type: string): string {
  return /^\w+$/.test(type) ? type : `(${type})`
}
