import { endOfString } from './endOfString.ts'

/**
 * Returns the path of the first member that an object in JSON text has twice, for example `items.0.name`. Parsers keep
 * the last one silently, and others the first. Names are compared without their escapes. Takes one pass; the text must
 * be valid JSON.
 */
export function findRepeatedMember(text: string): string | undefined {
  const search = searchRepeatedMember(text)
  let step = search.next()
  while (!step.done) step = search.next()
  return step.value
}

/** Finds a repeated member in steps, so that the search of a long text can pause after each. */
export function* searchRepeatedMember(text: string): Generator<void, string | undefined> {
  const open: Container[] = []
  let pause = STEP_LENGTH
  for (let index = 0; index < text.length; index++) {
    if (index >= pause) {
      pause = index + STEP_LENGTH
      yield
    }
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
      index = endOfString(text, start + 1) - 1
      if (!container?.isBeforeName) continue
      const name = parseName(text.slice(start, index + 1))
      container.position = name
      container.isBeforeName = false
      if (container.names?.has(name)) return open.map(({ position }) => position).join('.')
      container.names?.add(name)
    }
  }
  return undefined
}

/** The length of a step in characters: less than a millisecond. */
const STEP_LENGTH = 8 * 1024

/** An object or array that is not closed yet. */
interface Container {
  /** The name of the last member, or the number of the current item. */
  position: string | number
  /** The names of the members of an object. */
  readonly names?: Set<string>
  /** Whether the next string is the name of a member. */
  isBeforeName: boolean
}

function parseName(json: string): string {
  return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1)
}
