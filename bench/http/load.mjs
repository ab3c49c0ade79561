import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { onQuestion } from './child.mjs'

/** Connections with one request in flight each. */
const CONNECTIONS = 24

/** Clock ticks per second in /proc. */
const TICKS = 100

/** The requests as bytes, sent in turn. */
let requests = []
let next = 0

onQuestion(async (question) => {
  if (question.requests) {
    requests = question.requests.map((text) => Buffer.from(text))
    return { count: requests.length }
  }
  return loadServer(question)
})

/** Loads a server for some time. Returns requests per second, p99 in milliseconds, and µs of CPU time per request. */
async function loadServer({ port, pid, milliseconds }) {
  const durations = []
  const cpuBefore = cpuOf(pid)
  const startedAt = performance.now()
  const bytes = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => callUntil(port, startedAt + milliseconds, durations))
  )
  const seconds = (performance.now() - startedAt) / 1000
  durations.sort((a, b) => a - b)
  return {
    count: durations.length,
    rate: durations.length / seconds,
    p99: durations[Math.floor(durations.length * 0.99)],
    cpu: ((cpuOf(pid) - cpuBefore) / durations.length) * 1e6,
    bytes: bytes[0]
  }
}

/** Returns the seconds of CPU time that a process has used: on its own, and in the kernel for it. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

/** Sends requests on one connection until a moment, and adds their durations. Returns the size of the last body. */
function callUntil(port, end, durations) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sentAt = 0
    let head = ''
    let missing = 0
    let size = 0
    const send = () => {
      sentAt = performance.now()
      socket.write(requests[next++ % requests.length])
    }
    const finish = () => {
      const now = performance.now()
      durations.push(now - sentAt)
      if (now < end) return send()
      socket.destroy()
      resolve(size)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (chunk) => {
      if (missing > 0) {
        missing -= chunk.length
        if (missing === 0) finish()
        return
      }
      head += chunk.latin1Slice()
      const length = head.indexOf('\r\n\r\n')
      if (length === -1) return
      const status = Number(head.slice(9, 12))
      if (status !== 200 && status !== 304) return reject(new Error(`the server responded with ${head}`))
      size = Number(/content-length: (\d+)/i.exec(head.slice(0, length))?.[1] ?? 0)
      missing = size - (head.length - length - 4)
      head = ''
      if (missing === 0) finish()
    })
  })
}
