import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addCleanup } from '@burgee/testing/cleanup'
import { Webhook } from 'standardwebhooks'
import { expect, vi } from 'vitest'

/** A received message. */
export interface ReceivedMessage {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any
}

/** A webhook receiver on a port of 127.0.0.1. */
export interface WebhookReceiver {
  readonly url: string
  /** All messages in the order of their arrival. */
  readonly received: readonly ReceivedMessage[]
  /** The response; a status, or a function of the message. */
  answer: number | ((message: ReceivedMessage) => number | Promise<number>)
  /** Resolves with the messages once there are this many. */
  readonly until: (count: number) => Promise<readonly ReceivedMessage[]>
}

/** Starts a receiver that accepts everything. It is closed after the tests of this file. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const message = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) }
    received.push(message)
    const { answer } = receiver
    response.statusCode = typeof answer === 'number' ? answer : await answer(message)
    response.end('noted')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  // `address()` returns an object for a server that listens on a port.
  const { port } = server.address() as AddressInfo
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: 204,
    until: (count) =>
      vi.waitFor(
        () => {
          expect(received.length).toBeGreaterThanOrEqual(count)
          return received
        },
        { timeout: 20_000, interval: 20 }
      )
  }
  return receiver
}

/** Verifies the signature of a message like a receiver, with the clock of the sender, and returns its contents. */
export function verifyMessage({ text, headers }: ReceivedMessage, secret: string, now: number): unknown {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}
