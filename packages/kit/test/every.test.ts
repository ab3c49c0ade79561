import { expect, test } from 'vitest'
import { every, type Timers } from '../src/index.ts'

/** Timers that the test fires, and that record the waits. */
function manualTimers() {
  const waits: number[] = []
  let pending: (() => void) | undefined
  let unreferenced = 0
  const timers: Timers = {
    setTimeout: (callback, ms) => {
      waits.push(ms)
      pending = callback
      return { unref: () => unreferenced++ }
    },
    clearTimeout: () => {
      pending = undefined
    }
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const fire = async () => {
    const callback = pending
    pending = undefined
    callback?.()
    await settle()
    return callback !== undefined
  }
  return { timers, waits, fire, settle, unreferenced: () => unreferenced }
}

const fail = (error: unknown) => {
  throw error
}

test('runs after each wait, on timers that do not keep the process alive', async () => {
  const { timers, waits, fire, unreferenced } = manualTimers()
  let runs = 0
  every(1000, () => runs++, { onError: fail, timers })
  expect(runs).toBe(0)
  await fire()
  await fire()
  expect([runs, waits, unreferenced()]).toEqual([2, [1000, 1000, 1000], 3])
})

test('starts the next wait only after a run has finished', async () => {
  const { timers, waits, fire, settle } = manualTimers()
  const gate = deferred()
  every(1000, () => gate.promise, { onError: fail, timers })
  await fire()
  expect(waits).toEqual([1000])
  gate.resolve(undefined)
  await settle()
  expect(waits).toEqual([1000, 1000])
})

test.each([
  [undefined, [1000, 1000]],
  [50, [1000, 50]]
])('reports an error and runs again, after retryMs if given: %s', async (retryMs, expected) => {
  const { timers, waits, fire } = manualTimers()
  const errors: unknown[] = []
  const work = () => Promise.reject(new Error('broken'))
  every(1000, work, { onError: (error) => errors.push(error), timers, ...(retryMs ? { retryMs } : {}) })
  await fire()
  expect([errors.map(String), waits]).toEqual([['Error: broken'], expected])
})

test.each([
  [0, 900],
  [0.5, 1000],
  [0.75, 1050]
])('varies its waits by the jitter: %s', (random, expected) => {
  const { timers, waits } = manualTimers()
  every(1000, () => {}, { onError: fail, timers, jitter: 0.1, random: () => random })
  expect(waits).toEqual([expected])
})

test('calls an interval function before each wait', async () => {
  const { timers, waits, fire } = manualTimers()
  let interval = 1000
  every(
    () => interval,
    () => {},
    { onError: fail, timers }
  )
  interval = 2000
  await fire()
  expect(waits).toEqual([1000, 2000])
})

test('runs at once with immediately', async () => {
  const { timers, waits, settle } = manualTimers()
  let runs = 0
  every(1000, () => runs++, { onError: fail, timers, immediately: true })
  await settle()
  expect([runs, waits]).toEqual([1, [1000]])
})

test('runs on demand, and joins the run in progress', async () => {
  const { timers, waits } = manualTimers()
  let runs = 0
  const job = every(1000, async () => runs++, { onError: fail, timers })
  await Promise.all([job.run(), job.run()])
  expect([runs, waits]).toEqual([1, [1000, 1000]])
})

test('stop waits for the run in progress and schedules no further run', async () => {
  const { timers, waits, fire } = manualTimers()
  const gate = deferred()
  let runs = 0
  const work = () => {
    runs++
    return gate.promise
  }
  const job = every(1000, work, { onError: fail, timers })
  await fire()
  let isStopped = false
  const stopped = job.stop().then(() => {
    isStopped = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isStopped).toBe(false)
  gate.resolve(undefined)
  await stopped
  await job.run()
  expect([await fire(), runs, waits]).toEqual([false, 1, [1000]])
})

test('uses the timers of the platform by default', async () => {
  const gate = deferred()
  const job = every(1, () => gate.resolve(undefined), { onError: fail })
  await gate.promise
  await job.stop()
})

function deferred() {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise<unknown>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
