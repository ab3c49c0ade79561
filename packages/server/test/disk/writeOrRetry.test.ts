import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { writeOrRetry } from '../../src/composition/writeOrRetry.ts'
import { createMessageLogger } from '../../src/lib/logger.ts'
import { StoreUnavailableError } from '../../src/storage/store.ts'

const RETRY_MS = 2_000
const RETRYING = 'the client could not be stored; retrying'
const unavailable = () => new StoreUnavailableError('the disk is full')

/** What the next writes fail with; none if empty. */
let failures: Error[]
let written: number
let logged: string[]
let stop: () => unknown

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  failures = []
  written = 0
  logged = []
  stop = () => {}
})

afterEach(() => {
  vi.useRealTimers()
})

function start(): Promise<void> {
  const write = async () => {
    const failure = failures.shift()
    if (failure) throw failure
    written++
  }
  const log = createMessageLogger((message) => void logged.push(message))
  const defer = (close: () => unknown) => {
    stop = close
  }
  return writeOrRetry(write, 'the client', { log, disposer: { defer } })
}

it('repeats a write until the store can be written, and then no more', async () => {
  failures = [unavailable(), unavailable()]
  await start()
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect(written).toBe(0)
  await vi.advanceTimersByTimeAsync(3 * RETRY_MS)
  expect(written).toBe(1)
  expect(logged).toEqual([RETRYING])
})

it('logs another error of a repeated write', async () => {
  failures = [unavailable(), new Error('the name is taken')]
  await start()
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect(logged).toEqual([RETRYING, RETRYING])
})

it('fails with another error of the first write', async () => {
  failures = [new Error('the name is taken')]
  await expect(start()).rejects.toThrow('the name is taken')
})

it('ends with the server', async () => {
  failures = [unavailable()]
  await start()
  await stop()
  await vi.advanceTimersByTimeAsync(2 * RETRY_MS)
  expect(written).toBe(0)
})
