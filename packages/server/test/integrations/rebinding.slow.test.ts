import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import { createSafeFetch } from '../../src/lib/outbound/createSafeFetch.ts'
import { type DnsAnswer, startDnsServer } from '../support/processes/dnsServer.ts'

const hosts: (string | undefined)[] = []
const sink = createServer((request, response) => {
  hosts.push(request.headers.host)
  response.end()
})
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
  port = (sink.address() as AddressInfo).port
})
afterAll(() => void sink.close())

/** Public addresses. No test connects to them. */
const PUBLIC = '203.0.114.1'
const PUBLIC6 = '2606:4700:ffff::1'

async function attempt(
  say: (times: number, name: string) => DnsAnswer,
  { list = '', deadlineMs = 10_000, resolveMs = 5_000 } = {}
) {
  const names = await startDnsServer(say)
  const resolving = { servers: [names.server], deadlineMs: resolveMs }
  const send = createSafeFetch({
    serverVersion: '1.2.3',
    allowedPrivateTargets: parseAllowedDestinations(list)!,
    now: Date.now,
    deadlineMs,
    resolver: resolving
  })
  const post = () => send({ url: `http://hooks.example:${port}/`, headers: {}, body: '{}' })
  return { names, post }
}

/** Whether an attempt was refused by its address: an allowed one fails otherwise, or reaches the sink. */
const notPublic = {
  type: 'failed',
  reason: expect.stringMatching(
    /^hooks\.example resolves to an address that is not public; list it in BURGEE_ALLOWED_PRIVATE_TARGETS to allow it$/
  )
}

test.each<[string, DnsAnswer]>([
  ['a private address', { a: ['127.0.0.1'] }],
  ['a public and a private address', { a: [PUBLIC, '127.0.0.1'] }],
  ['a private and a public address', { a: ['127.0.0.1', PUBLIC] }],
  ['a public A and a private AAAA', { a: [PUBLIC], aaaa: ['::1'] }],
  ['a private A and a public AAAA', { a: ['127.0.0.1'], aaaa: [PUBLIC6] }],
  ['an AAAA with a private address inside', { a: [PUBLIC], aaaa: ['::ffff:127.0.0.1'] }],
  ['an AAAA for gateways with a private address inside', { aaaa: ['64:ff9b::7f00:1'] }],
  ['another name with a private address', { cname: 'inner.example', a: ['127.0.0.1'] }],
  ['a metadata service', { a: ['169.254.169.254'] }]
])('refuses a name that has %s', async (_, said) => {
  const before = hosts.length
  const { post } = await attempt(() => said)
  expect(await post()).toMatchObject(notPublic)
  expect(hosts.length).toBe(before)
})

test('resolves a name once for each attempt', async () => {
  const before = hosts.length
  // The first address is treated as public, and nothing listens there.
  const flips = await attempt((times) => ({ a: [times === 0 ? '127.0.0.2' : '127.0.0.1'] }), { list: '127.0.0.2' })
  const first = await flips.post()
  expect(first).toMatchObject({ type: 'failed', reason: expect.not.stringContaining('not public') })
  expect(flips.names.asked.toSorted()).toEqual(['A hooks.example', 'AAAA hooks.example'])
  expect(await flips.post()).toMatchObject(notPublic)
  expect(hosts.length).toBe(before)
})

test('resolves again for each attempt, and refuses addresses that are no longer public', async () => {
  const before = hosts.length
  const { post } = await attempt((times) => (times % 2 === 0 ? { a: ['10.0.0.8'] } : { a: ['127.0.0.1', PUBLIC] }))
  for (let times = 0; times < 4; times += 1) expect(await post()).toMatchObject(notPublic)
  expect(hosts.length).toBe(before)
})

test('connects to the checked address with the name of the host', async () => {
  // Resolving the name again would return another address.
  const say = (times: number): DnsAnswer => ({ a: [times === 0 ? '127.0.0.1' : PUBLIC] })
  const { post, names } = await attempt(say, { list: `hooks.example:${port}` })
  expect(await post()).toMatchObject({ type: 'answered', status: 200 })
  expect(hosts.at(-1)).toBe(`hooks.example:${port}`)
  expect(names.asked).toHaveLength(2)
})

test('connects to the first of several addresses that can be reached', async () => {
  const { post } = await attempt(() => ({ a: ['127.0.0.1'], aaaa: ['::1'] }), { list: '127.0.0.1,::1' })
  expect(await post()).toMatchObject({ status: 200 })
})

test('does not allow other names or ports of an allowed address', async () => {
  for (const list of ['other.example', 'hooks.example:1', '10.0.0.0/8']) {
    const { post } = await attempt(() => ({ a: ['127.0.0.1'] }), { list })
    expect(await post()).toMatchObject(notPublic)
  }
})

test.each<[string, DnsAnswer, string]>([
  ['does not exist', { code: 3 }, 'hooks.example has no address'],
  ['has no addresses', {}, 'hooks.example has no address'],
  ['leads to a name without addresses', { cname: 'inner.example' }, 'hooks.example could not be resolved'],
  ['its server fails at', { code: 2 }, 'hooks.example could not be resolved'],
  ['has a truncated answer, and no other', { a: [PUBLIC], isTruncated: true }, 'hooks.example could not be resolved'],
  ['has no response', { isSilent: true }, 'hooks.example was not resolved within 5 s']
])('fails within the deadline for a name that %s', async (_, said, reason) => {
  const { post } = await attempt(() => said, { deadlineMs: 60_000 })
  const outcome = await post()
  expect(outcome).toMatchObject({ type: 'failed', reason })
  expect(outcome.durationMs).toBeLessThan(50_000)
})

test('accepts a DNS response for one address family only', async () => {
  const say = (_: number, name: string): DnsAnswer => (name ? { a: ['127.0.0.1'], code: 0 } : {})
  const { post } = await attempt(say, { list: '127.0.0.1' })
  expect(await post()).toMatchObject({ status: 200 })
})
