import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { fillStore, idOf, keyOf, NOW } from '@burgee/testing/plan'
import Koa from 'koa'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sendEventStream } from '../../src/api/http/response/sendEventStream.ts'
import { type Configs, openConfigs } from '../../src/delivery/configs/configs.ts'
import { openStreams, type Streams } from '../../src/delivery/streams/streams.ts'
import { type StreamTimings, streamTimings } from '../../src/delivery/streams/streamTimings.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { Store } from '../../src/storage/store.ts'
import { waitUntil } from '../support/events/eventStream.ts'

/** Makes messages exceed the socket buffers, which hold megabytes. */
const PADDING = `:${'.'.repeat(1_000_000)}\n\n`

let store: Store
let configs: Configs
let streams: Streams | undefined
let server: Server
let sockets: Socket[]
let counts: { messages: number; dropped: number }

beforeEach(async () => {
  store = await openStore('memory:')
  await fillStore(store, { features: [{ key: 'plain' }] })
  configs = await openConfigs(
    store,
    { onProblem: () => {}, onError: () => {} },
    { now: () => NOW, serverVersion: '0.0.0' }
  )
  counts = { messages: 0, dropped: 0 }
  sockets = []
})

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  streams?.close()
  server.close()
  configs.close()
  await store.close()
})

/** Serves the streams of one key, with padded messages. */
async function serveStreams(pace: Partial<StreamTimings>): Promise<void> {
  const opened = openStreams(
    configs,
    { onMessage: () => counts.messages++, onDrop: () => counts.dropped++ },
    {
      maxStreams: 10,
      maxStreamsPerNetwork: 0,
      now: () => NOW,
      pace: { ...streamTimings, ...pace },
      random: Math.random
    }
  )
  streams = opened
  const { keyDigest = '' } = configs.current(keyOf('server')) ?? {}
  const subscriber = {
    keyDigest,
    keyType: 'server',
    network: '',
    from: { address: '', origin: '' },
    environment: idOf('production')
  } as const
  const app = new Koa().use((ctx) => {
    const stream = opened.open({ ...subscriber, kind: 'ofrep', since: undefined })
    sendEventStream(ctx, (reader) => stream({ ...reader, write: (text) => reader.write(text + PADDING) }))
  })
  server = createServer(app.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
}

/** A reader that requests a stream and never reads. */
async function connectReader(): Promise<Socket> {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').pause()
  sockets.push(socket)
  socket.on('error', () => {})
  const before = streams?.size() ?? 0
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await waitUntil(() => streams?.size() === before + 1)
  return socket
}

async function change(): Promise<void> {
  const { items } = await store.collection('configurations').list()
  const [{ _id, status } = { _id: '', status: 'active' }] = items
  await store.collection('configurations').update(_id, { status: status === 'active' ? 'inactive' : 'active' })
}

/** The ids of the messages that a reader received. */
function idsIn(text: string): string[] {
  return [...text.matchAll(/id: (\S+)\r?\n(?:\r\n\w+\r\n)?data: /g)].map(([, id = '']) => id)
}

it('a slow reader has one pending message, the latest', async () => {
  await serveStreams({ stallTimeoutMs: 60_000 })
  const slow = await connectReader()
  let quickly = ''
  const quick = (await connectReader()).setEncoding('utf8').on('data', (piece: unknown) => {
    quickly += String(piece).replace(/\.+/g, '.')
  })
  quick.resume()
  const changes = 40
  for (let made = 1; made <= changes; made++) {
    await change()
    // The quick reader receives every message before the next one, so that only slowness can skip any.
    await waitUntil(() => idsIn(quickly).length === made)
  }
  const last = idsIn(quickly).at(-1)
  const sentWhileSlow = counts.messages - changes
  expect(sentWhileSlow).toBeLessThan(changes / 2)

  let slowly = ''
  slow.setEncoding('utf8').on('data', (piece: unknown) => {
    slowly += String(piece).replace(/\.+/g, '.')
  })
  slow.resume()
  await waitUntil(() => idsIn(slowly).at(-1) === last)
  expect(idsIn(slowly)).toHaveLength(sentWhileSlow + 1)
  expect(counts).toEqual({ messages: changes + sentWhileSlow + 1, dropped: 0 })
  await change()
  await waitUntil(() => idsIn(slowly).length === sentWhileSlow + 2)
})

it('a stalled reader is disconnected, and no other one', async () => {
  await serveStreams({ keepAliveMs: 60, stallTimeoutMs: 2_000 })
  const slow = await connectReader()
  const quick = (await connectReader()).resume()
  let isCut = false
  slow.on('close', () => {
    isCut = true
  })
  await waitUntil(() => counts.dropped === 1)
  expect(streams?.size()).toBe(1)
  // A client that does not read sees the end of a connection only after the data before it.
  slow.resume()
  await waitUntil(() => isCut)
  expect(quick.closed).toBe(false)
})

it('a stalled reader that hangs up is released at once', async () => {
  await serveStreams({ stallTimeoutMs: 60_000 })
  const slow = await connectReader()
  let isCut = false
  slow.on('close', () => {
    isCut = true
  })
  for (let made = 0; made < 20; made++) await change()
  streams?.close()
  expect(streams?.size()).toBe(0)
  await new Promise((resolve) => server.close(resolve))
  slow.resume()
  await waitUntil(() => isCut)
})
