import { expect, test } from 'vitest'
import { inFlight } from '../src/index.ts'

test('counts promises until they settle, and passes on their outcomes', async () => {
  const tasks = inFlight()
  const done = tasks.track(Promise.resolve('done'))
  const failed = tasks.track(Promise.reject(new Error('broken')))
  expect(tasks.size()).toBe(2)
  await expect(failed).rejects.toThrow('broken')
  expect([await done, tasks.size()]).toEqual(['done', 0])
})

test('settles after everything that it tracks, failed or not', async () => {
  const tasks = inFlight()
  const order: string[] = []
  const later = async (name: string, ms: number) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    order.push(name)
    if (name === 'failing') throw new Error('broken')
  }
  const outcomes = Promise.allSettled([tasks.track(later('slow', 20)), tasks.track(later('failing', 5))])
  await tasks.settled()
  expect(order).toEqual(['failing', 'slow'])
  await outcomes
})

test('settles at once when nothing is in flight', async () => {
  await expect(inFlight().settled()).resolves.toBeUndefined()
})
