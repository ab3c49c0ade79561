/** A part of a filter. */
export type Token =
  | { readonly type: 'bracket' | 'word'; readonly text: string }
  | { readonly type: 'literal'; readonly text: string; readonly value: string | number | boolean | null }

/** Splits a filter into its parts. Returns undefined if a string does not end or has an invalid escape. */
export function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = []
  const pattern = /\s+|[()[\]]|"(?:[^"\\]|\\.)*"|[^\s()[\]"]+/gy
  while (pattern.lastIndex < text.length) {
    const [part] = pattern.exec(text) ?? []
    if (part === undefined) return undefined
    if (part.trim() === '') continue
    const token = toToken(part)
    if (!token) return undefined
    tokens.push(token)
  }
  return tokens
}

function toToken(text: string): Token | undefined {
  if (/^[()[\]]$/.test(text)) return { type: 'bracket', text }
  if (!/^"|^-?\d+(\.\d+)?$|^(true|false|null)$/i.test(text)) return { type: 'word', text }
  try {
    // Literals of filters are those of JSON.
    const value: unknown = JSON.parse(text.startsWith('"') ? text : text.toLowerCase())
    return { type: 'literal', text, value: value as string | number | boolean | null }
  } catch {
    return undefined
  }
}
