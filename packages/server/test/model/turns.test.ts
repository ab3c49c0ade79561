import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { takeTurn } from '../../src/lib/time.ts'

it('continues one waiter in each turn of the event loop, in their order', async () => {
  const continued: number[] = []
  const waiters = [1, 2, 3].map((number) => takeTurn().then(() => continued.push(number)))
  const counts: number[] = []
  while (continued.length < waiters.length) {
    await setImmediate()
    counts.push(continued.length)
  }
  expect(continued).toEqual([1, 2, 3])
  const added = counts.map((count, index) => count - (counts[index - 1] ?? 0))
  expect(Math.max(...added)).toBe(1)
})

it('lets those that wait first continue before those that wait again', async () => {
  const continued: string[] = []
  const work = async (name: string) => {
    for (let part = 0; part < 2; part++) {
      await takeTurn()
      continued.push(name)
    }
  }
  await Promise.all([work('one'), work('other')])
  expect(continued).toEqual(['one', 'other', 'one', 'other'])
})
