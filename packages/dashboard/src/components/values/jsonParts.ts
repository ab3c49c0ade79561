/** A piece of a JSON text, in the order of the text. */
export interface JsonPart {
  readonly text: string
  /** Absent for marks, white space and what is not JSON. */
  readonly kind?: 'name' | 'string' | 'literal'
}

/** Matches a string (also one that is not closed in its line), a number or a word. */
const VALUE = /"(?:[^"\\\n]|\\.)*"?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g
const COLON = /[ \t\r\n]*:/y

/** Divides a text that is edited as JSON, and need not be JSON yet. The parts joined are the text. */
export function jsonParts(text: string): readonly JsonPart[] {
  const parts: JsonPart[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(VALUE)) {
    if (index > end) parts.push({ text: text.slice(end, index) })
    end = index + found.length
    COLON.lastIndex = end
    parts.push({ text: found, kind: !found.startsWith('"') ? 'literal' : COLON.test(text) ? 'name' : 'string' })
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}
