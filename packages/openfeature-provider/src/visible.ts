/** A text in which characters that cannot be seen, such as line breaks, are written out: it may have come from anywhere, and goes to a log. */
export function escapeInvisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`
  })
}
