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

type Variations = Pick<Feature, 'variations' | 'controlVariation'>

/** The colours of the variations of a feature on all pages, by key: grey for its control, the others in turn. */
export function variationColors({ variations, controlVariation }: Variations): ReadonlyMap<string, string> {
  const others = variations.filter(({ key }) => key !== controlVariation)
  return new Map(
    variations.map(({ key }) => {
      const position = others.findIndex((other) => other.key === key)
      return [key, position < 0 ? 'var(--series-5)' : `var(${COLORS[position % COLORS.length]})`]
    })
  )
}

/** One series for each variation of a feature, in its order, then for what else was evaluated. */
export function seriesOf(
  evaluations: FeatureEvaluations['result']['evaluations'],
  feature: Variations
): readonly Series[] {
  const names = new Map(feature.variations.map(({ key, name }) => [key, name]))
  const colors = variationColors(feature)
  const found = new Set(evaluations.flatMap(({ values }) => Object.keys(values)))
  const keys = [...names.keys(), ...[...found].filter((key) => !names.has(key))]
  return keys.flatMap((key) => {
    const values = evaluations.map((evaluation) => evaluation.values[key] ?? 0)
    const total = values.reduce((sum, value) => sum + value, 0)
    const color = colors.get(key) ?? 'var(--edge)'
    const name = names.get(key) ?? (key === 'default' ? 'The code’s default' : 'Deleted variation')
    return names.has(key) || total > 0 ? [{ key, name, color, values, total }] : []
  })
}
