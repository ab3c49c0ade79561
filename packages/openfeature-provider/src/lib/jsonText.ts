import { endOfString } from '@burgee/kit/text'

/**
 * Scans JSON text that arrives in pieces, such as those of a download. Joins only the pieces that contain the current
 * value: joining a long text at once would block the event loop.
 */
export class JsonScanner {
  readonly #pieces: readonly string[]
  /** The number of pieces that have been joined. */
  #joined = 0
  /** The joined text, without values before the current one. */
  #text = ''
  #index = 0

  constructor(pieces: readonly string[]) {
    this.#pieces = pieces
  }

  /** The next character that is not space; empty at the end. */
  get next(): string {
    do this.#index = endOfSpace(this.#text, this.#index)
    while (this.#index === this.#text.length && this.#join())
    return this.#text.charAt(this.#index)
  }

  /** Returns the text of the next value, and continues after it. If the JSON is malformed, it may not be a value. */
  take(): string {
    if (this.next === '') return ''
    let end = endOfValue(this.#text, this.#index)
    // The value may continue in the next piece.
    while (end === this.#text.length && this.#join()) end = endOfValue(this.#text, this.#index)
    const value = this.#text.slice(this.#index, end)
    this.#index = end
    return value
  }

  /** Skips the next character if it is the given one. */
  skipIf(character: string): boolean {
    const isNext = this.next === character
    if (isNext) this.#index++
    return isNext
  }

  /** Skips the given character. @throws {SyntaxError} if the next character is another one. */
  skip(character: string): void {
    if (!this.skipIf(character)) throw new SyntaxError(`"${character}" is missing`)
  }

  /** At least doubles the remaining text, so that the search for the end of a long value restarts only a few times. */
  #join(): boolean {
    if (this.#joined === this.#pieces.length) return false
    let text = this.#text.slice(this.#index)
    const least = 2 * text.length
    do text += this.#pieces[this.#joined++]
    while (text.length < least && this.#joined < this.#pieces.length)
    this.#text = text
    this.#index = 0
    return true
  }
}

/** Returns the index of the first character of JSON text, from `start`, that is not space. */
function endOfSpace(text: string, start: number): number {
  let index = start
  while (isSpace(text.charCodeAt(index))) index++
  return index
}

/** Returns the index after the JSON value that begins at `start`. If the JSON is malformed, it may not end a value. */
function endOfValue(text: string, start: number): number {
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
