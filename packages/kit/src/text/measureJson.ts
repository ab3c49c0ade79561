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
  /** The members of each open object; `NaN` for lists. */
  const open: number[] = []
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
      if (depth > maxDepth) break
      open.push(character === '{' ? 0 : Number.NaN)
    } else if (character === '}' || character === ']') {
      depth--
      open.pop()
    } else if (character === ',') values++
    else if (character === ':') {
      const count = (open.pop() ?? 0) + 1
      open.push(count)
      if (count > members) members = count
    }
  }
  return { depth: deepest, values, containers, members }
}
