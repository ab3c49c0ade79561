import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addCleanup } from '@burgee/testing/cleanup'
import { Webhook } from 'standardwebhooks'
import { expect, vi } from 'vitest'

/** A message that a receiver was sent. */
export interface ReceivedMessage {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any
}

/** Somebody whom webhooks call, on a port of 127.0.0.1. */
export interface WebhookReceiver {
  readonly url: string
  /** Every message, in the order in which they came. */
  readonly received: readonly ReceivedMessage[]
  /** What it answers; a status, or what a function makes of a message. */
  answer: number | ((message: ReceivedMessage) => number | Promise<number>)
  /** Waits until there are so many messages, and answers them. */
  readonly until: (count: number) => Promise<readonly ReceivedMessage[]>
}

/** Starts a receiver that takes everything. It ends after the tests of this file. */
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
  // A server that listens on a port has an address of this form.
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
        { timeout: 10_000, interval: 20 }
      )
  }
  return receiver
}

/** What a message tells, once its signature by a secret is verified as receivers do it; the clock is that of the server that sent it. */
export function verifyMessage({ text, headers }: ReceivedMessage, secret: string, now: number): unknown {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}
