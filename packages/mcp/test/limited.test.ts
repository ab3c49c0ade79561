import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { limited } from '../src/api/limited.ts'
import { createCallLimit } from '../src/http/callLimit.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('ends a request that nobody answers, also when the memory is tidied up meanwhile', async () => {
  const server = createServer(() => {})
  const url = await new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
  const ended = vi.fn()
  const begin = () => void fetch(url, { signal: limited(500, new AbortController().signal) }).catch(ended)
  begin()
  await vi.waitFor(() => {
    collectGarbage()
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ name: 'TimeoutError' }))
  }, 5_000)
  server.closeAllConnections()
  server.close()
})

test('says how long that was', async () => {
  const signal = limited(50)
  await vi.waitFor(() => expect(signal.aborted).toBe(true), 5_000)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError', message: 'there was no answer within 0.05 seconds' })
})

test.each(['before', 'after'])('ends with another one that ends %s it begins', (when) => {
  const other = new AbortController()
  if (when === 'before') other.abort('enough')
  const signal = limited(60_000, other.signal)
  other.abort('enough')
  expect([signal.aborted, signal.reason]).toEqual([true, 'enough'])
})

test('so many calls of one caller within a minute go through, and the rest are told how long to wait', async () => {
  let now = 0
  const limit = createCallLimit(2, () => now)
  const calls = async (caller: string) => [await limit(caller), await limit(caller), await limit(caller)]
  expect(await calls('ada')).toEqual([undefined, undefined, 60])
  now = 45_500
  expect([await limit('ada'), await limit('bob')]).toEqual([15, undefined])
  now = 60_000
  expect(await calls('ada')).toEqual([undefined, undefined, 60])
  const none = createCallLimit(0, () => now)
  expect([await none('ada'), await none('ada')]).toEqual([undefined, undefined])
})

test('callers are forgotten when there are too many, the one counted for longest first', async () => {
  const limit = createCallLimit(1, () => 0)
  for (let caller = 0; caller < 10_001; caller++) await limit(String(caller))
  expect([await limit('1'), await limit('0')]).toEqual([60, undefined])
})
