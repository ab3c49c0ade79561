import type { SdkProject } from '@burgee/contract/schemas'
import type { Audience, Config, Feature, OffValue, Target, Variation } from '@burgee/core'
import { memoizeByIdentity } from '../../lib/object.ts'
import type { StoredTarget } from '../../storage/resources/feature.ts'
import type { ConfigView } from './affectedEnvironments.ts'
import type { ConfigInput } from './configSources.ts'
import type { KeyProject } from './keyConfig.ts'
import { normalizeDistribution } from './normalizeDistribution.ts'
import { normalizeFilters } from './normalizeFilters.ts'
import { normalizeRollout } from './normalizeRollout.ts'
import { type ViewKind, viewFor } from './sdkViews.ts'
import { zeroValues } from './zeroValues.ts'

/**
 * Builds the config document for one type of key: the features that are active in the environment and visible to that
 * type, normalized so that every engine interprets them in the same way (docs/reference/config-document.md). Equal
 * stored items yield identical objects, which `recompile` relies on.
 */
export function buildConfig(sources: ConfigInput, keyType: ViewKind): Config {
  const { project, environment } = sources
  const { visible, variables, variablesOf } = viewFor(keyType, sources)
  const audiences: Record<string, Audience> = {}
  const addAudiences = (added: Readonly<Record<string, Audience>>) => Object.assign(audiences, added)
  for (const audience of sources.audiences) addAudiences(toAudiences(audience))
  const configurations = new Map(sources.configurations.map((configuration) => [configuration._feature, configuration]))
  const features = visible.flatMap((feature): Feature[] => {
    const configuration = configurations.get(feature._id)
    if (feature.status === 'archived' || configuration?.status !== 'active') return []
    const built = toFeature(configuration, feature, ...variablesOf(feature))
    addAudiences(built.audiences)
    return [built.feature]
  })
  const offValues = () => visible.flatMap((feature) => toOffValues(feature, ...variablesOf(feature)))
  return {
    project: toSdkProject(project),
    environment: { _id: environment._id, key: environment.key },
    features,
    variables,
    audiences,
    ...(environment.settings.ofrepOffValues ? { offValues: Object.fromEntries(offValues()) } : {})
  }
}

/** The project settings that SDKs receive. Approval and webhook settings are private. */
export function toSdkProject({ _id, key, _organization, settings }: KeyProject): SdkProject {
  const { edgeDB, optIn, obfuscation, disablePassthroughRollouts } = settings
  const sdkSettings = { edgeDB, optIn, obfuscation, disablePassthroughRollouts }
  return { _id, key, a0_organization: _organization, settings: sdkSettings }
}

/** An audience by id, together with the audiences that its rewritten filters need. */
const toAudiences = memoizeByIdentity(
  ({ _id, filters }: ConfigView<'audiences'>): Readonly<Record<string, Audience>> => {
    const safe = normalizeFilters(_id, filters)
    return { ...safe.audiences, [_id]: { filters: safe.filters } }
  }
)

/** A feature as configured in one environment, together with the audiences that its rewritten targets need. */
const toFeature = memoizeByIdentity(
  (
    configuration: ConfigView<'configurations'>,
    { _id, key, type, settings, variations }: ConfigView<'features'>,
    ...featureVariables: readonly ConfigView<'variables'>[]
  ): { readonly feature: Feature; readonly audiences: Readonly<Record<string, Audience>> } => {
    const targets = configuration.targets.map(toTarget)
    return {
      feature: {
        _id,
        key,
        type,
        settings,
        variations: variations.map((variation) => toVariation(variation, featureVariables)),
        configuration: { _id: configuration._id, targets: targets.map(({ target }) => target) }
      },
      audiences: Object.assign({}, ...targets.map(({ audiences }) => audiences))
    }
  }
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

function toVariation(variation: Variation, featureVariables: readonly ConfigView<'variables'>[]): Variation {
  const values = new Map(variation.variables.map(({ _var, value }) => [_var, value]))
  return {
    _id: variation._id,
    key: variation.key,
    name: variation.name,
    // Some engines reject a distribution with a gap.
    variables: featureVariables.map(({ _id, type }) => ({ _var: _id, value: values.get(_id) ?? zeroValues[type] }))
  }
}

/**
 * The off values by variable key: those of the variation `variation-off`, or of the first variation, which is the
 * control.
 */
const toOffValues = memoizeByIdentity(
  (
    feature: ConfigView<'features'>,
    ...featureVariables: readonly ConfigView<'variables'>[]
  ): readonly [string, OffValue][] => {
    const off = feature.variations.find(({ key }) => key === 'variation-off') ?? feature.variations[0]
    if (!off) return []
    const { variables } = toVariation(off, featureVariables)
    return featureVariables.map(({ key }, index) => [key, { variant: off.key, value: variables[index]?.value ?? null }])
  }
)
