import { Socket } from 'node:net'

const { connect } = Socket.prototype

/** Ends the process when a package tries to connect to another computer. */
Socket.prototype.connect = function (...args) {
  const [{ host, path }] = [args.flat(2).find((value) => typeof value === 'object' && value !== null) ?? {}]
  if (path === undefined && host !== '127.0.0.1') {
    console.error(`a package tries to connect to ${host}, but only 127.0.0.1 is allowed`)
    process.exit(1)
  }
  return connect.apply(this, args)
}
