/**
 * A text that steers no terminal: control characters, but for line breaks and tabs, and characters that turn its direction
 * are written as JSON escapes them. The rest stays, as what emoji and scripts are joined with.
 */
export function escapeControlCharacters(text: string): string {
  return text.replace(CONTROL_CHARACTERS, escapeUnicode)
}

/** The same with everything escaped that nobody sees: it hides nothing from whoever decides by it, and as JSON stays the same value. */
export function escapeInvisibleCharacters(text: string): string {
  return text.replace(INVISIBLE_CHARACTERS, (letter) =>
    letter === '\n' || letter === '\t' ? letter : escapeUnicode(letter)
  )
}

/** A text without the characters that nobody sees, on one line: two that read alike are alike. */
export function sanitizeLine(text: string): string {
  return text.replace(/\s/g, ' ').replace(INVISIBLE_CHARACTERS, '').replace(/ +/g, ' ').trim()
}

/** A text as the escapes of JSON, each half of a pair by itself. */
export function escapeUnicode(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

const CONTROL_CHARACTERS = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Those that steer, that stand for nothing, and that are drawn as nothing. */
const INVISIBLE_CHARACTERS = /[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu
