import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { createTimeSlices } from '../../../lib/time.ts'

/**
 * Sends a value as JSON. The text of a large one is built while it is sent, in parts between which evaluations are
 * served: a page of large features or audit entries takes seconds and would not fit into one string.
 */
export async function sendJson(ctx: Context, value: unknown): Promise<void> {
  const parts = joinParts(splitJson(value, SPLIT_LEVELS))
  const first = await parts.next()
  const second = await parts.next()
  ctx.type = 'json'
  if (first.done || second.done) ctx.body = first.value ?? ''
  else ctx.body = Readable.from(followedBy([first.value, second.value], parts))
}

/** Lists, and the lists that are members of a response, are split into their items. */
const SPLIT_LEVELS = 2

/** Splits the JSON text of a value. Objects and lists are split into their members down to a number of levels. */
function* splitJson(value: unknown, levels: number): Generator<string, void> {
  if (levels === 0 || !isSplittable(value)) {
    yield JSON.stringify(value) ?? 'null'
    return
  }
  const isList = Array.isArray(value)
  // As in `JSON.stringify`, `undefined` is omitted from objects, and `null` in lists.
  const members = Object.entries(value).filter(([, member]) => isList || member !== undefined)
  yield isList ? '[' : '{'
  for (const [index, [name, member]] of members.entries()) {
    yield `${index === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(name)}:`}`
    yield* splitJson(member, levels - 1)
  }
  yield isList ? ']' : '}'
}

/** Lists and plain objects; others have a text of their own. */
function isSplittable(value: unknown): value is object {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === PLAIN)
}

const PLAIN = Object.prototype

/** Joins small parts. Waits for a turn of the event loop between large ones. */
async function* joinParts(parts: Iterable<string>): AsyncGenerator<string, void> {
  const slices = createTimeSlices()
  let text = ''
  for (const part of parts) {
    text += part
    if (text.length < PART_LENGTH) continue
    yield text
    text = ''
    await slices.yieldIfDue()
  }
  yield text
}

const PART_LENGTH = 64 * 1024

async function* followedBy(first: Iterable<string>, rest: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield* first
  yield* rest
}
