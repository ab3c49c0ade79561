import { splitJson } from '../../lib/splitJson.ts'
import { yieldToEventLoop } from '../../lib/time.ts'

/**
 * Serializes an object like `JSON.stringify`, and yields to the event loop in between: ten thousand features take a
 * tenth of a second, which evaluations should not wait for. The object must not change meanwhile.
 */
export async function toJsonBuffer(content: object): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of toJsonPieces(content)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** Same as `toJsonBuffer`, in pieces of text. */
export async function* toJsonPieces(content: object): AsyncGenerator<string> {
  let length = 0
  for (const piece of splitJson(content, LEVELS, ITEMS_PER_SLICE)) {
    yield piece
    length += piece.length
    if (length < LENGTH_PER_TURN) continue
    length = 0
    await yieldToEventLoop()
  }
}

/** The lists of `configs[0].config` are split too: configs of edge nodes have long ones in `features`. */
const LEVELS = 5

const ITEMS_PER_SLICE = 20

/**
 * The number of characters to serialize before yielding. It is small, because each of the forty consecutive statements
 * of a change in a database can wait for one turn.
 */
const LENGTH_PER_TURN = 16 * 1024
