import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { ProviderStatus } from '@openfeature/server-sdk'
import { expect, test, vi } from 'vitest'
import { pollingSource, staticSource } from '../src/index.ts'
import type { ProviderOptions } from '../src/options.ts'
import { configOf } from './support/configs.ts'
import { fakeEvents } from './support/fakeEvents.ts'
import {
  etagOf,
  type FakeServer,
  fakeServer,
  messageOf,
  type Reply,
  sendJson,
  type Version
} from './support/fakeServer.ts'
import { type Bound, bind, quick, sdkKey, settled, until } from './support/harness.ts'

const first: Version = { config: configOf({ color: 'red', size: 1 }), at: 1_000 }
const second: Version = { config: configOf({ color: 'blue', size: 1 }), at: 2_000 }
const third: Version = { config: configOf({ color: 'green', size: 1 }), at: 3_000 }

/** A provider that polls, so that each fault affects the download of the config. */
function bindPolling(server: FakeServer, options: Partial<ProviderOptions> = {}): Promise<Bound> {
  const source = pollingSource({ ...quick, requestTimeoutMs: 10_000, ...options, url: server.url, sdkKey })
  return bind({ ...quick, ...options, source } as ProviderOptions)
}

function color({ client }: Bound): Promise<string> {
  return client.getStringValue('color', 'default')
}

function status({ client }: Bound): ProviderStatus {
  return client.providerStatus
}

test('a provider whose server is down at the start returns defaults and becomes ready later', async () => {
  const server = await fakeServer(first)
  await server.stop()
  const bound = await bindPolling(server, { initTimeoutMs: 300 })
  expect(bound.error?.message).toMatch(/^there is no config after 300 ms/)
  expect(status(bound)).toBe(ProviderStatus.ERROR)
  expect(await bound.client.getStringDetails('color', 'default')).toMatchObject({
    value: 'default',
    reason: 'ERROR',
    errorCode: 'PROVIDER_NOT_READY'
  })
  await until(() => bound.logs.some((line) => /^the config cannot be read from http.*ECONNREFUSED/.test(line)))
  await server.start()
  await until(() => status(bound) === ProviderStatus.READY)
  expect(await color(bound)).toBe('red')
  expect(bound.events).toEqual(['READY', 'CONFIGURATION_CHANGED color size'])
})

test('a provider whose server goes down becomes stale, then error, keeps the last config, and recovers', async () => {
  const server = await fakeServer(first)
  const bound = await bindPolling(server)
  await server.stop()
  await until(() => bound.events.includes('STALE'))
  expect(await color(bound)).toBe('red')
  await until(() => status(bound) === ProviderStatus.ERROR)
  expect(await color(bound)).toBe('red')
  server.version = second
  await server.start()
  await until(() => status(bound) === ProviderStatus.READY)
  expect(bound.events).toEqual(['STALE', 'ERROR', 'READY', 'CONFIGURATION_CHANGED color'])
  expect(await color(bound)).toBe('blue')
})

test('an outage shorter than staleAfterMs emits no event', async () => {
  const server = await fakeServer(first)
  const bound = await bindPolling(server, { staleAfterMs: 60_000, errorAfterMs: 120_000 })
  await server.stop()
  await until(() => bound.logs.some((line) => line.includes('the config cannot be read')))
  await server.start()
  server.publish(second)
  await until(async () => (await color(bound)) === 'blue')
  expect(bound.events).toEqual(['CONFIGURATION_CHANGED color'])
})

