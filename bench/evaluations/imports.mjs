import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const REPORT = 'const { user, system } = process.cpuUsage(); console.log(user + system)'

/**
 * Measures the processor time of importing packages in a new process. The processes take turns. A start is only ever
 * slowed down by other programs, so the least of all starts is compared with the least of bare Node.js.
 *
 * @param packages names by engine.
 * @returns the nanoseconds over those of bare Node.js, one for each engine.
 */
export async function measureImports(packages, rounds) {
  const programs = { bare: REPORT }
  for (const [engine, name] of Object.entries(packages)) programs[engine] = `import '${name}'; ${REPORT}`
  const least = {}
  for (let round = 0; round < rounds; round++) {
    for (const [engine, program] of Object.entries(programs)) {
      least[engine] = Math.min(least[engine] ?? Number.POSITIVE_INFINITY, await start(program))
    }
  }
  return Object.fromEntries(Object.keys(packages).map((engine) => [engine, [(least[engine] - least.bare) * 1000]]))
}

/** Returns the microseconds of processor time that a program has used at its end. */
async function start(program) {
  const cwd = new URL('.', import.meta.url)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd })
  return Number(stdout)
}
