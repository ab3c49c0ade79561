import { getEventListeners } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { timeoutSignal } from '../src/index.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('aborts an unanswered request, even after a garbage collection', async () => {
  const server = createServer(() => {})
  const url = await new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
  const ended = vi.fn()
  const begin = () => void fetch(url, { signal: timeoutSignal(500, new AbortController().signal) }).catch(ended)
  begin()
  await vi.waitFor(() => {
    collectGarbage()
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ name: 'TimeoutError' }))
  }, 20_000)
  server.closeAllConnections()
  server.close()
})

test('names the timeout in its reason', async () => {
  const signal = timeoutSignal(50)
  await vi.waitFor(() => expect(signal.aborted).toBe(true), 20_000)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError', message: 'no response within 0.05 s' })
})

test.each(['before', 'after'])('ends with another one that ends %s it begins', (when) => {
  const other = new AbortController()
  if (when === 'before') other.abort('enough')
  const signal = timeoutSignal(60_000, other.signal)
  other.abort('enough')
  expect([signal.aborted, signal.reason]).toEqual([true, 'enough'])
})

test.each(['its timeout', 'another signal'])('leaves no listener behind once %s has ended it', async (by) => {
  const other = new AbortController()
  const signal = timeoutSignal(50, other.signal)
  expect(getEventListeners(other.signal, 'abort')).toHaveLength(1)
  if (by === 'another signal') other.abort('enough')
  await vi.waitFor(() => expect(signal.aborted).toBe(true), 20_000)
  expect(getEventListeners(other.signal, 'abort')).toHaveLength(0)
})

test('stops its timer when another signal ends it', () => {
  vi.useFakeTimers()
  try {
    const other = new AbortController()
    timeoutSignal(60_000, other.signal)
    expect(vi.getTimerCount()).toBe(1)
    other.abort('enough')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
