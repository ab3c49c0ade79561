// The scale of generated tests. No other test file reads these variables.
import { seededRandom } from './seededRandom.ts'

/** The seed of property tests and samples. Another one explores other cases: `TEST_SEED=$RANDOM npm test`. */
export const seed = Number(process.env.TEST_SEED ?? 20_261_121)

/** Whether matrices run all their cells, and property tests all their runs: `npm run test:full`. */
export const isFull = process.env.TEST_FULL === '1'

/** The factor for the runs of property tests and crash tests, for example `TEST_RUNS=20`. */
const times = Number(process.env.TEST_RUNS ?? 1)

/** Returns the number of runs of a property or crash test: `quick` in `npm test`, `full` in `npm run test:full`. */
export function runs({ quick, full }: { readonly quick: number; readonly full: number }): number {
  return Math.ceil((isFull ? full : quick) * times)
}

/**
 * Returns `count` of the cases in their order, or all of them in `npm run test:full`. The seed and the name of the
 * sample determine the selection, so that the rows of a matrix get different samples.
 */
export function sample<Case>(cases: readonly Case[], count: number, name: string): readonly Case[] {
  if (isFull) return cases
  const random = seededRandom([...name].reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), seed))
  let wanted = Math.min(count, cases.length)
  return cases.filter((_, index) => {
    const isChosen = random() * (cases.length - index) < wanted
    if (isChosen) wanted -= 1
    return isChosen
  })
}
