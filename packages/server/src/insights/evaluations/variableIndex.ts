import type { ConfigView } from '../../delivery/configs/affectedEnvironments.ts'
import { memoizeByIdentity } from '../../lib/object.ts'

/** What a project has, by the names that evaluations have for it. */
export interface VariableIndex {
  /** What a key stands for; undefined where there is no such variable. */
  readonly findVariable: (key: string) => IndexedVariable | undefined
}

/** A variable that there is, whether or not it is live anywhere. */
export interface IndexedVariable {
  readonly key: string
  /** Id of the feature that carries it, where one does. */
  readonly feature: string | undefined
  /** Ids of the variations that the feature has. */
  readonly variations: ReadonlySet<string>
}

/** The catalogue of a project, made once for the same features and variables. */
export const variableIndexOf = memoizeByIdentity(
  (features: readonly ConfigView<'features'>[], variables: readonly ConfigView<'variables'>[]): VariableIndex => {
    const variations = new Map(features.map((feature) => [feature._id, idsOf(feature.variations)]))
    const byKey = new Map(
      variables.map(({ key, _feature: feature }): [string, IndexedVariable] => {
        return [key, { key, feature, variations: variations.get(feature ?? '') ?? NONE }]
      })
    )
    return { findVariable: (key) => byKey.get(key) }
  }
)

const NONE: ReadonlySet<string> = new Set()

function idsOf(items: readonly { readonly _id: string }[]): ReadonlySet<string> {
  return new Set(items.map(({ _id }) => _id))
}