/** Replies without a valid config, and the message about them. */
const bad: readonly [string, Reply, RegExp][] = [
  ['500', (response) => response.writeHead(500).end('oops'), /status 500/],
  ['404', (response) => response.writeHead(404).end('{}'), /status 404/],
  ['invalid JSON', (response) => sendJson(response, '{"project":', second), /not JSON/],
  ['a page', (response) => sendJson(response, '<!DOCTYPE html><p>Please sign in</p>', second), /not JSON/],
  ['an empty body', (response) => sendJson(response, '', second), /not JSON/],
  ['null', (response) => sendJson(response, 'null', second), /not a config/],
  [
    'JSON of wrong shape',
    (response) => sendJson(response, '{"features":{},"variables":"none"}', second),
    /not a config/
  ],
  [
    'a config with one malformed feature',
    (response) => sendJson(response, JSON.stringify({ ...configOf({ color: 'x' }), features: [{ _id: 1 }] }), second),
    /features\[0\]/
  ],
  ['bytes that are not UTF-8', (response) => sendJson(response, Buffer.from([0x7b, 0x22, 0xff, 0xfe]), second), /./],
  [
    'a truncated body',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' })
      response.write('{"project":{')
      setTimeout(() => response.destroy(), 5)
    },
    /cannot be read/
  ],
  [
    'gzip garbage',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('not gzip at all')
    },
    /cannot be read/
  ],
  [
    'truncated gzip',
    (response) => {
      const body = gzipSync(JSON.stringify(second.config)).subarray(0, 60)
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body)
    },
    /cannot be read/
  ],
  [
    'a redirect',
    (response, { url }) => response.writeHead(302, { location: `http://127.0.0.1:1${url}` }).end(),
    /redirects to http:\/\/127\.0\.0\.1:1\/config\/v2\/server\/<sdk key>\.json, which is not followed/
  ],
  ['a redirect to itself', (response, { url }) => response.writeHead(307, { location: url }).end(), /redirects/],
  ['304 although nothing was asked for', (response) => response.writeHead(304).end(), /./],
  ['a connection that is cut', (response) => response.destroy(), /cannot be read/]
]

test.each(bad)('a provider keeps the last config on %s, logs it, and recovers', async (name, reply, message) => {
  const server = await fakeServer(first)
  const bound = await bindPolling(server)
  server.version = second
  server.reply = reply
  if (name.startsWith('304')) {
    const asked = server.requests.length
    await until(() => server.requests.length > asked + 2)
  } else {
    await until(() => bound.events.includes('STALE'))
    expect(bound.logs.join('\n')).toMatch(message)
  }
  expect(await color(bound)).toBe('red')
  server.reply = undefined
  await until(async () => (await color(bound)) === 'blue')
  expect(status(bound)).toBe(ProviderStatus.READY)
  expect(bound.logs.join('\n')).not.toContain(sdkKey)
})

test.each(bad)('a provider that starts on %s logs it and becomes ready later', async (_, reply, message) => {
  const server = await fakeServer(first)
  server.reply = reply
  const bound = await bindPolling(server, { initTimeoutMs: 200 })
  expect(bound.error?.message).toContain('there is no config after 200 ms')
  expect(bound.error?.message).not.toContain(sdkKey)
  await until(() => message.test(bound.logs.join('\n')))
  expect(await color(bound)).toBe('default')
  server.reply = undefined
  await until(() => status(bound) === ProviderStatus.READY)
  expect(await color(bound)).toBe('red')
})

test('a body larger than the limit is not read to its end', async () => {
  const server = await fakeServer(first)
  const bound = await bindPolling(server, { requestTimeoutMs: 60_000 })
  let sent = 0
  server.reply = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = Buffer.alloc(1024 * 1024, ' ')
    const write = (): void => {
      while (sent < 100 && !response.destroyed) {
        sent += 1
        if (!response.write(chunk)) return void response.once('drain', write)
      }
      response.end()
    }
    write()
  }
  // The default limit of 64 MiB.
  await until(() => bound.logs.some((line) => line.includes('larger than 67108864 bytes')))
  expect(sent).toBeLessThan(100)
  expect(await color(bound)).toBe('red')
})

test('a compressed body is not decompressed beyond the limit', async () => {
  const server = await fakeServer(first)
  const source = pollingSource({ ...quick, url: server.url, sdkKey, maxBytes: 1_000_000 })
  const bound = await bind({ ...quick, source })
  const packed = gzipSync(Buffer.alloc(50_000_000, ' '))
  server.reply = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed)
  }
  await until(() => bound.logs.some((line) => line.includes('larger than 1000000 bytes')))
  expect(await color(bound)).toBe('red')
})

test('a body that never ends is aborted at the request timeout', async () => {
  const server = await fakeServer(first)
  const bound = await bindPolling(server, { requestTimeoutMs: 100 })
  let isGivenUp = false
  server.reply = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const drip = globalThis.setInterval(() => response.write(' '), 10)
    response.on('close', () => {
      clearInterval(drip)
      isGivenUp = true
    })
  }
  await until(() => bound.logs.some((line) => line.includes('no response within 0.1 s')))
  await until(() => isGivenUp)
  expect(await color(bound)).toBe('red')
})

