import { onQuestion } from '../http/child.mjs'
import { openConnection } from '../http/connection.mjs'
import { nextRequest, setRequests } from '../http/requests.mjs'
import { seeded } from '../lib/random.mjs'
import { pauseUntilNext } from './fleet.mjs'

onQuestion(async (question) => {
  if (question.requests) return setRequests(question.requests)
  return run(question)
})

/**
 * Sends requests for some time: each connection one after the other, or at random moments of an average rate (requests
 * per second), whether or not the earlier ones are answered. Latencies are from the moment at which a request was due.
 */
async function run({ port, milliseconds, connections, rate }) {
  const latencies = []
  const isOpen = rate !== undefined
  const due = []
  const idle = []
  const startedAt = performance.now()
  const begin = startedAt + (isOpen ? CONNECTING : 0)
  const end = begin + milliseconds
  let finished = 0
  let [bytes, settle, fail] = [0]
  const done = new Promise((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  const all = []
  const send = (connection, at) => {
    connection.at = at
    connection.send(nextRequest())
  }
  /** Whether all requests that were due have been sent. */
  let isOver = !isOpen
  const proceed = (connection) => {
    const now = performance.now()
    if (isOpen) {
      if (due.length > 0) return send(connection, due.shift())
      idle.push(connection)
      if (isOver && idle.length === connections) settle()
    } else if (now < end) send(connection, now)
    else if (++finished === connections) settle()
  }
  for (let index = 0; index < connections; index++) {
    const connection = openConnection(port, {
      onOpen: () => proceed(connection),
      onResponse: (size) => {
        latencies.push(performance.now() - connection.at)
        bytes = size
        proceed(connection)
      },
      onError: fail
    })
    all.push(connection)
  }
  if (isOpen) {
    const random = seeded(1)
    let at = begin
    const tick = () => {
      const now = performance.now()
      for (; at <= now && at < end; at += 1000 * pauseUntilNext(rate, random)) {
        if (idle.length > 0) send(idle.pop(), at)
        else due.push(at)
      }
      if (at < end) setImmediate(tick)
      else {
        isOver = true
        if (idle.length === connections) settle()
      }
    }
    tick()
  }
  await done
  const seconds = (performance.now() - begin) / 1000
  for (const connection of all) connection.close()
  latencies.sort((one, other) => one - other)
  const quantile = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]
  const mean = latencies.reduce((sum, latency) => sum + latency, 0) / latencies.length
  return { count: latencies.length, rate: latencies.length / seconds, mean, bytes, quantiles: SHARES.map(quantile) }
}

/** Milliseconds in which connections open before requests are due. */
const CONNECTING = 200

/** The shares of the quantiles that are returned: the middles of fifty equal parts. */
const SHARES = Array.from({ length: 50 }, (_, index) => (index + 0.5) / 50)
