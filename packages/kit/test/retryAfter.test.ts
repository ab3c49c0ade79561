import { expect, test } from 'vitest'
import { parseRetryAfter, retryAfterHeaders, toRetrySeconds } from '../src/index.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const slowClock = now - 3_600_000
const server = 'Sun, 01 Mar 2026 12:00:00 GMT'
const inTwoMinutes = 'Sun, 01 Mar 2026 12:02:00 GMT'

test.each([
  ['3', { now }, 3000],
  [' 3 ', { now }, 3000],
  ['0', { now }, 0],
  ['99999', { now }, 600_000],
  [inTwoMinutes, { now }, 120_000],
  [inTwoMinutes, { now: slowClock, date: server }, 120_000],
  [inTwoMinutes, { now: slowClock, date: 'nonsense' }, 600_000],
  [inTwoMinutes, { now: now + 3_600_000, date: server }, 120_000],
  [server, { now: now + 1 }, 0],
  ['2026-03-01T12:02:00Z', { now }, undefined],
  ['-3', { now }, undefined],
  ['soon', { now }, undefined],
  ['Sunday next week', { now }, undefined],
  ['', { now }, undefined],
  [null, { now }, undefined],
  [undefined, { now }, undefined]
])('reads %j with %j as %s ms', (value, received, expected) => {
  expect(parseRetryAfter(value, { ...received, maxMs: 600_000 })).toBe(expected)
})

test.each([
  [0, 1, '2026-03-01T12:00:01.000Z'],
  [1, 1, '2026-03-01T12:00:01.000Z'],
  [1000, 1, '2026-03-01T12:00:01.000Z'],
  [1001, 2, '2026-03-01T12:00:02.000Z'],
  [60_000, 60, '2026-03-01T12:01:00.000Z']
])('asks for a wait of %s ms as %s s', (waitMs, seconds, later) => {
  expect(toRetrySeconds(waitMs)).toBe(seconds)
  expect(retryAfterHeaders(waitMs, now)).toEqual({ 'retry-after': String(seconds), 'retry-later': later })
})
