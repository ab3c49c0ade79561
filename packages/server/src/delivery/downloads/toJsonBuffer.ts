import { yieldToEventLoop } from '../../lib/time.ts'

/**
 * The JSON text of an object, as `JSON.stringify` writes it. Lists in it are written piece by piece, and whatever else
 * there is to do gets its turn in between: ten thousand features take a tenth of a second, which no evaluation
 * should have to wait. Nothing in the object may change meanwhile.
 */
export async function toJsonBuffer(content: object): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of piecesOf(content)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** How many items of a list are written at a time. */
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
