import type { Read } from '../configs/reach.ts'
import { remembering } from '../remembering.ts'

/** What a project has, by the names that evaluations have for it. */
export interface Catalogue {
  /** What a key stands for; undefined where there is no such variable. */
  readonly variable: (key: string) => KnownVariable | undefined
}

/** A variable that there is, whether or not it is live anywhere. */
export interface KnownVariable {
  readonly key: string
  /** Id of the feature that carries it, where one does. */
  readonly feature: string | undefined
  /** Ids of the variations that the feature has. */
  readonly variations: ReadonlySet<string>
}

/** The catalogue of a project, made once for the same features and variables. */
export const catalogueOf = remembering(
  (features: readonly Read<'features'>[], variables: readonly Read<'variables'>[]): Catalogue => {
    const variations = new Map(features.map((feature) => [feature._id, idsOf(feature.variations)]))
    const byKey = new Map(
      variables.map(({ key, _feature: feature }): [string, KnownVariable] => {
        return [key, { key, feature, variations: variations.get(feature ?? '') ?? NONE }]
      })
    )
    return { variable: (key) => byKey.get(key) }
  }
)

const NONE: ReadonlySet<string> = new Set()

function idsOf(items: readonly { readonly _id: string }[]): ReadonlySet<string> {
  return new Set(items.map(({ _id }) => _id))
}
