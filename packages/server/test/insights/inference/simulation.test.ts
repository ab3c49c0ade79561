import { runs, seed } from '@burgee/testing/scale'
import { describe, expect, it } from 'vitest'
import { compareArms } from '../../../src/insights/results/inference/compareArms.ts'

/** A design of bench/statistics, which has the full table. */
interface Design {
  readonly name: string
  readonly treatmentShare: number
}

/** The counts of bench/statistics/simulate.mjs. */
interface Counts {
  readonly fixed: number
  readonly sequential20: number
  readonly misses: number
  readonly sequentialMisses: number
}

const folder = new URL('../../../../../bench/statistics/', import.meta.url)
// The benchmarks are JavaScript without declarations.
const { nullDesigns }: { nullDesigns: readonly Design[] } = await import(new URL('designs.mjs', folder).href)
const { simulate }: { simulate: (compare: typeof compareArms, design: Design, options: object) => Counts } =
  await import(new URL('simulate.mjs', folder).href)

const experiments = runs({ quick: 4, full: 200 })

/** The expected number at 5 %, and four standard errors. */
const limit = experiments * 0.05 + 4 * Math.sqrt(experiments * 0.05 * 0.95)

describe(`of ${experiments} experiments without a difference, at most 5 % and a random error`, () => {
  it.each(
    nullDesigns.map((design) => ({ design, name: `${design.name}, ${100 * design.treatmentShare} % in the treatment` }))
  )('get a false alarm or an interval that misses it: $name', ({ design }) => {
    const counts = simulate(compareArms, design, { runs: experiments, seed, continuous: false })
    expect(counts.fixed).toBeLessThanOrEqual(limit)
    expect(counts.sequential20).toBeLessThanOrEqual(limit)
    expect(counts.misses).toBeLessThanOrEqual(limit)
    expect(counts.sequentialMisses).toBeLessThanOrEqual(limit)
  })
})
