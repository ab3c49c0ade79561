import { beforeEach, expect, it } from 'vitest'
import { type Identified, PayloadIds } from '../../src/eventStore/payloadIds.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')

let ids: PayloadIds

beforeEach(() => {
  ids = new PayloadIds(() => NOW)
})

const one: Identified = { environment: 'production', at: NOW, payloadId: 'one', keyType: 'server' }

/** Whether an entry with this id is taken for one that came before. */
async function isRepeat(identified: Identified): Promise<boolean> {
  let isDone = false
  await ids.once(identified, async () => {
    isDone = true
  })
  return !isDone
}

it('is remembered for a server, however many come with keys that everybody has', async () => {
  ids.note(one)
  ids.note({ ...one, keyType: 'client' })
  for (let index = 0; index < 250_000; index++) {
    ids.note({ ...one, keyType: index % 2 ? 'client' : 'mobile', payloadId: `flood ${index}` })
  }
  expect(await isRepeat(one)).toBe(true)
  expect(await isRepeat({ ...one, keyType: 'client', payloadId: 'flood 249999' })).toBe(true)
  expect(await isRepeat({ ...one, keyType: 'client' })).toBe(false)
})

it.each([
  { keyType: 'client' as const },
  { keyType: 'mobile' as const },
  { keyType: undefined },
  { environment: 'staging' }
])('is another one with %o', async (other) => {
  ids.note({ ...one, ...other })
  expect(await isRepeat(one)).toBe(false)
  expect(await isRepeat({ ...one, ...other })).toBe(true)
})
