import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { every } from '../src/index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const fail = (error: unknown) => {
  throw error
}

test('runs after each wait', async () => {
  let runs = 0
  every(1000, () => runs++, { onError: fail })
  await vi.advanceTimersByTimeAsync(999)
  expect(runs).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(runs).toBe(2)
})

test('does not keep the process alive', () => {
  vi.useRealTimers()
  const before = process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length
  const job = every(1000, () => {}, { onError: fail })
  expect(process.getActiveResourcesInfo().filter((type) => type === 'Timeout')).toHaveLength(before)
  return job.stop()
})

test('starts the next wait only after a run has finished', async () => {
  const gate = deferred()
  let runs = 0
  const work = () => {
    runs++
    return gate.promise
  }
  every(1000, work, { onError: fail })
  await vi.advanceTimersByTimeAsync(5000)
  expect(runs).toBe(1)
  gate.resolve(undefined)
  await vi.advanceTimersByTimeAsync(999)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toBe(2)
})

test.each([
  [{}, 1000],
  [{ retryMs: 50 }, 50]
])('reports an error and runs again after the interval, or after retryMs: %j', async (options, wait) => {
  const errors: unknown[] = []
  every(1000, () => Promise.reject(new Error('broken')), { onError: (error) => errors.push(error), ...options })
  await vi.advanceTimersByTimeAsync(1000)
  expect(errors.map(String)).toEqual(['Error: broken'])
  await vi.advanceTimersByTimeAsync(wait - 1)
  expect(errors).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(errors).toHaveLength(2)
})

test('runs at once with immediately', async () => {
  let runs = 0
  every(1000, () => runs++, { onError: fail, immediately: true })
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(runs).toBe(2)
})

test('runs on demand, joins the run in progress, and waits after it', async () => {
  let runs = 0
  const job = every(1000, async () => runs++, { onError: fail })
  await vi.advanceTimersByTimeAsync(600)
  await Promise.all([job.run(), job.run()])
  await vi.advanceTimersByTimeAsync(999)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toBe(2)
})

test('stop waits for the run in progress and schedules no further run', async () => {
  const gate = deferred()
  let runs = 0
  const work = () => {
    runs++
    return gate.promise
  }
  const job = every(1000, work, { onError: fail })
  await vi.advanceTimersByTimeAsync(1000)
  let isStopped = false
  const stopped = job.stop().then(() => {
    isStopped = true
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(isStopped).toBe(false)
  gate.resolve(undefined)
  await stopped
  await job.run()
  expect([runs, vi.getTimerCount()]).toEqual([1, 0])
})

function deferred() {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise<unknown>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
