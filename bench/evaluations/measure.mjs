import { fork } from 'node:child_process'
import { once } from 'node:events'
import { own } from '../lib/cleanUp.mjs'

/**
 * Measures engines on one workload. Each runs in its own process, so that none is optimized for another's data. They
 * take turns of a short slice each, so that slow phases of the machine affect all of them.
 *
 * @returns the nanoseconds of processor time of one call in each round, by engine.
 */
export async function measure(workload, engines, { rounds, slice }) {
  const processes = engines.map((engine) => start(engine, workload))
  try {
    const times = Object.fromEntries(engines.map((engine) => [engine, []]))
    // The first slice warms up the JavaScript engine.
    for (const { ask } of processes) await ask('time', WARM_UP)
    for (let round = 0; round < rounds; round++) {
      for (const { engine, ask } of processes) times[engine].push(await ask('time', slice))
    }
    return times
  } finally {
    for (const { child } of processes) child.kill()
  }
}

/** Returns the bytes that one call allocates. */
export async function measureGarbage(workload, engine) {
  const { child, ask } = start(engine, workload)
  try {
    await ask('time', WARM_UP)
    return await ask('garbage')
  } finally {
    child.kill()
  }
}

const WARM_UP = 300

function start(engine, workload) {
  const child = own(
    fork(new URL('child.mjs', import.meta.url), [engine, workload], {
      // Threads of the collector that wait for each other would add to the processor time.
      execArgv: ['--expose-gc', '--single-threaded-gc']
    })
  )
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the process of ${engine} ended with code ${code} during workload ${workload}`)
  })
  exited.catch(() => {})
  const ask = async (question, milliseconds) => {
    child.send({ question, milliseconds })
    const [answer] = await Promise.race([once(child, 'message'), exited])
    return answer
  }
  return { engine, child, ask }
}
