import { isRecord } from '@burgee/kit'
import { yieldToEventLoop } from '../../lib/time.ts'

/**
 * Serializes an object like `JSON.stringify`, list by list, and yields to the event loop in between: ten thousand
 * features take a tenth of a second, which evaluations should not wait for. The object must not change meanwhile.
 */
export async function toJsonBuffer(content: object): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of toJsonPieces(content)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** Same as `toJsonBuffer`, in pieces of text. */
export function toJsonPieces(content: object): AsyncGenerator<string> {
  return membersOf(content, MAX_DEPTH)
}

/** The depth to which lists are sliced: configs of edge nodes have long ones in `configs[0].config.features`. */
const MAX_DEPTH = 4

/**
 * The number of list items to serialize before yielding. Slices are short, because each of the forty
 * consecutive statements of a change in a database can wait for one.
 */
const ITEMS_PER_SLICE = 20

/** Shorter lists can have items with long lists. */
const SHORT_LIST = 4

async function* piecesOf(value: unknown, depth: number): AsyncGenerator<string> {
  if (Array.isArray(value)) yield* itemsOf(value, depth)
  else if (isRecord(value) && depth > 0) yield* membersOf(value, depth)
  else yield JSON.stringify(value) ?? 'null'
}

async function* membersOf(content: object, depth: number): AsyncGenerator<string> {
  const members = Object.entries(content).filter(([, value]) => value !== undefined)
  yield '{'
  for (const [index, [name, value]] of members.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:`
    yield* piecesOf(value, depth - 1)
  }
  yield '}'
}

async function* itemsOf(list: readonly unknown[], depth: number): AsyncGenerator<string> {
  yield '['
  if (list.length < SHORT_LIST) {
    for (const [index, item] of list.entries()) {
      if (index > 0) yield ','
      yield* piecesOf(item, depth - 1)
    }
  } else {
    for (let at = 0; at < list.length; at += ITEMS_PER_SLICE) {
      if (at > 0) await yieldToEventLoop()
      const text = JSON.stringify(list.slice(at, at + ITEMS_PER_SLICE))
      yield `${at === 0 ? '' : ','}${text.slice(1, -1)}`
    }
  }
  yield ']'
}
