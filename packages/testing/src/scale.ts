// How much of the generated tests runs. No other file of the tests reads these variables.
import { seededRandom } from './seededRandom.ts'

/** The seed of property tests and samples. Another one explores other cases: `TEST_SEED=$RANDOM npm test`. */
export const seed = Number(process.env.TEST_SEED ?? 20_261_121)

/** Whether matrices run all their cells, and property tests all their runs: `npm run test:full`. */
export const isFull = process.env.TEST_FULL === '1'

/** `TEST_RUNS=20` multiplies the runs of property tests and the rounds of crash tests. */
const times = Number(process.env.TEST_RUNS ?? 1)

/** Returns how often a property or a round runs: `quick` in `npm test`, `full` in `npm run test:full`. */
export function runs({ quick, full }: { readonly quick: number; readonly full: number }): number {
  return (isFull ? full : quick) * times
}

/**
 * Returns `count` of the cases in their order, or all of them in `npm run test:full`. The seed and the name of the sample
 * decide which: the samples of the rows of a matrix differ from each other.
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