test('a start ends at its deadline when the server never answers', async () => {
  const server = await fakeServer(first)
  server.reply = () => {}
  const bound = await bindPolling(server, { requestTimeoutMs: 60_000, initTimeoutMs: 200 })
  expect(bound.error?.message).toMatch(/^there is no config after 200 ms: the server http\S+ has not answered yet$/)
})

test.each([401, 403])(
  'a key refused with %i fails the start at once; the provider becomes ready when it is accepted',
  async (code) => {
    const server = await fakeServer(first)
    server.reply = (response) => response.writeHead(code).end('{}')
    const bound = await bindPolling(server, { initTimeoutMs: 60_000 })
    expect(bound.error?.message).toContain(`the SDK key is refused (status ${code})`)
    server.reply = undefined
    await until(() => status(bound) === ProviderStatus.READY)
    expect(await color(bound)).toBe('red')
  }
)

test('a provider whose key is refused keeps the last config, retries slowly, and recovers', async () => {
  const server = await fakeServer(first)
  const bound = await bindPolling(server, {
    random: () => 0,
    retry: { initialMs: 1, maxMs: 1, refusedMs: 2_000, refusedMaxMs: 2_000 }
  })
  const times: number[] = []
  server.reply = (response) => {
    times.push(performance.now())
    response.writeHead(403).end('{"message":"no"}')
  }
  await until(() => bound.logs.some((line) => line.includes('the SDK key is refused (status 403)')))
  await until(() => times.length > 1)
  // A busy machine makes waits longer, and never shorter.
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_990)
  expect(await color(bound)).toBe('red')
  await until(() => status(bound) === ProviderStatus.ERROR)
  server.reply = undefined
  server.version = second
  await until(() => status(bound) === ProviderStatus.READY)
  expect(await color(bound)).toBe('blue')
})

test('a replaced key is used for the next request, even for an older document of another environment', async () => {
  const server = await fakeServer(second)
  let key = 'first-key'
  const source = pollingSource({ ...quick, url: server.url, sdkKey: () => key })
  const bound = await bind({ ...quick, source })
  server.version = {
    config: { ...configOf({ color: 'grey' }), environment: { _id: 'staging', key: 'staging' } },
    at: 500
  }
  key = 'second-key'
  await until(async () => (await color(bound)) === 'grey')
  expect(server.requests.at(-1)?.url).toBe('/config/v2/server/second-key.json')
})

test('polls send the validators of the last document, and 304 emits no event', async () => {
  const server = await fakeServer(first)
  const bound = await bindPolling(server)
  await until(() => server.requests.length > 4)
  expect(server.requests[0]?.headers).not.toHaveProperty('if-none-match')
  expect(server.requests.at(-1)?.headers).toMatchObject({
    'if-none-match': etagOf(first),
    'if-modified-since': 'Thu, 01 Jan 1970 00:16:40 GMT'
  })
  expect(bound.events).toEqual([])
  expect(status(bound)).toBe(ProviderStatus.READY)
})

test('a document with a known ETag is not used again', async () => {
  const server = await fakeServer(first)
  const bound = await bindPolling(server)
  server.reply = (response) => sendJson(response, JSON.stringify(second.config), first)
  const asked = server.requests.length
  await until(() => server.requests.length > asked + 3)
  expect(await color(bound)).toBe('red')
  expect(bound.events).toEqual([])
})

test('an older document counts as a failure of the source, and a newer one is used', async () => {
  const server = await fakeServer(second)
  const bound = await bindPolling(server)
  server.version = first
  await until(() => status(bound) === ProviderStatus.ERROR)
  expect(bound.logs.join('\n')).toContain('the source has an older config than the one in use, which is kept')
  expect(await color(bound)).toBe('blue')
  server.version = third
  await until(async () => (await color(bound)) === 'green')
  expect(bound.events).toEqual(['STALE', 'ERROR', 'READY', 'CONFIGURATION_CHANGED color'])
})

