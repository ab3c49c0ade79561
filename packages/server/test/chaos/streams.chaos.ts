import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '@burgee/testing/harness'
import { keyOf } from '@burgee/testing/plan'
import { seededRandom } from '@burgee/testing/seededRandom'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, expect, test } from 'vitest'
import { expectBuilt } from '../support/processes/executable.ts'
import { chaosSeed, roundsOr } from './support/chaosOptions.ts'
import { prepareNodes } from './support/nodes.ts'

const STREAMS = 1_000

/** How long clients wait before they connect again: a random part of it, as SDKs do. */
const JITTER_MS = 2_000

const random = seededRandom(chaosSeed)

beforeAll(expectBuilt)

test('1,000 streams reconnect to a server that was killed, and all receive the next change', {
  timeout: 24 * 3_600_000
}, async () => {
  const nodes = await prepareNodes(await temporaryDirectory())
  let server = await nodes.start({ port: nodes.port })
  const target = server
  const clients = Array.from({ length: STREAMS }, () => openClient(nodes.port))
  const rounds = roundsOr(3)
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now()
    await expect
      .poll(() => clients.filter(({ isOpen }) => isOpen()).length, { timeout: 60_000, interval: 20 })
      .toBe(STREAMS)
    const opened = Math.round(performance.now() - begin)
    const before = clients.map(({ changes }) => changes())
    const params = { project: 'shop', feature: 'plain' }
    const query = { environment: 'production' }
    const body = { status: round % 2 === 0 ? 'inactive' : 'active' }
    expect((await call(target, 'updateFeatureConfiguration', { params, query, body })).status).toBe(200)
    const changedAt = performance.now()
    const late = () => clients.filter(({ changes }, index) => changes() === before[index]).length
    await expect.poll(late, { timeout: 30_000, interval: 5 }).toBe(0)
    const received = Math.round(performance.now() - changedAt)
    const livez = performance.now()
    expect((await fetch(`${target.url}/livez`)).status).toBe(200)
    console.log(
      `streams: ${STREAMS} open ${opened} ms after the start, a change at all of them after ${received} ms, /livez in ${Math.round(performance.now() - livez)} ms`
    )
    await server.end('SIGKILL')
    if (round < rounds - 1) server = await nodes.start({ port: nodes.port })
  }
  for (const { close } of clients) close()
})

interface StreamClient {
  readonly isOpen: () => boolean
  /** The number of received announcements of a config. */
  readonly changes: () => number
  readonly close: () => void
}

/** Opens a stream, and again after each end, at a random moment. */
function openClient(port: number): StreamClient {
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
    close: () => {
      isClosed = true
      destroy()
    }
  }
}
