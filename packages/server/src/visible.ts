/**
 * A text whose control characters, but for line breaks and tabs, and characters that turn its direction are written as
 * escapes: it steers no terminal, and reads as it is.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const HIDDEN = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