test('the message about a refused key quotes the server in one line without the key', async () => {
  const server = await fakeServer(first)
  const message = `this takes a server key, got a client key\n\u001b[31m${sdkKey}`
  server.reply = (response) => response.writeHead(403).end(JSON.stringify({ message }))
  const bound = await bindPolling(server, { initTimeoutMs: 60_000 })
  const said =
    'the SDK key is refused (status 403): this takes a server key, got a client key\\u000a\\u001b[31m<sdk key>'
  expect(bound.error?.message).toContain(said)
  expect(bound.logs.join()).toContain(said)
})

test('a key is masked before a quote of the server is cut', async () => {
  const server = await fakeServer(first)
  const message = `${'x'.repeat(290)}${sdkKey}`
  server.reply = (response) => response.writeHead(403).end(JSON.stringify({ message }))
  const bound = await bindPolling(server, { initTimeoutMs: 60_000 })
  expect(bound.error?.message).toContain('xxx<sdk key>')
  expect(bound.error?.message).not.toContain(sdkKey.slice(0, 5))
})

test('a key in an address is masked once', async () => {
  const server = await fakeServer(first)
  server.reply = (response) => response.writeHead(302, { location: `/x?sdkKey=${sdkKey}&y=1` }).end()
  const bound = await bindPolling(server, { initTimeoutMs: 60 })
  await until(() => bound.logs.join().includes('it redirects to /x?sdkKey=<sdk key>&y=1, which is not followed'))
})

test('a key of one letter is not masked', async () => {
  const server = await fakeServer(first)
  server.reply = (response) => response.writeHead(500).end()
  const bound = await bind({
    ...quick,
    initTimeoutMs: 60,
    source: pollingSource({ ...quick, url: server.url, sdkKey: 's' })
  })
  await until(() => bound.logs.join().includes('it answered with status 500'))
})

test('a URL-encoded key is masked', async () => {
  const server = await fakeServer(first)
  const key = 'dvc_server_/+=secret'
  server.reply = (response) => response.writeHead(302, { location: `/x?y=${encodeURIComponent(key)}` }).end()
  const bound = await bind({
    ...quick,
    initTimeoutMs: 60,
    source: pollingSource({ ...quick, url: server.url, sdkKey: key })
  })
  await until(() => bound.logs.join().includes('it redirects to /x?y=<sdk key>, which is not followed'))
})

test('a message of the stream does not shorten a Retry-After', async () => {
  const server = await fakeServer(first)
  await bind({ ...quick, url: server.url, sdkKey, pollIntervalMs: 60_000 })
  await until(() => server.streams.size === 1 && server.requests.length === 2)
  server.reply = (response) => response.writeHead(429, { 'retry-after': '60' }).end()
  server.publish(second)
  await until(() => server.requests.length === 3)
  await settled(() => server.requests.length)
  for (let at = 3_000; at < 3_010; at++) server.publish({ ...third, at })
  for (const stream of server.streams) stream.destroy()
  await settled(() => server.requests.length)
  expect(server.requests.length).toBe(3)
})

test('credentials in an address are masked in the log', async () => {
  const server = await fakeServer(first)
  server.reply = (response) => response.writeHead(302, { location: 'http://user:secret@127.0.0.1:1/x' }).end()
  const bound = await bindPolling(server, { initTimeoutMs: 60 })
  await until(() => bound.logs.join().includes('it redirects to http://<credentials>@127.0.0.1:1/x'))
})

test('a Retry-After date is read relative to the Date header of the answer', async () => {
  const server = await fakeServer(first)
  // The clock of the server is a year ahead of ours.
  const ahead = Date.now() + 365 * 86_400_000
  server.reply = (response) => {
    const headers = { date: new Date(ahead).toUTCString(), 'retry-after': new Date(ahead + 1_000).toUTCString() }
    response.writeHead(503, headers).end()
  }
  const bound = await bindPolling(server, { initTimeoutMs: 60, random: () => 0 })
  await until(() => server.requests.length === 2)
  server.reply = undefined
  await until(() => status(bound) === ProviderStatus.READY)
})

test('a Retry-After date is kept when our clock is a year ahead of the server', async () => {
  const server = await fakeServer(first)
  const behind = Date.now() - 365 * 86_400_000
  server.reply = (response) => {
    const headers = { date: new Date(behind).toUTCString(), 'retry-after': new Date(behind + 60_000).toUTCString() }
    response.writeHead(503, headers).end()
  }
  await bindPolling(server, { initTimeoutMs: 60 })
  await settled(() => server.requests.length)
  expect(server.requests.length).toBe(1)
})

