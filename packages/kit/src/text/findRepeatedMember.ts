/**
 * Returns the path of the first member that an object in JSON text has twice, as in `items.0.name`. Parsers keep the
 * last one silently, and others the first. Names are compared without their escapes. Takes one pass; the text must be
 * valid JSON.
 */
export function findRepeatedMember(text: string): string | undefined {
  const open: Container[] = []
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    const container = open.at(-1)
    if (character === '{') open.push({ position: '', names: new Set(), isBeforeName: true })
    else if (character === '[') open.push({ position: 0, isBeforeName: false })
    else if (character === '}' || character === ']') open.pop()
    else if (character === ',' && container) {
      if (typeof container.position === 'number') container.position++
      else container.isBeforeName = true
    } else if (character === '"') {
      const start = index
      index = endOfString(text, start)
      if (!container?.isBeforeName) continue
      const name: string = JSON.parse(text.slice(start, index + 1))
      container.position = name
      container.isBeforeName = false
      if (container.names?.has(name)) return open.map(({ position }) => position).join('.')
      container.names?.add(name)
    }
  }
  return undefined
}

/** An object or array that is not closed yet. */
interface Container {
  /** The name of the last member, or the number of the current item. */
  position: string | number
  /** The names of the members of an object. */
  readonly names?: Set<string>
  /** Whether the next string is the name of a member. */
  isBeforeName: boolean
}

function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index
}
