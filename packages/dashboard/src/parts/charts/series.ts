import type { Feature, FeatureEvaluations } from '@burgee/contract/schemas'

/** A variation in a chart: its values per period, and how it is drawn. */
export interface Series {
  readonly key: string
  readonly name: string
  /** A CSS colour. The control is grey. */
  readonly color: string
  readonly values: readonly number[]
  readonly total: number
}

const COLORS = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-6'] as const

/** One series for each variation of a feature, in its order, then for what else was evaluated. */
export function seriesOf(
  evaluations: FeatureEvaluations['result']['evaluations'],
  { variations, controlVariation }: Pick<Feature, 'variations' | 'controlVariation'>
): readonly Series[] {
  const names = new Map(variations.map(({ key, name }) => [key, name]))
  const found = new Set(evaluations.flatMap(({ values }) => Object.keys(values)))
  const keys = [...names.keys(), ...[...found].filter((key) => !names.has(key))]
  let used = 0
  return keys.flatMap((key) => {
    const values = evaluations.map((evaluation) => evaluation.values[key] ?? 0)
    const total = values.reduce((sum, value) => sum + value, 0)
    const isKnown = names.has(key)
    const color = colorOf(key === controlVariation, isKnown, isKnown && key !== controlVariation ? used++ : 0)
    const name = names.get(key) ?? (key === 'default' ? 'Default of the code' : 'Deleted variation')
    return isKnown || total > 0 ? [{ key, name, color, values, total }] : []
  })
}

function colorOf(isControl: boolean, isKnown: boolean, position: number): string {
  if (isControl) return 'var(--series-5)'
  return isKnown ? `var(${COLORS[position % COLORS.length]})` : 'var(--edge)'
}
