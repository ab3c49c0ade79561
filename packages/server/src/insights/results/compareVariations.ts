import type { MetricSummary, TestInput } from './metricDimensions.ts'
import type { Comparison } from './statistics/comparison.ts'
import { compareProportions } from './statistics/twoProportions.ts'
import { compareMeans } from './statistics/welch.ts'

/** How one variation compares with the control, by the test that its dimension takes; there may be nothing to say. */
export function compareVariations(control: TestInput, treatment: TestInput): Comparison | undefined {
  if (control.test === 'proportions' && treatment.test === 'proportions') {
    return compareProportions(control.proportion, treatment.proportion)
  }
  return control.test === 'means' && treatment.test === 'means'
    ? compareMeans(control.sample, treatment.sample)
    : undefined
}

/** Why there is nothing to say. */
export function incomparableReason(control: MetricSummary, treatment: MetricSummary): string {
  const [lack, lackOfControl] = [missingFor(treatment), missingFor(control)]
  if (lack !== undefined) return `this variation ${lack}`
  return lackOfControl === undefined ? 'values do not vary' : `the control ${lackOfControl}`
}

/** What keeps a variation from being compared with any. */
function missingFor({ numerator, denominator, testInput }: MetricSummary): string | undefined {
  if (denominator === 0) return 'has a denominator of 0'
  if (testInput.test === 'none') return testInput.reason
  if (testInput.test === 'means') return testInput.sample.size < 2 ? 'has fewer than two users' : undefined
  return numerator > denominator ? 'has a rate beyond 1' : undefined
}
