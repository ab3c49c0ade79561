import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { timeoutSignal } from '../src/api/timeoutSignal.ts'
import { createRateLimiter } from '../src/http/rateLimiter.ts'

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
  }, 5_000)
  server.closeAllConnections()
  server.close()
})

test('names the timeout in its reason', async () => {
  const signal = timeoutSignal(50)
  await vi.waitFor(() => expect(signal.aborted).toBe(true), 5_000)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError', message: 'no response within 0.05 seconds' })
})

test.each(['before', 'after'])('ends with another one that ends %s it begins', (when) => {
  const other = new AbortController()
  if (when === 'before') other.abort('enough')
  const signal = timeoutSignal(60_000, other.signal)
  other.abort('enough')
  expect([signal.aborted, signal.reason]).toEqual([true, 'enough'])
})

test('limits the calls of each caller per minute, and returns the seconds to wait', async () => {
  vi.useFakeTimers()
  try {
    const limit = createRateLimiter(2)
    const calls = async (caller: string) => [await limit(caller), await limit(caller), await limit(caller)]
    expect(await calls('ada')).toEqual([undefined, undefined, 60])
    await vi.advanceTimersByTimeAsync(45_500)
    expect([await limit('ada'), await limit('bob')]).toEqual([15, undefined])
    await vi.advanceTimersByTimeAsync(14_500)
    expect(await calls('ada')).toEqual([undefined, undefined, 60])
  } finally {
    vi.useRealTimers()
  }
})

test('sets no limit at 0', async () => {
  const limit = createRateLimiter(0)
  expect([await limit('ada'), await limit('ada')]).toEqual([undefined, undefined])
})
