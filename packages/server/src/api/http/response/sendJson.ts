import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { splitJson } from '../../../lib/splitJson.ts'
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
