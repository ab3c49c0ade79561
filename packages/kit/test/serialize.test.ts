import { expect, test } from 'vitest'
import { serialize } from '../src/index.ts'

test('runs one piece of work at a time, in order, and returns its result', async () => {
  const inTurn = serialize()
  const seen: string[] = []
  const work = (name: string) => async () => {
    seen.push(`${name} starts`)
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(`${name} ends`)
    return name
  }
  expect(await Promise.all(['a', 'b', 'c'].map((name) => inTurn(work(name))))).toEqual(['a', 'b', 'c'])
  expect(seen).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
})

test.each([
  [
    'throws',
    () => {
      throw new Error('broken')
    }
  ],
  ['rejects', async () => Promise.reject(new Error('broken'))]
])('goes on after work that %s', async (_, failing) => {
  const inTurn = serialize()
  const failed = inTurn(failing)
  const next = inTurn(() => 'done')
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('done')
})

test('is idle once everything that was handed over has finished, failures included', async () => {
  const inTurn = serialize()
  let isFinished = false
  void inTurn(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    isFinished = true
  })
  inTurn(() => Promise.reject(new Error('broken'))).catch(() => {})
  await inTurn.idle()
  expect(isFinished).toBe(true)
})
