import { yieldToEventLoop } from '../../lib/time.ts'

/**
 * Serializes an object like `JSON.stringify`, list by list, and yields to the event loop in between: ten thousand
 * features take a tenth of a second, which evaluations should not wait for. The object must not change meanwhile.
 */
export async function toJsonBuffer(content: object): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of piecesOf(content)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** The number of list items to serialize before yielding. */
const ITEMS_PER_SLICE = 200

async function* piecesOf(content: object): AsyncGenerator<string> {
  const members = Object.entries(content).filter(([, value]) => value !== undefined)
  yield '{'
  for (const [index, [name, value]] of members.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:`
    if (Array.isArray(value)) yield* itemsOf(value)
    else yield JSON.stringify(value)
  }
  yield '}'
}

async function* itemsOf(list: readonly unknown[]): AsyncGenerator<string> {
  yield '['
  for (let at = 0; at < list.length; at += ITEMS_PER_SLICE) {
    if (at > 0) await yieldToEventLoop()
    const text = JSON.stringify(list.slice(at, at + ITEMS_PER_SLICE))
    yield `${at === 0 ? '' : ','}${text.slice(1, -1)}`
  }
  yield ']'
}