test('a Retry-After date of a response without a Date header is relative to the option now', async () => {
  const server = await fakeServer(first)
  const behind = Date.now() - 365 * 86_400_000
  server.reply = (response) => {
    response.sendDate = false
    response.writeHead(503, { 'retry-after': new Date(behind + 60_000).toUTCString() }).end()
  }
  await bindPolling(server, { initTimeoutMs: 60, now: () => behind })
  await settled(() => server.requests.length)
  expect(server.requests.length).toBe(1)
})

test.each(['1/1/2099', '1 Jan 2099'])('the Retry-After %j, which is not an HTTP date, is ignored', async (date) => {
  const server = await fakeServer(first)
  server.reply = (response) => response.writeHead(503, { 'retry-after': date }).end()
  await bindPolling(server, { initTimeoutMs: 60 })
  await until(() => server.requests.length >= 3)
})

test.each(['at the start', 'later'])('a new key is used %s without the back-off of the refused one', async (when) => {
  const server = await fakeServer(first)
  const answer: Reply = (response, { url }) => {
    if (url?.includes('refused-key')) response.writeHead(403).end()
    else sendJson(response, JSON.stringify(second.config), second)
  }
  const answerStream: Reply = (response, { url }) => {
    if (url?.includes('refused-key')) return void response.writeHead(403).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    server.streams.add(response)
  }
  let key = 'refused-key'
  const retry = { initialMs: 10, maxMs: 20, refusedMs: 60_000, refusedMaxMs: 60_000 }
  if (when === 'at the start') [server.reply, server.replyStream] = [answer, answerStream]
  const bound = await bind({ ...quick, url: server.url, sdkKey: () => key, retry })
  if (when === 'later') {
    await until(() => server.streams.size === 1)
    ;[server.reply, server.replyStream] = [answer, answerStream]
    for (const stream of server.streams) stream.destroy()
    await until(() => bound.logs.join().includes('the SDK key is refused (status 403)'))
  }
  key = 'accepted-key'
  await until(async () => (await color(bound)) === 'blue')
  await until(() => server.streamRequests.at(-1)?.request.url?.includes('accepted-key'))
})

test('the stream is opened with a new key without the back-off of the refused one', async () => {
  const server = await fakeServer(first)
  let key = 'refused-key'
  server.replyStream = (response, { url }) => {
    if (url?.includes('refused-key')) return void response.writeHead(403).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
  }
  const retry = { initialMs: 10, maxMs: 20, refusedMs: 60_000, refusedMaxMs: 60_000 }
  await bind({ ...quick, url: server.url, sdkKey: () => key, retry, pollIntervalMs: 60_000 })
  await until(() => server.streamRequests.length === 1)
  key = 'accepted-key'
  await until(() => server.streamRequests.at(-1)?.request.url?.includes('accepted-key'))
})

test('failures whose messages differ are logged once, and once more when the key is refused or the source is back', async () => {
  const server = await fakeServer(first)
  const bound = await bindPolling(server)
  let answers = 0
  const asked = async (count: number): Promise<void> => {
    const before = server.requests.length
    await until(() => server.requests.length > before + count)
  }
  server.reply = (response) => response.writeHead(500 + (answers++ % 5)).end()
  await asked(6)
  expect(bound.logs).toEqual([expect.stringContaining('status 500')])
  server.reply = (response) => response.writeHead(403).end(`{"message":"${answers++}"}`)
  await asked(3)
  expect(bound.logs.slice(1)).toEqual([expect.stringContaining('the SDK key is refused')])
  server.reply = undefined
  await until(() => status(bound) === ProviderStatus.READY)
  expect(bound.logs.slice(2)).toEqual([expect.stringContaining('can be read again')])
})

