import type { FeatureUndo } from '../../storage/resources/history.ts'

/** Merges the undo data of two consecutive changes of a feature. The result restores the state before both. */
export function mergeUndo(first: FeatureUndo | undefined, second: FeatureUndo | undefined): FeatureUndo | undefined {
  if (!first || !second) return first ?? second
  const { features, configurations, variables, added } = first
  const known = new Set([...added, ...[...features, ...configurations, ...variables].map(({ _id }) => _id)])
  const other = <T extends { readonly _id: string }>(items: readonly T[]) => items.filter(({ _id }) => !known.has(_id))
  return {
    features: [...features, ...other(second.features)],
    configurations: [...configurations, ...other(second.configurations)],
    variables: [...variables, ...other(second.variables)],
    added: [...new Set([...added, ...second.added])]
  }
}
