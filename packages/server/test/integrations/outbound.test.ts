import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseOptions } from '../../src/cli/options.ts'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import { createSafeFetch } from '../../src/lib/outbound/createSafeFetch.ts'
import { isPublicAddress } from '../../src/lib/outbound/isPublicAddress.ts'
import { validateDestination } from '../../src/lib/outbound/validateDestination.ts'
import { startDnsServer } from '../support/processes/dnsServer.ts'

/** Receives all requests that are not refused, on all addresses of this machine. */
const sink = createServer((socket) => {
  connections += 1
  socket.on('error', () => {})
  socket.end('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nreached')
})
let connections = 0
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
  port = (sink.address() as AddressInfo).port
})
afterAll(() => void sink.close())

const body = { headers: { 'content-type': 'application/json' }, body: '{}' }

/** Local, private and unspecified addresses in every notation. */
const refused = [
  'http://127.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://2130706433:PORT/',
  'http://168.63.129.16:PORT/',
  'http://[64:ff9b::168.63.129.16]:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.0x0.0x0.0x1:PORT/',
  'http://0x7f.1:PORT/',
  'http://017700000001:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://00000177.0000.0000.0001:PORT/',
  'http://127.0.0.01:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://127。0。0。1:PORT/',
  'http://127．0．0．1:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://127.0.0.1:PORT',
  'http:127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  ' http://127.0.0.1:PORT/',
  'http://127.0.0.1:PORT/#@example.com',
  'http://127.0.0.1:PORT\\@example.com/',
  'http://example.com@127.0.0.1:PORT/',
  'http://user:password@127.0.0.1:PORT/',
  'http://user:password@example.com:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
  'http://hooks.localhost:PORT/',
  'http://ｌｏｃａｌｈｏｓｔ:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://0.1.2.3:PORT/',
  'http://127.255.255.254:PORT/',
  'http://10.0.0.8:PORT/',
  'http://172.16.0.1:PORT/',
  'http://172.31.255.255:PORT/',
  'http://192.168.1.1:PORT/',
  'http://100.64.0.1:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/latest/meta-data/',
  'http://0xa9fea9fe/latest/meta-data/',
  'http://169.254.170.2/v2/credentials',
  'http://100.100.100.200/latest/meta-data/',
  'http://192.0.0.192/opc/v1/instance/',
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::ffff:8.8.8.8]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[::ffff:0:127.0.0.1]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[64:ff9b::a9fe:a9fe]/latest/meta-data/',
  'http://[64:ff9b:1::8.8.8.8]:PORT/',
  'http://[2a00:1450::5efe:169.254.169.254]:PORT/',
  'http://[2a00:1450::200:5efe:10.0.0.8]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]:PORT/',
  'http://[fc00::1]:PORT/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[fe80::1]:PORT/',
  'http://[fe80::1%25lo]:PORT/',
  'http://[fec0::1]:PORT/',
  'http://[ff02::1]:PORT/',
  'http://[2001:db8::1]:PORT/',
  'http://[3fff::1]:PORT/',
  'http://[100::1]:PORT/',
  'https://127.0.0.1:PORT/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_POST',
  'ftp://127.0.0.1:PORT/',
  'data:text/plain,hello',
  'unix:/var/run/docker.sock',
  'ws://127.0.0.1:PORT/',
  'javascript:alert(1)',
  '//127.0.0.1:PORT/',
  '127.0.0.1:PORT',
  'http://',
  'http://127.0.0.1:99999/',
  ''
].map((url): [string] => [url])

test.each(refused)('%j is refused both at validation and at an attempt, without a connection', async (text) => {
  const before = connections
  const url = text.replace('PORT', String(port))
  expect(validateDestination(url, [])).toBeDefined()
  const outcome = await createSafeFetch({ serverVersion: '1.2.3', allowedPrivateTargets: [], now: Date.now })({
    url,
    ...body
  })
  expect(outcome).toMatchObject({ type: 'failed', reason: expect.stringMatching(/is not public|cannot be called/) })
  expect(connections).toBe(before)
})

/** Names with local and private addresses in the test resolver. */
test.each([
  ['metadata.google.internal', { a: ['169.254.169.254'] }],
  ['xn--bcher-kva.example', { a: ['127.0.0.1'] }],
  ['bücher.example', { a: ['127.0.0.1'] }],
  ['127.0.0.1.nip.example', { a: ['127.0.0.1'] }],
  ['hooks.example.', { a: ['10.0.0.8'] }],
  ['mapped.example', { aaaa: ['::ffff:127.0.0.1'] }]
])('the name %s is refused because of its address', async (name, answer) => {
  const before = connections
  const names = await startDnsServer(() => answer)
  const send = createSafeFetch({
    serverVersion: '1.2.3',
    allowedPrivateTargets: [],
    now: Date.now,
    resolver: { servers: [names.server] }
  })
  const outcome = await send({ url: `http://${name}:${port}/`, ...body })
  expect(outcome).toMatchObject({
    type: 'failed',
    reason: expect.stringMatching(/ resolves to an address that is not public; list it in [A-Z_]+ to allow it$/)
  })
  expect(connections).toBe(before)
})

