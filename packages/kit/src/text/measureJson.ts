/** How much a text would make that is read as JSON. */
export interface JsonSize {
  /** How deep it nests. */
  readonly depth: number
  readonly values: number
  readonly containers: number
}

/** Counts brackets and commas outside of texts, without making anything of them: one way through, whatever is in it. */
export function measureJson(text: string): JsonSize {
  let depth = 0
  let deepest = 0
  let values = 1
  let containers = 0
  let isInText = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isInText) {
      if (character === '\\') index++
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '{' || character === '[') {
      containers++
      deepest = Math.max(deepest, ++depth)
    } else if (character === '}' || character === ']') depth--
    else if (character === ',') values++
  }
  return { depth: deepest, values, containers }
}
