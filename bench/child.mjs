import { contender, workloadOf } from './contenders.mjs'
import { median } from './measure.mjs'

const [engine, name] = process.argv.slice(2)
const { inputs, ask } = await contender(engine, workloadOf(name))
let next = 0
/** Written so that no answer is computed for nothing. */
let answers = 0

process.on('message', ({ question, milliseconds }) => {
  process.send(question === 'time' ? time(milliseconds) : garbage())
})

/** The nanoseconds of one call, over about so many milliseconds. */
function time(milliseconds) {
  const begin = performance.now()
  let calls = 0
  let batch = 1
  let elapsed = 0
  while (elapsed < milliseconds) {
    run(batch)
    calls += batch
    elapsed = performance.now() - begin
    // A look at the clock should cost nothing beside a batch.
    if (elapsed < milliseconds / 50) batch *= 2
  }
  return (elapsed * 1e6) / calls
}

/** The bytes that one call leaves behind, counted over so few calls that none is collected meanwhile. */
function garbage() {
  const calls = 5000
  const counts = Array.from({ length: 9 }, () => {
    // A full collection would throw away what the JavaScript engine has learnt, too.
    globalThis.gc({ type: 'minor' })
    const before = process.memoryUsage().heapUsed
    run(calls)
    return (process.memoryUsage().heapUsed - before) / calls
  })
  return median(counts)
}

function run(calls) {
  for (let call = 0; call < calls; call++) {
    if (ask(inputs[next]) !== undefined) answers++
    next++
    if (next === inputs.length) next = 0
  }
  return answers
}
