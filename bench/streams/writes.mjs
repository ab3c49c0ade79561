// Loaded into a server by `npm run streams`: writes a line with the moments of the first and of the last write of each
// change's messages to the file in BENCH_WRITES. Moments are of the clock that all processes share.
import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'

const path = process.env.BENCH_WRITES
/** Milliseconds without a message after which those of a change are complete. */
const QUIET = 100
let first
let last
let quiet

// `_writeGeneric` is where corked and plain writes of a socket meet, right before the system call.
const { _writeGeneric } = Socket.prototype
Socket.prototype._writeGeneric = function (...given) {
  const [isList, data] = given
  const text = isList ? data[0]?.chunk : data
  if (typeof text !== 'string' || !text.startsWith('id: ')) return _writeGeneric.apply(this, given)
  first ??= now()
  const result = _writeGeneric.apply(this, given)
  last = now()
  quiet ??= setTimeout(report, QUIET)
  quiet.refresh()
  return result
}

function report() {
  appendFileSync(path, `${first} ${last}\n`)
  first = undefined
  quiet = undefined
}

function now() {
  return Number(process.hrtime.bigint()) / 1e6
}
