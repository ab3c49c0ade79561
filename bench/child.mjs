import { contender, workloadOf } from './contenders.mjs'
import { median } from './measure.mjs'

const [engine, name] = process.argv.slice(2)
const { inputs, ask } = await contender(engine, workloadOf(name))
let next = 0
/** Counts results, so that the optimizer cannot remove the calls. */
let results = 0

process.on('message', ({ question, milliseconds }) => {
  process.send(question === 'time' ? time(milliseconds) : garbage())
})

/** Returns the nanoseconds of one call, measured over about this many milliseconds. */
function time(milliseconds) {
  const begin = performance.now()
  let calls = 0
  let batch = 1
  let elapsed = 0
  while (elapsed < milliseconds) {
    run(batch)
    calls += batch
    elapsed = performance.now() - begin
    // Batches are long enough that reading the clock does not matter.
    if (elapsed < milliseconds / 50) batch *= 2
  }
  return (elapsed * 1e6) / calls
}

/** Returns the bytes that one call allocates, over few enough calls that no collection happens meanwhile. */
function garbage() {
  const calls = 5000
  const counts = Array.from({ length: 9 }, () => {
    // A full collection would also discard compiled code and inline caches.
    globalThis.gc({ type: 'minor' })
    const before = process.memoryUsage().heapUsed
    run(calls)
    return (process.memoryUsage().heapUsed - before) / calls
  })
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
