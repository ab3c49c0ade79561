import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readBody } from '../../../src/api/http/request/readBody.ts'

/** Objects of members that all have different names: the text takes longest to parse. */
function manyMembers(mark: string): string {
  const objects = Array.from({ length: 7 }, (_, index) => [
    `${mark}${index}`,
    Object.fromEntries(Array.from({ length: 9999 }, (_one, member) => [`${mark}${index}_${member}`, 1]))
  ])
  return JSON.stringify(Object.fromEntries(objects))
}

/** Returns the number of turns of the event loop that reading a body takes. */
async function countTurns(text: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const request = Object.assign(Readable.from([Buffer.from(text)]), { headers }) as unknown as IncomingMessage
  let isRead = false
  const reading = readBody(request).finally(() => {
    isRead = true
  })
  let turns = 0
  while (!isRead) {
    await new Promise((resolve) => setImmediate(resolve))
    turns++
  }
  await reading
  return turns
}

it('a body of many members is read in many turns of the event loop', async () => {
  const text = manyMembers('m')
  const short = await countTurns(JSON.stringify('x'.repeat(text.length)))
  expect(await countTurns(text)).toBeGreaterThan(short + 4)
})
