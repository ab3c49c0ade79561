/** Returns the index after the closing quote of a string in JSON text, or the end of the text. `start` is inside the string. */
export function endOfString(text: string, start: number): number {
  return searchEndOfString(text, start, text.length) ?? text.length
}

/**
 * The same for a part of a long string: returns `undefined` if the closing quote is at `limit` or later, so that the search
 * can pause and go on there.
 */
export function searchEndOfString(text: string, start: number, limit: number): number | undefined {
  let end = text.indexOf('"', start)
  for (; end !== -1 && end < limit; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text.charCodeAt(first - 1) === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end + 1
  }
  return end === -1 ? text.length : undefined
}

const BACKSLASH = 0x5c
