import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyOf } from '@burgee/testing/plan'

/** How long clients wait before they connect again: a random part of it, as SDKs do. */
const JITTER_MS = 2_000

/** A client of the event stream, which connects again after each end. */
export interface StreamClient {
  readonly isOpen: () => boolean
  /** The number of received announcements of a config. */
  readonly changes: () => number
  /** Ends the connection; the client opens another one. */
  readonly hangUp: () => void
  readonly close: () => void
}

/** Opens a stream, and again after each end, at a random moment. */
export function openStreamClient(port: number, random: () => number): StreamClient {
  let isOpen = false
  let isClosed = false
  let changes = 0
  let destroy = () => {}
  const again = () => {
    if (isClosed) return
    isOpen = false
    void sleep(random() * JITTER_MS).then(open)
  }
  const open = () => {
    const stream = request({ host: '127.0.0.1', port, path: `/event-stream?sdkKey=${keyOf('server')}`, agent: false })
    destroy = () => void stream.destroy()
    stream.on('response', (response) => {
      if (response.statusCode !== 200) stream.destroy()
      isOpen = response.statusCode === 200
      response.setEncoding('utf8').on('data', (text: string) => {
        changes += text.split('\ndata: ').length - 1
      })
      response.on('error', () => {})
    })
    stream.on('error', () => {})
    stream.on('close', again)
    stream.end()
  }
  open()
  return {
    isOpen: () => isOpen,
    changes: () => changes,
    hangUp: () => destroy(),
    close: () => {
      isClosed = true
      destroy()
    }
  }
}
