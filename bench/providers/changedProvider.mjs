import { setTimeout } from 'node:timers/promises'
import { BurgeeProvider, streamingSource } from '../../packages/openfeature-provider/dist/index.js'
import { onQuestion } from '../http/child.mjs'

// A process with the provider. The parent process asks it to start, and then for the figures of each next change.

/** The time after a change in which the event loop is still measured. */
const SETTLE_MS = 100

/** Called with each config of the source, once the provider has used or refused it. */
let onConfig = () => {}

onQuestion(async ({ url, kind }) => {
  if (kind) return measure()
  const source = observed(streamingSource({ url, sdkKey: 'server' }))
  await new BurgeeProvider({ source, initTimeoutMs: 60_000 }).initialize()
  // The provider polls once more when its stream is open.
  await setTimeout(500)
  return {}
})

/** Measures from now until the provider has used the next config. */
async function measure() {
  const turns = measureTurns()
  const isUsed = await new Promise((resolve) => {
    onConfig = resolve
  })
  await setTimeout(SETTLE_MS)
  const figures = turns.stop()
  if (!isUsed) return { error: 'the provider refused the config' }
  return figures
}

/** Returns a source that reports its configs. */
function observed(source) {
  return {
    ...source,
    start: (listener) => {
      source.start({
        ...listener,
        onConfig: (update) => {
          const isUsed = listener.onConfig(update)
          onConfig(isUsed)
          return isUsed
        }
      })
    }
  }
}

/**
 * Measures the longest time between two calls of a timer that is due in each turn, but at most once in a millisecond: by
 * the clock, and of the CPU, which a busy computer does not lengthen as much.
 */
function measureTurns() {
  const start = milliseconds(process.cpuUsage())
  let [before, cpuBefore] = [performance.now(), start]
  let [longest, longestCpu] = [0, 0]
  const timer = setInterval(() => {
    const [now, cpu] = [performance.now(), milliseconds(process.cpuUsage())]
    const duration = now - before
    longest = Math.max(longest, duration)
    longestCpu = Math.max(longestCpu, cpu - cpuBefore)
    before = now
    cpuBefore = cpu
  }, 1)
  return {
    stop: () => {
      clearInterval(timer)
      return { longest, longestCpu, cpu: milliseconds(process.cpuUsage()) - start }
    }
  }
}

function milliseconds({ user, system }) {
  return (user + system) / 1_000
}
