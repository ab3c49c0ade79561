import { connect } from 'node:net'

/**
 * Opens a connection that sends one request at a time. `onResponse` gets the size of the body of each response, which
 * must be a 200, 201 or 304.
 */
export function openConnection(port, { onOpen, onResponse, onError }) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let head = ''
  let missing = 0
  let size = 0
  const onClose = () => onError(new Error('the server closed the connection'))
  socket.on('connect', onOpen)
  socket.on('error', onError)
  socket.on('close', onClose)
  socket.on('data', (chunk) => {
    if (missing > 0) {
      missing -= chunk.length
      if (missing === 0) onResponse(size)
      return
    }
    head += chunk.latin1Slice()
    const length = head.indexOf('\r\n\r\n')
    if (length === -1) return
    const status = Number(head.slice(9, 12))
    if (![200, 201, 304].includes(status)) return onError(new Error(`the server responded with ${head}`))
    size = Number(/content-length: (\d+)/i.exec(head.slice(0, length))?.[1] ?? 0)
    missing = size - (head.length - length - 4)
    head = ''
    if (missing === 0) onResponse(size)
  })
  return {
    send: (request) => socket.write(request),
    close: () => {
      socket.off('close', onClose)
      socket.destroy()
    }
  }
}
