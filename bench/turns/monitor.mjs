import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

// Preloaded into a server (`node --import`). Each SIGUSR2 writes the figures since the previous one to a file.

/** A timer that fires in each turn, but at most once in a millisecond: the time between two calls is that of a turn. */
const turns = monitorEventLoopDelay({ resolution: 1 })
turns.enable()
let before = read()

process.on('SIGUSR2', () => {
  const now = read()
  const figures = {
    p50: turns.percentile(50) / 1e6,
    p99: turns.percentile(99) / 1e6,
    longest: turns.max / 1e6,
    count: now.count - before.count,
    seconds: (now.at - before.at) / 1000,
    busy: performance.eventLoopUtilization(now.utilization, before.utilization).utilization
  }
  turns.reset()
  before = now
  const file = `${process.env.TURNS_DIRECTORY}/${process.pid}.json`
  writeFileSync(`${file}.new`, JSON.stringify(figures))
  renameSync(`${file}.new`, file)
})

function read() {
  const utilization = performance.eventLoopUtilization()
  return { at: performance.now(), count: performance.nodeTiming.uvMetricsInfo.loopCount, utilization }
}
