/**
 * Escapes characters that control a terminal or the direction of text, as JSON does. Keeps line breaks, tabs and the
 * joiners of emoji and scripts.
 */
export function escapeControlCharacters(text: string): string {
  return text.replace(CONTROL_CHARACTERS, escapeUnicode)
}

/** Escapes all invisible characters except line breaks and tabs, as JSON does. JSON text keeps its value. */
export function escapeInvisibleCharacters(text: string): string {
  return text.replace(INVISIBLE_CHARACTERS, (letter) =>
    letter === '\n' || letter === '\t' ? letter : escapeUnicode(letter)
  )
}

/** Escapes all invisible characters, as JSON does, so that the text stays on one line. */
export function escapeLine(text: string): string {
  return text.replace(INVISIBLE_CHARACTERS, escapeUnicode)
}

/** Removes invisible characters and collapses white space to one line, so that texts that look the same are equal. */
export function sanitizeLine(text: string): string {
  return text.replace(/\s/g, ' ').replace(INVISIBLE_CHARACTERS, '').replace(/ +/g, ' ').trim()
}

/** Escapes all characters of a text as `\uXXXX`, one per UTF-16 code unit. */
export function escapeUnicode(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

const CONTROL_CHARACTERS = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Control, format, unassigned and default-ignorable characters, and those that are drawn as blank. */
const INVISIBLE_CHARACTERS = /[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu
