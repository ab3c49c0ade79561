/**
 * Parses JSON without duplicate members. Parsers disagree on which of two duplicates counts.
 * @throws {SyntaxError}
 */
export function parseUniqueJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text)
  const open: (Set<string> | undefined)[] = []
  // The text is valid JSON, so a string before a colon is the name of a member of the innermost object.
  for (const [token, , colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (colon !== undefined) {
      const name = String(JSON.parse(token.slice(0, -colon.length)))
      const names = open.at(-1)
      if (names?.has(name)) throw new SyntaxError('a member is duplicated')
      names?.add(name)
    }
  }
  return parsed
}
