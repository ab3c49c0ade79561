import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withDeadline, withTimeout } from '../src/index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Work that ends only when it is aborted. */
const untilAborted = (signal: AbortSignal): Promise<never> => {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

const never = new Promise<never>(() => {})

describe('withTimeout', () => {
  it('returns the result of the work, and leaves neither a timer nor a listener', async () => {
    const { signal } = new AbortController()
    expect(await withTimeout(1000, signal, async () => 'done')).toBe('done')
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort')]).toEqual([0, []])
  })

  it('aborts the work after the timeout', async () => {
    const { signal } = new AbortController()
    const result = withTimeout(1000, signal, untilAborted)
    const rejected = expect(result).rejects.toThrow('no response within 1 s')
    await vi.advanceTimersByTimeAsync(1000)
    await rejected
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('aborts the work with the signal and its reason', async () => {
    const controller = new AbortController()
    const result = withTimeout(1000, controller.signal, untilAborted)
    controller.abort(new Error('closed'))
    await expect(result).rejects.toThrow('closed')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('starts the work as aborted if the signal is', async () => {
    await expect(withTimeout(1000, AbortSignal.abort(new Error('closed')), untilAborted)).rejects.toThrow('closed')
  })
})

describe('withDeadline', () => {
  it('returns the result of the promise, and leaves no timer', async () => {
    expect(await withDeadline(1000, Promise.resolve('done'), () => 'late')).toBe('done')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('rejects with the error of the promise, and leaves no timer', async () => {
    await expect(withDeadline(1000, Promise.reject(new Error('broken')), () => 'late')).rejects.toThrow('broken')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('returns the result of onDeadline at the deadline', async () => {
    const result = withDeadline<string>(1000, never, () => 'late')
    await vi.advanceTimersByTimeAsync(1000)
    expect(await result).toBe('late')
  })

  it('rejects with the error of onDeadline', async () => {
    const result = withDeadline(1000, never, () => {
      throw new Error('late')
    })
    const rejected = expect(result).rejects.toThrow('late')
    await vi.advanceTimersByTimeAsync(1000)
    await rejected
  })

  it('ignores an error of the promise after the deadline', async () => {
    const promise = new Promise<string>((_, reject) => setTimeout(() => reject(new Error('too late')), 2000))
    const result = withDeadline(1000, promise, () => 'late')
    await vi.advanceTimersByTimeAsync(2000)
    expect(await result).toBe('late')
  })
})
