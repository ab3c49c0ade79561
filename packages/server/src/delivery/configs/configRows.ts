import { type Audience, changedPart, type Feature, replacePart, type Target, type Variation } from '@burgee/core'
import { memoizeByIdentity } from '../../lib/object.ts'
import type { StoredTarget } from '../../storage/resources/feature.ts'
import type { ConfigView } from './affectedEnvironments.ts'
import type { ConfigInput } from './configSources.ts'
import { normalizeDistribution } from './normalize/normalizeDistribution.ts'
import { normalizeFilters } from './normalize/normalizeFilters.ts'
import { normalizeRollout } from './normalize/normalizeRollout.ts'
import type { SdkView } from './sdkViews.ts'
import { zeroValues } from './zeroValues.ts'

/** What a feature contributes to a config. */
interface Row {
  readonly configuration: ConfigView<'configurations'> | undefined
  /** Undefined if the feature is not part of the config. */
  readonly feature: Feature | undefined
  /** The audiences that the targets of the feature need. Undefined if there are none. */
  readonly audiences: Readonly<Record<string, Audience>> | undefined
}

/** The rows of a config, in the order of the features, and the data from which they were built. */
export interface RowsState {
  readonly rows: readonly Row[]
  readonly sources: Pick<ConfigInput, 'features' | 'configurations' | 'variables'>
}

/** The rows before the first config. */
export const NO_ROWS: RowsState = { sources: { features: [], configurations: [], variables: [] }, rows: [] }

/** Builds the rows of features whose stored items have changed, and keeps the others. */
export function buildRows(sources: ConfigInput, view: SdkView, before: RowsState): readonly Row[] {
  const changed = changedPart(before.sources.features, sources.features)
  const configurations = changesOf(before.sources.configurations, sources.configurations)
  const variables = changesOf(before.sources.variables, sources.variables)
  const replaced = new Map(
    before.sources.features.slice(changed.start, changed.beforeEnd).map(({ _id }, at) => {
      return [_id, before.rows[changed.start + at]]
    })
  )
  const configurationOf = (id: string, known: Row | undefined) => {
    const { added, removed } = configurations
    if (added.has(id) || removed.has(id)) return added.get(id)
    // A new feature can have a configuration that is older.
    return known ? known.configuration : byFeature(sources.configurations).get(id)
  }
  const build = (feature: ConfigView<'features'>, known: Row | undefined): Row => {
    const configuration = configurationOf(feature._id, known)
    const isServed = view.isVisible(feature) && feature.status !== 'archived'
    const isActive = isServed && configuration?.status === 'active'
    const built = isActive ? toFeature(configuration, feature, ...view.variablesOf(feature)) : undefined
    return { configuration, feature: built?.feature, audiences: built?.audiences }
  }
  const added = sources.features.slice(changed.start, changed.afterEnd)
  const rows = replacePart(
    before.rows,
    changed,
    added.map((feature) => build(feature, replaced.get(feature._id)))
  )
  const done = new Set(added.map(({ _id }) => _id))
  for (const { added, removed } of [configurations, variables]) {
    for (const id of [...added.keys(), ...removed.keys()]) {
      const position = done.has(id) ? -1 : view.positionOf(id)
      const feature = sources.features[position]
      if (feature) rows[position] = build(feature, rows[position])
      done.add(id)
    }
  }
  return rows
}

/** Returns the added and removed items of a list, by the id of their feature. */
function changesOf<T extends { readonly _feature?: string | undefined }>(before: readonly T[], after: readonly T[]) {
  const { start, beforeEnd, afterEnd } = changedPart(before, after)
  return {
    added: indexByFeature(after.slice(start, afterEnd)),
    removed: indexByFeature(before.slice(start, beforeEnd))
  }
}

/** Indexes items by the id of their feature. A feature has one configuration in an environment. */
function indexByFeature<T extends { readonly _feature?: string | undefined }>(
  items: readonly T[]
): ReadonlyMap<string, T> {
  return new Map(items.flatMap((item) => (item._feature === undefined ? [] : [[item._feature, item]])))
}

const byFeature = memoizeByIdentity((configurations: ConfigInput['configurations']) => indexByFeature(configurations))

/** A feature as configured in one environment, together with the audiences that its rewritten targets need. */
const toFeature = memoizeByIdentity(
  (
    configuration: ConfigView<'configurations'>,
    { _id, key, type, settings, variations }: ConfigView<'features'>,
    ...featureVariables: readonly ConfigView<'variables'>[]
  ): { readonly feature: Feature; readonly audiences: Readonly<Record<string, Audience>> | undefined } => {
    const targets = configuration.targets.map(toTarget)
    const audiences = Object.assign({}, ...targets.map(({ audiences }) => audiences))
    return {
      feature: {
        _id,
        key,
        type,
        settings,
        variations: toVariations(variations, ...featureVariables),
        configuration: { _id: configuration._id, targets: targets.map(({ target }) => target) }
      },
      audiences: Object.keys(audiences).length > 0 ? audiences : undefined
    }
  }
)

/** The variations of a feature, which all environments share. */
const toVariations = memoizeByIdentity(
  (
    variations: ConfigView<'features'>['variations'],
    ...featureVariables: readonly ConfigView<'variables'>[]
  ): readonly Variation[] => variations.map((variation) => toVariation(variation, featureVariables))
)

function toTarget(target: StoredTarget): {
  readonly target: Target
  readonly audiences: Readonly<Record<string, Audience>>
} {
  const { filters, audiences } = normalizeFilters(target._id, target.audience.filters)
  return {
    target: {
      _id: target._id,
      ...(target.name ? { name: target.name } : {}),
      _audience: { filters },
      distribution: normalizeDistribution(target.distribution),
      ...(target.rollout ? { rollout: normalizeRollout(target.rollout) } : {}),
      ...(target.bucketingKey ? { bucketingKey: target.bucketingKey } : {})
    },
    audiences
  }
}

/** A variation with a value for each variable. */
export function toVariation(variation: Variation, featureVariables: readonly ConfigView<'variables'>[]): Variation {
  const values = new Map(variation.variables.map(({ _var, value }) => [_var, value]))
  return {
    _id: variation._id,
    key: variation.key,
    name: variation.name,
    // Some engines reject a distribution with a gap.
    variables: featureVariables.map(({ _id, type }) => ({ _var: _id, value: values.get(_id) ?? zeroValues[type] }))
  }
}
