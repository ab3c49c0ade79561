import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRateLimiter } from '../src/rateLimiter.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('limits the events of each name per minute, and returns the milliseconds to wait', async () => {
  const { consume } = createRateLimiter(2)
  const three = async (name: string) => [await consume(name), await consume(name), await consume(name)]
  expect(await three('ada')).toEqual([undefined, undefined, 60_000])
  await vi.advanceTimersByTimeAsync(45_500)
  expect([await consume('ada'), await consume('bob')]).toEqual([14_500, undefined])
  await vi.advanceTimersByTimeAsync(14_500)
  expect(await three('ada')).toEqual([undefined, undefined, 60_000])
})

it('counts several events at once', async () => {
  const { consume } = createRateLimiter(10)
  expect([await consume('ada', 8), await consume('ada', 3)]).toEqual([undefined, 60_000])
})

it('records events without limiting them, returns the wait, and resets on request', async () => {
  const { record, findWait, reset } = createRateLimiter(1)
  expect(await findWait('ada')).toBeUndefined()
  await record('ada')
  await record('ada')
  expect(await findWait('ada')).toBe(60_000)
  await reset('ada')
  expect(await findWait('ada')).toBeUndefined()
})

it('distinguishes names by their first 500 characters, which bounds the memory', async () => {
  const { consume } = createRateLimiter(1)
  const long = 'x'.repeat(500)
  expect([await consume(`${long}1`), await consume(`${long}2`)]).toEqual([undefined, 60_000])
})

it('sets no limit at 0', async () => {
  const { consume, record, findWait } = createRateLimiter(0)
  await record('ada')
  expect([await consume('ada'), await consume('ada'), await findWait('ada')]).toEqual([undefined, undefined, undefined])
})
