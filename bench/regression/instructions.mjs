import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { own } from '../lib/cleanUp.mjs'

const program = fileURLToPath(new URL('mix.mjs', import.meta.url))

/**
 * Rounds of the mix in the two runs. Their difference leaves out the start of Node.js. So few rounds include the
 * interpreter and the optimizer: after 300 rounds, one takes a fifth of the instructions, but counting takes longer.
 */
const ROUNDS = [50, 250]

/**
 * Returns the instructions of one round of the mix of evaluations, counted by callgrind; undefined if valgrind is
 * missing. Takes about half a minute.
 */
export async function countInstructions() {
  const counts = await Promise.all(ROUNDS.map(run)).catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return counts && { 'core mix, instructions': (counts[1] - counts[0]) / (ROUNDS[1] - ROUNDS[0]) }
}

/** The same instructions in every run: one thread, and fixed seeds. */
const NODE = [process.execPath, '--single-threaded', '--predictable', '--hash-seed=1', '--random-seed=1']

async function run(rounds) {
  const callgrind = ['--tool=callgrind', '--callgrind-out-file=/dev/null', '--vgdb=no']
  const running = promisify(execFile)('valgrind', [...callgrind, ...NODE, program, String(rounds)])
  own(running.child)
  const { stderr } = await running
  return Number(/Collected : (\d+)/.exec(stderr)[1])
}
