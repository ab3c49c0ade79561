import type { SdkKeyType } from '@burgee/contract'
import type { SdkProject } from '@burgee/contract/schemas'
import type { Audience, Config, Feature, OffValue, Target, Variable, Variation } from '@burgee/core'
import { hasSameItems, memoizeByIdentity } from '../../lib/object.ts'
import type { StoredTarget } from '../../storage/resources/feature.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import type { ConfigView } from './affectedEnvironments.ts'
import { normalizeDistribution } from './normalizeDistribution.ts'
import { normalizeFilters } from './normalizeFilters.ts'
import { normalizeRollout } from './normalizeRollout.ts'
import { zeroValues } from './zeroValues.ts'

/** The input of a config: one environment, and the resources of its project. */
export interface ConfigInput {
  readonly project: StoredProject
  readonly environment: StoredEnvironment
  readonly features: readonly ConfigView<'features'>[]
  /** The configurations in this environment. */
  readonly configurations: readonly ConfigView<'configurations'>[]
  readonly variables: readonly ConfigView<'variables'>[]
  readonly audiences: readonly ConfigView<'audiences'>[]
}

/**
 * Builds the config document for one type of key: the features that are active in the environment and visible to that
 * type, normalized so that every engine interprets them in the same way (docs/reference/config-document.md). Equal
 * stored items yield identical objects, which `recompile` relies on.
 */
export function buildConfig(sources: ConfigInput, keyType: SdkKeyType): Config {
  const { project, environment } = sources
  const { visible, variables, variablesOf } = views[keyType](sources.features, sources.variables)
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
export function toSdkProject({ _id, key, _organization, settings }: StoredProject): SdkProject {
  const { edgeDB, optIn, obfuscation, disablePassthroughRollouts } = settings
  const sdkSettings = { edgeDB, optIn, obfuscation, disablePassthroughRollouts }
  return { _id, key, a0_organization: _organization, settings: sdkSettings }
}

/** Whether two types of key see the same features and variables, so that one config serves both. */
export function hasSameView(
  { features, variables }: Pick<ConfigInput, 'features' | 'variables'>,
  one: SdkKeyType,
  other: SdkKeyType
): boolean {
  const [first, second] = [views[one](features, variables), views[other](features, variables)]
  return hasSameItems(first.visible, second.visible) && hasSameItems(first.variables, second.variables)
}

/** Whether a config of a type of key names no feature or variable that has been hidden from that type since. */
export function revealsNothingHidden(
  config: Config,
  { features, variables }: Pick<ConfigInput, 'features' | 'variables'>,
  keyType: SdkKeyType
): boolean {
  const hidden = new Set(features.filter((feature) => !isVisible(feature, keyType)).map(({ _id }) => _id))
  const hiddenVariables = variables.filter(({ _feature }) => _feature !== undefined && hidden.has(_feature))
  const ids = new Set([...hidden, ...hiddenVariables.map(({ _id }) => _id)])
  return [...config.features, ...config.variables].every(({ _id }) => !ids.has(_id))
}

/**
 * Whether a type of key sees a feature. The setting of the feature applies, regardless of the settings of its project.
 * A damaged feature without the setting is hidden.
 */
function isVisible({ sdkVisibility }: Partial<ConfigView<'features'>>, keyType: SdkKeyType): boolean {
  return sdkVisibility?.[keyType] ?? false
}

/**
 * Whether a type of key sees a variable, by the feature that carries it. Client and mobile keys are public, so they see
 * no variable of an archived feature and none without a feature.
 */
function isVariableVisible(feature: ConfigView<'features'> | undefined, keyType: SdkKeyType): boolean {
  if (feature === undefined) return keyType === 'server'
  return isVisible(feature, keyType) && (keyType === 'server' || feature.status !== 'archived')
}

/** The features that a type of key sees, and their variables. */
interface SdkView {
  readonly visible: readonly ConfigView<'features'>[]
  readonly variables: readonly Variable[]
  readonly variablesOf: (feature: ConfigView<'features'>) => readonly ConfigView<'variables'>[]
}

const views = { server: viewOf('server'), client: viewOf('client'), mobile: viewOf('mobile') }

function viewOf(keyType: SdkKeyType) {
  const lists = new WeakMap<ConfigInput['variables'], readonly Variable[]>()
  return memoizeByIdentity((features: ConfigInput['features'], variables: ConfigInput['variables']): SdkView => {
    const visible = features.filter((feature) => isVisible(feature, keyType))
    const byId = new Map(visible.map((feature) => [feature._id, feature]))
    const visibleVariables = variables.filter(({ status, _feature }) => {
      if (status !== 'active' || (_feature !== undefined && !byId.has(_feature))) return false
      return isVariableVisible(_feature === undefined ? undefined : byId.get(_feature), keyType)
    })
    const groups = groupByFeature(visibleVariables)
    const built = visibleVariables.map((variable) => toVariable(variable))
    // Most changes of features do not affect the variables; then the list stays the same object.
    const before = lists.get(variables)
    const list = before && hasSameItems(before, built) ? before : built
    lists.set(variables, list)
    return {
      visible,
      variables: list,
      variablesOf: (feature) => groups.get(feature._id) ?? []
    }
  })
}

const toVariable = memoizeByIdentity(({ _id, key, type, metadata }: ConfigView<'variables'>): Variable => {
  return { _id, key, type, ...(metadata ? { metadata } : {}) }
})

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

/** Variables by the id of their feature. */
function groupByFeature(
  variables: readonly ConfigView<'variables'>[]
): ReadonlyMap<string, readonly ConfigView<'variables'>[]> {
  const groups = new Map<string, ConfigView<'variables'>[]>()
  for (const variable of variables) {
    if (variable._feature === undefined) continue
    const group = groups.get(variable._feature)
    if (group) group.push(variable)
    else groups.set(variable._feature, [variable])
  }
  return groups
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
