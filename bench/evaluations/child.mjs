import '../lib/offline.mjs'
import { median } from '../lib/median.mjs'
import { contender, workloadOf } from './contenders.mjs'

const [engine, name] = process.argv.slice(2)
const workload = workloadOf(name)
const { inputs, ask, close } = await contender(engine, workload)
const isAsync = typeof ask(inputs[0])?.then === 'function'
let next = 0
/** Counts results, so that the optimizer cannot remove the calls. */
let results = 0

// The parent process was killed.
process.once('disconnect', () => process.exit())
process.on('message', async ({ question, milliseconds }) => {
  const answer = question === 'time' ? await time(milliseconds) : await garbage()
  // Every call of the workload `load` leaves a client.
  if (workload.ask === 'load') await close()
  process.send(answer)
})

/**
 * Returns the nanoseconds of processor time of one call, measured over about this many milliseconds of it. Unlike the
 * duration, it does not contain the time in which other programs have the processor.
 */
async function time(milliseconds) {
  const before = process.cpuUsage()
  let calls = 0
  let batch = 1
  let elapsed = 0
  while (elapsed < milliseconds) {
    if (isAsync) await runAwaited(batch)
    else run(batch)
    calls += batch
    const { user, system } = process.cpuUsage(before)
    elapsed = (user + system) / 1000
    // Batches are long enough that reading the clock does not matter.
    if (elapsed < milliseconds / 50) batch *= 2
  }
  return (elapsed * 1e6) / calls
}

/** Returns the bytes that one call allocates, over few enough calls that no collection happens meanwhile. */
async function garbage() {
  const calls = 5000
  const counts = []
  for (let round = 0; round < 9; round++) {
    // A full collection would also discard compiled code and inline caches.
    globalThis.gc({ type: 'minor' })
    const before = process.memoryUsage().heapUsed
    run(calls)
    counts.push((process.memoryUsage().heapUsed - before) / calls)
  }
  return median(counts)
}

function run(calls) {
  for (let call = 0; call < calls; call++) {
    if (ask(inputs[next]) !== undefined) results++
    next++
    if (next === inputs.length) next = 0
  }
  return results
}

/** Awaits every call before the next one, as an application does that needs the value. */
async function runAwaited(calls) {
  for (let call = 0; call < calls; call++) {
    if ((await ask(inputs[next])) !== undefined) results++
    next++
    if (next === inputs.length) next = 0
  }
  return results
}
