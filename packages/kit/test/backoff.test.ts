import { expect, test } from 'vitest'
import { backoff } from '../src/index.ts'

test.each([
  [0, [100, 200, 400, 800, 1000, 1000]],
  [0.5, [75, 150, 300, 600, 750]]
])('doubles the delay with each failure, and resets it after success (random: %s)', (random, expected) => {
  const { next, reset } = backoff({ initialMs: 100, maxMs: 1000, random: () => random })
  expect(expected.map(next)).toEqual(expected)
  reset()
  expect(next()).toBe(expected[0])
})

test('stays at the longest delay after any number of failures', () => {
  const { next } = backoff({ initialMs: 1, maxMs: 1000, random: () => 0 })
  for (let failures = 0; failures < 5000; failures++) next()
  expect(next()).toBe(1000)
})
