// Loaded before the server with `node --import`: shifts its wall clock by the milliseconds in a file, which is read again
// for each SIGUSR2, as the clock of a machine jumps. Monotonic time is not shifted.
import { readFileSync } from 'node:fs'

const RealDate = Date
let shift = 0

process.on('SIGUSR2', () => {
  shift = Number(readFileSync(process.env.CHAOS_CLOCK_FILE, 'utf8'))
})

globalThis.Date = class extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + shift)
    else super(...values)
  }

  static now() {
    return RealDate.now() + shift
  }
}
