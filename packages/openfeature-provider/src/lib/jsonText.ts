import { endOfString } from '@burgee/kit/text'

/** Returns the index of the first character of JSON text, from `start`, that is not space. */
export function endOfSpace(text: string, start: number): number {
  let index = start
  while (isSpace(text.charCodeAt(index))) index++
  return index
}

/** Returns the index after the JSON value that begins at `start`. Of malformed text, the part up to it may be no value. */
export function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let index = start; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index + 1) - 1
        if (depth === 0) return index + 1
        break
      case OPENING_BRACE:
      case OPENING_BRACKET:
        depth++
        break
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        // The end of a list or object around a number or literal.
        if (depth === 0) return index
        depth--
        if (depth === 0) return index + 1
        break
      case COMMA:
        if (depth === 0) return index
    }
  }
  return text.length
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
