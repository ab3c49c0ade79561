import { endOfString } from './endOfString.ts'

/** The size of a JSON value. */
interface JsonSize {
  /** The depth of nested containers. */
  readonly depth: number
  readonly values: number
  readonly containers: number
  /** The number of members of the object with the most. */
  readonly members: number
}

/**
 * Measures JSON text in one pass, without parsing it. The text may be malformed. Stops at the first container that is
 * deeper than `maxDepth`: parsing millions of them would take seconds.
 */
export function measureJson(text: string, maxDepth: number): JsonSize {
  let depth = 0
  let deepest = 0
  let values = 1
  let containers = 0
  let members = 0
  /** The members of the container that is open at each depth. */
  const open: number[] = []
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index + 1) - 1
        break
      case OPENING_BRACE:
      case OPENING_BRACKET:
        containers++
        deepest = Math.max(deepest, ++depth)
        if (depth > maxDepth) return { depth: deepest, values, containers, members }
        open[depth] = 0
        break
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        // Malformed text can close more containers than it opens.
        if (depth > 0) depth--
        break
      case COMMA:
        values++
        break
      case COLON: {
        const count = (open[depth] ?? 0) + 1
        open[depth] = count
        if (count > members) members = count
      }
    }
  }
  return { depth: deepest, values, containers, members }
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