test('a reserved name is not resolved', async () => {
  const names = await startDnsServer(() => ({ a: ['8.8.8.8'] }))
  const resolving = { servers: [names.server] }
  const send = createSafeFetch({
    serverVersion: '1.2.3',
    allowedPrivateTargets: [],
    now: Date.now,
    resolver: resolving
  })
  const answer = await send({ url: 'http://hooks.invalid/', ...body })
  expect(answer).toMatchObject({ type: 'failed', reason: 'hooks.invalid has no address' })
  expect(names.asked).toEqual([])
})

test('every request names the program in its User-Agent', async () => {
  const heads: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      heads.push(chunk.toString())
      socket.end('HTTP/1.1 204 No Content\r\n\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const send = createSafeFetch({
    serverVersion: '1.2.3',
    allowedPrivateTargets: parseAllowedDestinations('127.0.0.1')!,
    now: Date.now
  })
  await send({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, ...body })
  server.close()
  expect(heads[0]).toMatch(/^user-agent: Burgee\/1\.2\.3\r$/im)
})

describe('a public address', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '11.0.0.1',
    '2606:4700:4700::1111',
    '64:ff9b::8.8.8.8',
    '2a00:1450::5efe:8.8.8.8',
    '2a00:1450::100:5efe:10.0.0.8'
  ])('includes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each(['', 'example.com', '2606:4700::1%eth0', '4000::1', '1::1', '192.31.196.1', '2001:2::1'])(
    'excludes %j',
    (address) => expect(isPublicAddress(address)).toBe(false)
  )

  test('URLs of public hosts are allowed on every port', () => {
    for (const url of [
      'https://example.com/hooks?a=b',
      'http://example.com:25/',
      'https://8.8.8.8/',
      'http://intranet/'
    ]) {
      expect(validateDestination(url, [])).toBeUndefined()
    }
  })
})

describe('allowed private targets', () => {
  test.each([
    ['127.0.0.1', 'http://127.0.0.1:8080/', true],
    ['127.0.0.1', 'http://0x7f.1:8080/', true],
    ['127.0.0.1', 'http://127.0.0.2:8080/', false],
    ['127.0.0.1', 'http://[::ffff:127.0.0.1]:8080/', false],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/', true],
    ['127.0.0.1:8080', 'http://127.0.0.1:8081/', false],
    ['127.0.0.1:80', 'http://127.0.0.1/', true],
    ['127.0.0.1:443', 'https://127.0.0.1/', true],
    ['10.0.0.0/8', 'http://10.200.3.4/', true],
    ['10.0.0.0/8', 'http://11.0.0.1/', true],
    ['10.0.0.0/8', 'http://192.168.0.1/', false],
    ['::1', 'http://[::1]/', true],
    ['[::1]:80', 'http://[::1]/', true],
    ['[::1]:80', 'http://[::1]:81/', false],
    ['fd00::/8', 'http://[fd12::1]/', true],
    ['localhost', 'http://localhost:8080/', true],
    ['localhost', 'http://127.0.0.1:8080/', false],
    ['localhost', 'http://a.localhost:8080/', false],
    ['127.0.0.0/8, ::1', 'http://a.localhost/', true],
    ['127.0.0.0/8', 'http://localhost/', false],
    ['Hooks.LOCALHOST.:99', 'http://hooks.localhost:99/', true]
  ])('%j for %s: %j', (list, url, isReached) => {
    expect(validateDestination(url, parseAllowedDestinations(list)!) === undefined).toBe(isReached)
  })

  test('can be called', async () => {
    const send = createSafeFetch({
      serverVersion: '1.2.3',
      allowedPrivateTargets: parseAllowedDestinations('127.0.0.1')!,
      now: Date.now
    })
    expect(await send({ url: `http://127.0.0.1:${port}/`, ...body })).toMatchObject({ status: 200, excerpt: 'reached' })
  })

  test.each([
    'http://127.0.0.1',
    '10.0.0.0/33',
    '10.0.0/8',
    '127.1',
    '0177.0.0.1',
    'host:port',
    'host:0',
    'host:65536',
    'a,,b',
    '*',
    '*.internal',
    'user@host',
    'host/path',
    '[::1',
    '[127.0.0.1]',
    'fe80::/200'
  ])('%j is refused as a list', (list) => {
    expect(() => parseOptions([`--allowed-private-targets=${list}`], {})).toThrow(
      /^--allowed-private-targets cannot be ".*"\. Targets that webhooks and integrations may reach/
    )
  })

  test.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['hooks.internal,10.0.0.8/30', '10.0.0.8/30'],
    ['192.168.1.1/0', '0.0.0.0/0'],
    ['fd00::1/8', 'fd00::/8']
  ])('%j has bits beyond the mask, unless it is %s', (list, right) => {
    const read = () => parseOptions([`--allowed-private-targets=${list}`], {})
    if (list.endsWith(right)) expect(read).not.toThrow()
    else expect(read).toThrow(`"${list}" has host bits set; use ${right}`)
  })

  test('are a setting that is empty by default', () => {
    expect(parseOptions([], {}).allowedPrivateTargets).toEqual([])
    expect(
      parseOptions([], { BURGEE_ALLOWED_PRIVATE_TARGETS: ' a:1 , 10.0.0.0/8' }).allowedPrivateTargets
    ).toHaveLength(2)
  })
})
