import { beforeEach, expect, it } from 'vitest'
import { PayloadDeduplicator, type PayloadIdentity } from '../../src/storage/events/engine/payloadDeduplicator.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')

let ids: PayloadDeduplicator

beforeEach(() => {
  ids = new PayloadDeduplicator(() => NOW)
})

const one: PayloadIdentity = { environment: 'production', at: NOW, payloadId: 'one', keyType: 'server' }

/** Whether an entry with this id is treated as a repeat. */
async function isRepeat(identified: PayloadIdentity): Promise<boolean> {
  let isDone = false
  await ids.once(identified, async () => {
    isDone = true
  })
  return !isDone
}

it('a payload id of a server key is remembered, however many come with public keys', async () => {
  ids.remember(one)
  ids.remember({ ...one, keyType: 'client' })
  for (let index = 0; index < 250_000; index++) {
    ids.remember({ ...one, keyType: index % 2 ? 'client' : 'mobile', payloadId: `flood ${index}` })
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
])('a payload id is different with %o', async (other) => {
  ids.remember({ ...one, ...other })
  expect(await isRepeat(one)).toBe(false)
  expect(await isRepeat({ ...one, ...other })).toBe(true)
})