test('a message of the stream does not retry a refused key', async () => {
  const server = await fakeServer(first)
  const retry = { ...quick.retry, refusedMs: 60_000, refusedMaxMs: 60_000 }
  const bound = await bind({ ...quick, retry, url: server.url, sdkKey, pollIntervalMs: 60_000 })
  await until(() => server.streams.size === 1 && server.requests.length === 2)
  server.reply = (response) => response.writeHead(403).end()
  server.publish(second)
  await until(() => bound.logs.join().includes('refused'))
  for (let at = 3_000; at < 3_010; at++) {
    server.publish({ ...third, at })
  }
  await settled(() => server.requests.length)
  expect(server.requests.length).toBe(3)
})

test('many messages cause few polls', async () => {
  const server = await fakeServer(first)
  const bound = await bind({ ...quick, url: server.url, sdkKey, pollIntervalMs: 60_000 })
  await until(() => server.streams.size === 1 && server.requests.length === 2)
  const begin = performance.now()
  for await (const at of setInterval(10, { next: 2_000 })) {
    server.publish({ config: configOf({ color: `color ${at.next}`, size: 1 }), at: at.next })
    if (at.next++ === 2_099) break
  }
  const seconds = (performance.now() - begin) / 1_000
  expect(server.requests.length).toBeLessThan(2 + 5 + 5 * seconds)
  // The last one is not lost.
  await until(async () => (await color(bound)) === 'color 2099')
})

test('the stream reconnects as soon as the server is back', async () => {
  const server = await fakeServer(first)
  // The stream alone would wait for half a minute.
  const bound = await bind({ ...quick, url: server.url, sdkKey, pollIntervalMs: 60_000 })
  await until(() => server.streams.size === 1)
  const polls = server.requests.length
  for (const stream of server.streams) stream.write(`retry: 30000\n\n${messageOf(second)}`)
  await until(() => server.requests.length > polls)
  const opened = server.streamRequests.length
  await server.stop()
  await until(() => bound.events.includes('STALE'))
  await server.start()
  await until(() => server.streams.size === 1 && server.streamRequests.length > opened)
})

test('the retry field of a stream is limited by retry.maxMs', async () => {
  const server = await fakeServer(first)
  const retry = { initialMs: 10, maxMs: 100 }
  await bind({ ...quick, retry, url: server.url, sdkKey, pollIntervalMs: 60_000 })
  await until(() => server.streams.size === 1)
  for (const stream of server.streams) stream.end('retry: 30000\n\n')
  await until(() => server.streamRequests.length >= 2)
})

test.each(['naïve', '日本', 'x'.repeat(1_000)])(
  'the stream ignores an event id that a header cannot carry: %s',
  async (id) => {
    const server = await fakeServer(first)
    const bound = await bind({ ...quick, url: server.url, sdkKey })
    await until(() => server.streams.size === 1)
    for (const stream of server.streams) stream.end(`id: ${id}\ndata: {}\n\n`)
    await until(() => server.streamRequests.length === 2 && server.streams.size === 1)
    expect(server.streamRequests[1]?.request.headers).not.toHaveProperty('last-event-id')
    expect(bound.logs.join()).not.toContain('ByteString')
  }
)

test.each([undefined, 'copy.json'])('a custom source that throws counts as unreadable (cacheFile %s)', async (name) => {
  const source = {
    name: 'the vault',
    start: () => {
      throw new Error('no vault')
    },
    close: () => {}
  }
  const directory = await mkdtemp(join(tmpdir(), 'burgee-provider-'))
  const copy = name === undefined ? {} : { cacheFile: join(directory, name) }
  const bound = await bind({ ...quick, ...copy, source, initTimeoutMs: 200 })
  expect(bound.error?.message).toBe('there is no config after 200 ms: the vault cannot be started: no vault')
  expect(status(bound)).toBe(ProviderStatus.ERROR)
  expect(await color(bound)).toBe('default')
  await rm(directory, { recursive: true })
})

test('a logger that throws does not stop the provider', async () => {
  const server = await fakeServer(first)
  const shout = (): void => {
    throw new Error('no disk')
  }
  const logger = { error: shout, warn: shout, info: shout, debug: shout }
  const silenced = ['warn', 'info', 'error', 'debug'] as const
  const spies = silenced.map((level) => vi.spyOn(console, level).mockImplementation(() => {}))
  const bound = await bindPolling(server, { logger })
  await server.stop()
  await until(() => bound.events.includes('STALE'))
  server.version = second
  await server.start()
  await until(async () => (await color(bound)) === 'blue')
  for (const spy of spies) spy.mockRestore()
})

