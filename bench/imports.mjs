import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const REPORT = 'const { user, system } = process.cpuUsage(); console.log(user + system)'

/**
 * Measures the processor time of importing packages in a new process, which other programs disturb less than its
 * duration. The processes take turns.
 *
 * @param packages names by engine.
 * @returns the nanoseconds over those of bare Node.js in each round, by engine.
 */
export async function measureImports(packages, rounds) {
  const times = Object.fromEntries(Object.keys(packages).map((engine) => [engine, []]))
  // The first round fills the caches of the operating system.
  for (let round = -1; round < rounds; round++) {
    const bare = await start(REPORT)
    for (const [engine, name] of Object.entries(packages)) {
      const time = (await start(`import '${name}'; ${REPORT}`)) - bare
      if (round >= 0) times[engine].push(time * 1000)
    }
  }
  return times
}

/** Returns the microseconds of processor time that a program has used at its end. */
async function start(program) {
  const cwd = new URL('.', import.meta.url)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd })
  return Number(stdout)
}
