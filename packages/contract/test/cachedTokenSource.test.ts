import { expect, it } from 'vitest'
import { cachedTokenSource } from '../src/client.ts'

/** A source of numbered tokens that expire 100 ms after they were requested, with a clock that tests set. */
function numbered({ failing = 0 } = {}) {
  const clock = { now: 0, requests: 0 }
  const request = async () => {
    const number = ++clock.requests
    if (number <= failing) throw new Error(`failure ${number}`)
    return { token: `token ${number}`, expiresAt: clock.now + 100 }
  }
  return { clock, ...cachedTokenSource(request, () => clock.now, 10) }
}

it('requests a token once for concurrent calls, and again shortly before it expires', async () => {
  const { clock, getToken } = numbered()
  expect(await Promise.all([getToken('a'), getToken('b')])).toEqual(['token 1', 'token 1'])
  clock.now = 89
  expect(await getToken('a')).toBe('token 1')
  clock.now = 90
  expect(await Promise.all([getToken('a'), getToken('b')])).toEqual(['token 2', 'token 2'])
})

it('requests another token after one was rejected', async () => {
  const { getToken, invalidate } = numbered()
  expect([await getToken('a'), invalidate(), await getToken('a')]).toEqual(['token 1', true, 'token 2'])
})

it('keeps no failure', async () => {
  const { getToken } = numbered({ failing: 1 })
  await expect(getToken('a')).rejects.toThrow('failure 1')
  expect(await getToken('a')).toBe('token 2')
})
