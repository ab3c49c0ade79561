/** Returns the message of an error and its cause: `fetch failed` alone does not contain the reason. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message ? `${error.message}: ${cause.message}` : error.message
}

/** Escapes control and format characters, such as line breaks, in untrusted text before it is logged. */
export function escapeInvisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`
  })
}
