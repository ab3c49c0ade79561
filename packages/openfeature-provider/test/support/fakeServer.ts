import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort } from '@burgee/testing/system/freePort'
import { afterAll } from 'vitest'

/** Handles a request. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void

/** A document and its version. */
export interface Version {
  readonly config: unknown
  /** Whole seconds since 1970. */
  readonly at: number
}

/** A server that can simulate every fault. */
export interface FakeServer {
  readonly url: string
  /** The config; `undefined` refuses every key. */
  version: Version | undefined
  /** Replaces the response to config requests. */
  reply: Reply | undefined
  /** Replaces the response to stream requests. */
  replyStream: Reply | undefined
  /** The config requests, in order. */
  readonly requests: IncomingMessage[]
  /** The stream requests, in order, with their time on `performance.now()`. */
  readonly streamRequests: { readonly request: IncomingMessage; readonly at: number }[]
  /** The open streams. */
  readonly streams: Set<ServerResponse>
  /** Serves a version from now on, and announces it on the streams. */
  readonly publish: (version: Version) => void
  /** Stops listening, and breaks every connection. */
  readonly stop: () => Promise<void>
  /** Listens again, at the same port. */
  readonly start: () => Promise<void>
}

const ends: (() => Promise<void>)[] = []

afterAll(async () => {
  for (const end of ends.splice(0)) await end()
})

/** The ETag of a version. */
export function etagOf({ at }: Version): string {
  return `"${at}-test"`
}

/** Returns the message that announces a version (`docs/reference/delivery.md`). */
export function messageOf(version: Version): string {
  const data = JSON.stringify({ type: 'refetchConfig', etag: etagOf(version), lastModified: version.at * 1000 })
  return `id: ${version.at}\ndata: ${JSON.stringify({ data })}\n\n`
}

/** Starts a fake server; it is stopped after the tests of this file. */
export async function fakeServer(version?: Version): Promise<FakeServer> {
  const streams = new Set<ServerResponse>()
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url?.startsWith('/event-stream')) openStream(request, response)
    else if (request.url?.startsWith('/config/')) sendConfig(request, response)
    else response.writeHead(404).end()
  }
  const sendConfig: (request: IncomingMessage, response: ServerResponse) => void = (request, response) => {
    fake.requests.push(request)
    if (fake.reply) fake.reply(response, request)
    else if (!fake.version) response.writeHead(403).end('{"message":"no"}')
    else if (request.headers['if-none-match'] === etagOf(fake.version)) response.writeHead(304).end()
    else sendJson(response, JSON.stringify(fake.version.config), fake.version)
  }
  const openStream = (request: IncomingMessage, response: ServerResponse): void => {
    fake.streamRequests.push({ request, at: performance.now() })
    if (fake.replyStream) {
      fake.replyStream(response, request)
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': hello\n\n')
    streams.add(response)
    response.on('close', () => streams.delete(response))
  }
  let server = createServer(listener)
  const port = await freePort()
  const listen = async (): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen()
  const fake: FakeServer = {
    url: `http://127.0.0.1:${port}`,
    version,
    reply: undefined,
    replyStream: undefined,
    requests: [],
    streamRequests: [],
    streams,
    publish: (next) => {
      fake.version = next
      for (const stream of streams) stream.write(messageOf(next))
    },
    stop: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    start: async () => {
      server = createServer(listener)
      await listen()
    }
  }
  ends.push(fake.stop)
  return fake
}

/** Sends a config as the real server does. */
export function sendJson(response: ServerResponse, body: string | Buffer, version: Version): void {
  response
    .writeHead(200, {
      'content-type': 'application/json',
      etag: etagOf(version),
      'last-modified': new Date(version.at * 1000).toUTCString()
    })
    .end(body)
}
