import { Session } from 'node:inspector/promises'

/**
 * Starts to count steps: how often V8 enters a block of a function (a body, a branch, a loop) of the built packages and
 * of their dependencies. Modules must be loaded afterwards. The count is the same on every machine, and independent of
 * the optimizer.
 */
export async function startCountingSteps() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const take = async () => sumOf((await session.post('Profiler.takePreciseCoverage')).result)
  /** Returns the steps of a call: the least of several rounds, because timers of a server can add some. */
  return async (task, calls, rounds = 3) => {
    await task(calls)
    let fewest = Number.POSITIVE_INFINITY
    for (let round = 0; round < rounds; round++) {
      await take()
      await task(calls)
      fewest = Math.min(fewest, await take())
    }
    return fewest / calls
  }
}

function sumOf(scripts) {
  let steps = 0
  for (const { url, functions } of scripts) {
    if (!/\/packages\/[\w-]+\/dist\/|\/node_modules\//.test(url)) continue
    for (const { ranges } of functions) for (const { count } of ranges) steps += count
  }
  return steps
}

/** Calls before bytes are counted: optimized code allocates less than interpreted code. */
const WARM_UP = 6_000

/** Returns the bytes that a call allocates: the median of rounds that are too short for a collection. */
export async function countBytes(task, calls, rounds = 5) {
  for (let called = 0; called < WARM_UP; called += calls) await task(calls)
  const counts = []
  for (let round = 0; round < rounds; round++) {
    globalThis.gc({ type: 'minor' })
    const before = process.memoryUsage().heapUsed
    await task(calls)
    counts.push((process.memoryUsage().heapUsed - before) / calls)
  }
  return counts.sort((a, b) => a - b)[Math.floor(rounds / 2)]
}