test('a logger that throws stops neither evaluations nor the delivery of events', async () => {
  const server = await fakeEvents()
  server.reply = (index) => (index === 0 ? 503 : 201)
  const shout = (): void => {
    throw new Error('the disk of the log is full')
  }
  const logger = { error: shout, warn: shout, info: shout, debug: shout }
  const spies = (['warn', 'error'] as const).map((level) => vi.spyOn(console, level).mockImplementation(() => {}))
  const { client } = await bind({
    ...quick,
    source: staticSource(configOf({ color: 'red' })),
    url: server.url,
    sdkKey,
    logger,
    events: { evaluations: false, flushIntervalMs: 20 }
  })
  client.track('nobody')
  client.track('somebody', { targetingKey: 'ada' })
  await until(() => server.taken().length === 1)
  expect(server.received).toHaveLength(2)
  for (const spy of spies) spy.mockRestore()
  await server.close()
})

test('a clock that jumps causes neither events nor requests', async () => {
  const server = await fakeServer(first)
  let time = Date.parse('2026-11-21T12:00:00Z')
  const bound = await bindPolling(server, { now: () => time, maxAge: 1_000, pollIntervalMs: 60_000 })
  for (const jump of [3_600_000, -7_200_000, 366 * 86_400_000, -800 * 86_400_000]) {
    time += jump
    expect(await bound.client.getStringDetails('color', 'default')).toMatchObject({ value: 'red', reason: 'STATIC' })
  }
  await settled(() => server.requests.length)
  expect(bound.events).toEqual([])
  expect(server.requests.length).toBe(1)
})

test('a stream announces a change at once', async () => {
  const server = await fakeServer(first)
  const bound = await bind({ ...quick, url: server.url, sdkKey, pollIntervalMs: 60_000 })
  await until(() => server.streams.size === 1 && server.requests.length === 2)
  server.publish(second)
  await until(() => bound.events.includes('CONFIGURATION_CHANGED color'))
  expect(await color(bound)).toBe('blue')
  expect(server.streamRequests[0]?.request.url).toBe(`/event-stream?sdkKey=${sdkKey}`)
})

test('a message during a download causes another download after it', async () => {
  const server = await fakeServer(first)
  const bound = await bind({ ...quick, url: server.url, sdkKey, pollIntervalMs: 60_000 })
  await until(() => server.streams.size === 1 && server.requests.length === 2)
  const [stream] = server.streams
  let answer = (): void => {}
  server.reply = (response) => {
    answer = () => response.writeHead(304).end()
  }
  // Announces a change without a version.
  stream?.write('data: {"data":"{}"}\n\n')
  await until(() => server.requests.length === 3)
  server.version = second
  stream?.write('data: {"data":"{}"}\n\n')
  await settled(() => server.requests.length)
  server.reply = undefined
  answer()
  await until(async () => (await color(bound)) === 'blue')
})

test('a silent stream is closed, and the provider polls', async () => {
  const server = await fakeServer(first)
  const bound = await bind({ ...quick, url: server.url, sdkKey, silenceMs: 60, pollIntervalMs: 60_000 })
  await until(() => server.streams.size === 1)
  server.version = second
  await until(async () => (await color(bound)) === 'blue')
  await until(() => server.streamRequests.length > 1)
  expect(bound.logs.join()).toContain('the stream broke: was silent for 60 ms')
  expect(status(bound)).toBe(ProviderStatus.READY)
})

test('comments keep a stream alive', async () => {
  const server = await fakeServer(first)
  await bind({ ...quick, url: server.url, sdkKey, silenceMs: 4_000 })
  await until(() => server.streams.size === 1)
  const begin = performance.now()
  for await (const _ of setInterval(100)) {
    for (const stream of server.streams) stream.write(':\n\n')
    if (performance.now() - begin > 4_500) break
  }
  expect(server.streamRequests.length).toBe(1)
})

test('a stream that is closed at once again and again is opened after longer and longer waits', async () => {
  const server = await fakeServer(first)
  server.replyStream = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(':\n\n')
  await bind({ ...quick, url: server.url, sdkKey, random: () => 0, retry: { initialMs: 50, maxMs: 10_000 } })
  await until(() => server.streamRequests.length >= 5)
  const moments = server.streamRequests.map(({ at }) => at)
  const waits = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0))
  // 50, 100, 200, 400; a busy machine makes waits longer, and never shorter.
  for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(50 * 2 ** index)
})

