import { cpuOf } from '../lib/cpu.mjs'
import { onQuestion } from './child.mjs'
import { openConnection } from './connection.mjs'
import { nextRequest, setRequests } from './requests.mjs'

/** Connections with one request in flight each. */
const CONNECTIONS = 24

onQuestion(async (question) => {
  if (question.requests) return setRequests(question.requests)
  return question.sequence ? callInTurn(question) : loadServer(question)
})

/** Sends requests one after the other on one connection. Returns their durations in milliseconds. */
async function callInTurn({ port, sequence }) {
  const durations = []
  await callUntil(port, () => durations.length >= sequence, durations)
  return durations
}

/** Loads a server for some time. Returns requests per second, p50, p99 and maximum in milliseconds, and µs of CPU time per request. */
async function loadServer({ port, pid, milliseconds }) {
  const durations = []
  const cpuBefore = cpuOf(pid)
  const startedAt = performance.now()
  const bytes = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => {
      return callUntil(port, (now) => now >= startedAt + milliseconds, durations)
    })
  )
  const seconds = (performance.now() - startedAt) / 1000
  durations.sort((a, b) => a - b)
  return {
    count: durations.length,
    rate: durations.length / seconds,
    p50: durations[Math.floor(durations.length * 0.5)],
    p99: durations[Math.floor(durations.length * 0.99)],
    longest: durations.at(-1),
    cpu: ((cpuOf(pid) - cpuBefore) / durations.length) * 1e6,
    bytes: bytes[0]
  }
}

/** Sends requests on one connection until the end, and adds their durations. Returns the size of the last body. */
function callUntil(port, isEnd, durations) {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    const send = () => {
      sentAt = performance.now()
      connection.send(nextRequest())
    }
    const onResponse = (size) => {
      const now = performance.now()
      durations.push(now - sentAt)
      if (!isEnd(now)) return send()
      connection.close()
      resolve(size)
    }
    const connection = openConnection(port, { onOpen: send, onResponse, onError: reject })
  })
}
