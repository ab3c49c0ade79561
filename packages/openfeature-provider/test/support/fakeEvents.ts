import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SdkEventBatches } from '@burgee/contract/schemas'

/** A request that the fake server received. */
export interface Received {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly url: string
  readonly text: string
  readonly at: number
  readonly status: number
  /** The events of all users. */
  readonly events: readonly Record<string, unknown>[]
  readonly users: readonly Record<string, unknown>[]
}

/** A status, perhaps with headers and body, no response, or a broken connection. */
export type Reply =
  | number
  | {
      readonly status: number
      readonly headers?: Record<string, string>
      /** Writes the body. */
      readonly body?: (response: ServerResponse) => void
    }
  | 'silence'
  | 'reset'

/** A server that receives events and responds as configured. */
export interface FakeEvents {
  readonly url: string
  readonly received: readonly Received[]
  /** The events of requests with the status 201. */
  readonly taken: () => Record<string, unknown>[]
  /** Returns the response to a request by its index and events. */
  reply: (index: number, events: readonly Record<string, unknown>[]) => Reply
  readonly close: () => Promise<void>
}

export async function fakeEvents(): Promise<FakeEvents> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      // The body has to match the contract.
      const { batch } = SdkEventBatches.parse(JSON.parse(text))
      const events = batch.flatMap((entry) => entry.events)
      const users = batch.map((entry) => entry.user)
      const reply = fake.reply(received.length, events)
      const { status, headers, body }: Reply & object = typeof reply === 'object' ? reply : { status: Number(reply) }
      received.push({
        id: String(request.headers['idempotency-key']),
        headers: request.headers,
        url: request.url ?? '',
        text,
        at: performance.now(),
        status,
        events,
        users
      })
      if (reply === 'reset') request.socket.destroy()
      else if (reply !== 'silence') {
        response.writeHead(status, { 'content-type': 'application/json', ...headers })
        if (body) body(response)
        else response.end('{}')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const fake: FakeEvents = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    taken: () => received.filter(({ status }) => status === 201).flatMap(({ events }) => events),
    reply: () => 201,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
  return fake
}
