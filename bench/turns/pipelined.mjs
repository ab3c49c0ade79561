import { connect } from 'node:net'
import { onQuestion } from '../http/child.mjs'

let stop = async () => ({ count: 0 })

onQuestion((question) => (question.port ? begin(question) : stop()))

/**
 * Keeps connections busy until `stop`: each sends a number of requests at once, and the next ones when it has all
 * responses. These must have the same size. Before that, each sends one request, so that the server has accepted all.
 */
async function begin({ port, request, size, connections, pipelined }) {
  let bytes = 0
  const sockets = Array.from({ length: connections }, () => connect({ port, host: '127.0.0.1', noDelay: true }))
  stop = async () => {
    for (const socket of sockets) socket.destroy()
    return { count: Math.floor(bytes / size) }
  }
  await Promise.all(sockets.map((socket) => sendFirst(socket, request, size)))
  const requests = Buffer.from(request.repeat(pipelined))
  for (const socket of sockets) keepBusy(socket, requests, size * pipelined, (length) => (bytes += length))
  return {}
}

function sendFirst(socket, request, size) {
  return new Promise((resolve, reject) => {
    let missing = size
    socket.on('error', reject)
    socket.on('connect', () => socket.write(request))
    socket.on('data', ({ length }) => {
      missing -= length
      if (missing > 0) return
      socket.removeAllListeners('data')
      resolve()
    })
  })
}

function keepBusy(socket, requests, total, onBytes) {
  let missing = total
  socket.write(requests)
  socket.on('data', ({ length }) => {
    onBytes(length)
    missing -= length
    if (missing > 0) return
    missing = total
    socket.write(requests)
  })
}
