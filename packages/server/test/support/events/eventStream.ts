import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { addCleanup } from '@burgee/testing/cleanup'
import { call, type TestServer } from '@burgee/testing/harness'
import { keyOf } from '@burgee/testing/plan'
import { expect } from 'vitest'

/** The received part of a stream. */
export interface EventStream {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: () => string
  /** The received messages, each with its id and its data parsed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape.
  readonly messages: () => { readonly id: string | undefined; readonly data: any }[]
  readonly isOver: () => boolean
  readonly hangUp: () => void
}

/** Opens a stream, and resolves with its headers. */
export function openEventStream(
  { port }: Pick<TestServer, 'port'>,
  path = `/event-stream?sdkKey=${keyOf('server')}`,
  headers: Record<string, string> = {}
): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false })
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      let isOver = false
      const over = () => {
        isOver = true
      }
      response.setEncoding('utf8')
      response.on('data', (piece) => {
        text += piece
      })
      // A connection that is cut has ended too.
      response.on('error', over).on('close', over)
      const hangUp = () => request.destroy()
      addCleanup(hangUp)
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        messages: () => messagesIn(text),
        isOver: () => isOver,
        hangUp
      })
    })
    request.end()
  })
}

function messagesIn(text: string): ReturnType<EventStream['messages']> {
  return text.split('\n\n').flatMap((block) => {
    const data = /^data: (.*)$/m.exec(block)?.[1]
    return data === undefined ? [] : [{ id: /^id: (.*)$/m.exec(block)?.[1], data: JSON.parse(data) }]
  })
}

/** Polls a condition. */
export async function waitUntil(condition: () => unknown): Promise<void> {
  await expect.poll(condition, { interval: 5 }).toBeTruthy()
}

/** Turns a feature on or off in an environment, which changes the version of its config. */
export async function toggle(
  server: TestServer,
  status: 'active' | 'inactive',
  environment = 'production'
): Promise<void> {
  const params = { project: 'shop', feature: 'plain' }
  const answer = await call(server, 'updateFeatureConfiguration', { params, query: { environment }, body: { status } })
  expect(answer.status).toBe(200)
}
