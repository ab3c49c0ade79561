import { connect } from 'node:net'

/** Opens streams, and waits until each has its first message. */
export async function openAll(port, sdkKey, count) {
  const streams = []
  for (let opened = 0; opened < count; opened += 100) {
    const some = Array.from({ length: Math.min(100, count - opened) }, () => open(port, sdkKey))
    await Promise.all(some.map((stream) => stream.next()))
    streams.push(...some)
  }
  return streams
}

/** Opens a stream with a minimal client, so that latencies are mostly those of the server. */
function open(port, sdkKey) {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  let text = ''
  let waiting = () => {}
  socket.on('data', (piece) => {
    const at = performance.now()
    text += piece
    const found = /id: (\S+)\ndata: .*\n\n/.exec(text)
    if (!found) return
    text = text.slice(found.index + found[0].length)
    waiting({ id: found[1], at })
  })
  socket.on('error', (error) => {
    console.error(`a stream failed: ${error.message}`)
    process.exit(1)
  })
  socket.write(`GET /event-stream?sdkKey=${sdkKey} HTTP/1.1\r\nhost: bench\r\naccept: text/event-stream\r\n\r\n`)
  return {
    next: () =>
      new Promise((resolve) => {
        waiting = resolve
      }),
    close: () => socket.destroy()
  }
}
