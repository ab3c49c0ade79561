import { fork } from 'node:child_process'
import { once } from 'node:events'

/**
 * Measures engines side by side on one workload. Each has a process of its own, so that none is compiled for the other's
 * data. They take turns, a short slice each, so that a slow moment of the machine falls on all of them.
 *
 * @returns by engine the nanoseconds of one call in each round.
 */
export async function measure(workload, engines, { rounds, slice }) {
  const processes = engines.map((engine) => start(engine, workload))
  try {
    const times = Object.fromEntries(engines.map((engine) => [engine, []]))
    // The first slice is for the JavaScript engine to get warm.
    for (const { ask } of processes) await ask('time', WARM_UP)
    for (let round = 0; round < rounds; round++) {
      for (const { engine, ask } of processes) times[engine].push(await ask('time', slice))
    }
    return times
  } finally {
    for (const { child } of processes) child.kill()
  }
}

/** The bytes that one call leaves to the garbage collector. */
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

/** How many times longer the first takes than the second: the median over the rounds. */
export function ratio(above, below) {
  return median(above.map((time, round) => time / below[round]))
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function start(engine, workload) {
  const child = fork(new URL('child.mjs', import.meta.url), [engine, workload], { execArgv: ['--expose-gc'] })
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`the process of ${engine} ended with code ${code} during workload ${workload}`)
  })
  gone.catch(() => {})
  const ask = async (question, milliseconds) => {
    child.send({ question, milliseconds })
    const [answer] = await Promise.race([once(child, 'message'), gone])
    return answer
  }
  return { engine, child, ask }
}
