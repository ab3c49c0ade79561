import { call, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { keyOf } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it } from 'vitest'

const ATTEMPTS = 60

let server: TestServer
let authorization: string

beforeAll(async () => {
  server = await serve({ features: [{ key: 'checkout' }] })
  authorization = `Bearer ${await tokenOf(server)}`
  const events = Array.from({ length: 400 }, () => ({ type: 'purchase', metaData: { note: 'n'.repeat(400) } }))
  const user = { user_id: 'user-1' }
  expect((await call(server, 'track', { body: { user, events }, key: keyOf('server') })).status).toBe(201)
})

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly message: unknown
}

const operations = [
  ['erasures', 'DELETE', '/v1/edgedb/user-2', () => keyOf('server')],
  ['erasures', 'DELETE', '/v1/projects/shop/user-data/user-2', () => authorization],
  ['exports', 'GET', '/v1/projects/shop/user-data/user-1', () => authorization]
] as const

describe.each(operations)('many %s (%s %s)', (what, method, path, credential) => {
  const request = (signal?: AbortSignal) => {
    const headers = { authorization: credential() }
    return fetch(`${server.url}${path}`, { method, headers, ...(signal ? { signal } : {}) })
  }

  const answerOf = async (): Promise<Answer> => {
    const response = await request()
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      message: response.ok ? undefined : JSON.parse(text).message
    }
  }

  it('at once are refused beyond the queue, and the others succeed', async () => {
    const answers = await Promise.all(Array.from({ length: ATTEMPTS }, answerOf))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThanOrEqual(ATTEMPTS - 11)
    expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true)
    for (const { headers, message } of refused) {
      expect(message).toBe(`10 of your ${what} of users are queued (limit: 10); retry in 10 s`)
      expect([headers.get('retry-after'), headers.get('retry-later')]).toEqual(['10', expect.any(String)])
    }
    expect((await answerOf()).status).toBe(200)
  })

  it('whose clients disconnect leave room for others', async () => {
    const controller = new AbortController()
    const gone = Array.from({ length: 11 }, () => request(controller.signal).catch(() => undefined))
    await Promise.race(gone)
    controller.abort()
    await Promise.all(gone)
    const { status } = await answerOf()
    expect(status).toBe(200)
  })
})
