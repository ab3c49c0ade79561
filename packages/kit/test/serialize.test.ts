import { expect, test } from 'vitest'
import { serialize } from '../src/index.ts'

test('runs one task at a time, in order, and returns its result', async () => {
  const run = serialize()
  const seen: string[] = []
  const work = (name: string) => async () => {
    seen.push(`${name} starts`)
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(`${name} ends`)
    return name
  }
  expect(await Promise.all(['a', 'b', 'c'].map((name) => run(work(name))))).toEqual(['a', 'b', 'c'])
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
])('continues after a task that %s', async (_, failing) => {
  const run = serialize()
  const failed = run(failing)
  const next = run(() => 'done')
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('done')
})

test('is idle once all tasks have finished, including failed ones', async () => {
  const run = serialize()
  let isFinished = false
  void run(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    isFinished = true
  })
  run(() => Promise.reject(new Error('broken'))).catch(() => {})
  await run.idle()
  expect(isFinished).toBe(true)
})
