/** The size of a JSON value. */
interface JsonSize {
  /** The depth of nested containers. */
  readonly depth: number
  readonly values: number
  readonly containers: number
}

/** Measures JSON text in one pass, without parsing it. The text may be malformed. */
export function measureJson(text: string): JsonSize {
  let depth = 0
  let deepest = 0
  let values = 1
  let containers = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isInString) {
      if (character === '\\') index++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '{' || character === '[') {
      containers++
      deepest = Math.max(deepest, ++depth)
    } else if (character === '}' || character === ']') depth--
    else if (character === ',') values++
  }
  return { depth: deepest, values, containers }
}