test('a proxy that cuts streams which were open for longer than the wait before them does not lengthen the wait', async () => {
  const server = await fakeServer(first)
  server.replyStream = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    setTimeout(() => response.destroy(), 60)
  }
  const retry = { initialMs: 20, maxMs: 60_000 }
  await bind({ ...quick, url: server.url, sdkKey, random: () => 0, retry, healthyAfterMs: 60_000 })
  // Doubling, the waits alone would add up to more than 20 seconds.
  await until(() => server.streamRequests.length >= 11)
})

test('the provider polls while the stream is down, and stops when it is back', async () => {
  const server = await fakeServer(first)
  server.replyStream = (response) => response.writeHead(502).end()
  const bound = await bind({ ...quick, url: server.url, sdkKey })
  expect(status(bound)).toBe(ProviderStatus.READY)
  server.version = second
  await until(async () => (await color(bound)) === 'blue')
  server.replyStream = undefined
  await until(() => server.streams.size === 1)
  await settled(() => server.requests.length)
})

test('an outage of the stream is logged once', async () => {
  const server = await fakeServer(first)
  const bound = await bind({ ...quick, url: server.url, sdkKey, pollIntervalMs: 60_000 })
  await until(() => server.streams.size === 1)
  server.replyStream = (response) => response.writeHead(500 + (server.streamRequests.length % 5)).end()
  for (const stream of server.streams) stream.destroy()
  await until(() => server.streamRequests.length > 5)
  expect(bound.logs).toEqual([expect.stringMatching(/^the stream broke/)])
})

test('a stream that reconnects sends the last event id', async () => {
  const server = await fakeServer(first)
  const bound = await bind({ ...quick, url: server.url, sdkKey })
  await until(() => server.streams.size === 1)
  server.publish(second)
  await until(async () => (await color(bound)) === 'blue')
  for (const stream of server.streams) stream.destroy()
  await until(() => server.streamRequests.length === 2)
  expect(server.streamRequests[1]?.request.headers['last-event-id']).toBe('2000')
})

test('messages about known, older or foreign versions cause no poll', async () => {
  const server = await fakeServer(second)
  await bind({ ...quick, url: server.url, sdkKey, pollIntervalMs: 60_000 })
  await until(() => server.streams.size === 1 && server.requests.length === 2)
  const [stream] = server.streams
  stream?.write(messageOf(second))
  stream?.write(messageOf(first))
  stream?.write(`data: ${JSON.stringify({ data: JSON.stringify({ type: 'somethingElse' }) })}\n\n`)
  stream?.write(`event: named\ndata: {}\n\n`)
  await settled(() => server.requests.length)
  expect(server.requests.length).toBe(2)
})

test('an announced version that a cache does not have yet is polled again soon', async () => {
  const server = await fakeServer(first)
  const bound = await bind({ ...quick, url: server.url, sdkKey, pollIntervalMs: 60_000 })
  await until(() => server.streams.size === 1 && server.requests.length === 2)
  for (const stream of server.streams) stream.write(messageOf(second))
  await until(() => server.requests.length === 3)
  server.version = second
  await until(async () => (await color(bound)) === 'blue')
})

test('the provider opens the stream that the document names, and that of the server when it is unreachable', async () => {
  const server = await fakeServer(first)
  const elsewhere = await fakeServer(first)
  const at = (hostname: string): unknown => ({
    ...configOf({ color: 'red' }),
    sse: { hostname, path: '/event-stream?x=1' }
  })
  server.version = { config: at(elsewhere.url), at: 1_000 }
  await bind({ ...quick, url: server.url, sdkKey })
  await until(() => elsewhere.streams.size === 1)
  expect(elsewhere.streamRequests[0]?.request.url).toBe('/event-stream?x=1')
  server.version = { config: at('http://127.0.0.1:1'), at: 1_001 }
  for (const stream of elsewhere.streams) stream.write(messageOf(server.version))
  await until(() => server.streams.size === 1)
  await until(() => elsewhere.streams.size === 0)
})
