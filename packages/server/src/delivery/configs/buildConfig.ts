import type { SdkKeyType } from '@burgee/contract'
import type { SdkProject } from '@burgee/contract/schemas'
import type { Audience, Config, Feature, OffValue, Target, Variable, Variation } from '@burgee/core'
import { hasSameItems, memoizeByIdentity } from '../../lib/object.ts'
import { zeroValues } from '../../lib/zeroValues.ts'
import type { StoredEnvironment, StoredProject, StoredTarget } from '../../storage/resources.ts'
import type { ConfigView } from './affectedEnvironments.ts'
import { normalizeDistribution } from './normalizeDistribution.ts'
import { normalizeFilters } from './normalizeFilters.ts'
import { normalizeRollout } from './normalizeRollout.ts'

/** Everything a config is built from: one environment, and what its project has. */
export interface ConfigInput {
  readonly project: StoredProject
  readonly environment: StoredEnvironment
  readonly features: readonly ConfigView<'features'>[]
  /** Those of this environment. */
  readonly configurations: readonly ConfigView<'configurations'>[]
  readonly variables: readonly ConfigView<'variables'>[]
  readonly audiences: readonly ConfigView<'audiences'>[]
}

/**
 * Builds the config document that holders of one type of key evaluate: the features that are live in the environment
 * and visible to that type (`evaluation.md` §5.5), written so that every engine reads them alike (§11). What is built of
 * the same stored items is the same object every time, which `recompile` relies on.
 */
export function buildConfig(sources: ConfigInput, keyType: SdkKeyType): Config {
  const { project, environment } = sources
  const { visible, variables, carriedBy } = views[usesSdkVisibility(project) ? keyType : 'all'](
    sources.features,
    sources.variables
  )
  const audiences: Record<string, Audience> = {}
  const keep = (made: Readonly<Record<string, Audience>>) => Object.assign(audiences, made)
  for (const audience of sources.audiences) keep(toAudiences(audience))
  const configurations = new Map(sources.configurations.map((configuration) => [configuration._feature, configuration]))
  const features = visible.flatMap((feature): Feature[] => {
    const configuration = configurations.get(feature._id)
    if (feature.status === 'archived' || configuration?.status !== 'active') return []
    const built = toFeature(configuration, feature, ...carriedBy(feature))
    keep(built.audiences)
    return [built.feature]
  })
  const offValues = () => visible.flatMap((feature) => toOffValues(feature, ...carriedBy(feature)))
  return {
    project: toSdkProject(project),
    environment: { _id: environment._id, key: environment.key },
    features,
    variables,
    audiences,
    ...(environment.settings.ofrepOffValues ? { offValues: Object.fromEntries(offValues()) } : {})
  }
}

/** What SDKs are told of a project. Who approves what and who hears of what is no business of everybody who has a key. */
export function toSdkProject({ _id, key, _organization, settings }: StoredProject): SdkProject {
  const { edgeDB, optIn, obfuscation, disablePassthroughRollouts } = settings
  const read = { edgeDB, optIn, obfuscation, disablePassthroughRollouts }
  return { _id, key, a0_organization: _organization, settings: read }
}

/** Whether features choose which types of key see them; where they do not, every type sees everything. */
export function usesSdkVisibility({ settings }: StoredProject): boolean {
  return settings.sdkTypeVisibility.enabledInFeatureSettings
}

/** The features that a type of key sees, and the variables that come with them. */
interface SdkView {
  readonly visible: readonly ConfigView<'features'>[]
  readonly variables: readonly Variable[]
  readonly carriedBy: (feature: ConfigView<'features'>) => readonly ConfigView<'variables'>[]
}

/** Each type's view by itself, and that of all where features do not choose. */
const views = { all: viewOf(), server: viewOf('server'), client: viewOf('client'), mobile: viewOf('mobile') }

function viewOf(keyType?: SdkKeyType) {
  const lists = new WeakMap<ConfigInput['variables'], readonly Variable[]>()
  return memoizeByIdentity((features: ConfigInput['features'], variables: ConfigInput['variables']): SdkView => {
    const visible = keyType ? features.filter(({ sdkVisibility }) => sdkVisibility[keyType]) : features
    const ids = new Set(visible.map(({ _id }) => _id))
    const seen = variables.filter(({ status, _feature }) => {
      return status === 'active' && (_feature === undefined || ids.has(_feature))
    })
    const groups = groupByFeature(seen)
    const built = seen.map((variable) => toVariable(variable))
    // Most changes of features leave the variables as they are, and the same list says so at a glance.
    const before = lists.get(variables)
    const list = before && hasSameItems(before, built) ? before : built
    lists.set(variables, list)
    return {
      visible,
      variables: list,
      carriedBy: (feature) => groups.get(feature._id) ?? []
    }
  })
}

const toVariable = memoizeByIdentity(({ _id, key, type, metadata }: ConfigView<'variables'>): Variable => {
  return { _id, key, type, ...(metadata ? { metadata } : {}) }
})

/** An audience by its id, and the audiences that it came to need. */
const toAudiences = memoizeByIdentity(
  ({ _id, filters }: ConfigView<'audiences'>): Readonly<Record<string, Audience>> => {
    const safe = normalizeFilters(_id, filters)
    return { ...safe.audiences, [_id]: { filters: safe.filters } }
  }
)

/** A feature as it is configured in one environment, and the audiences that its targets came to need. */
const toFeature = memoizeByIdentity(
  (
    configuration: ConfigView<'configurations'>,
    { _id, key, type, settings, variations }: ConfigView<'features'>,
    ...carried: readonly ConfigView<'variables'>[]
  ): { readonly feature: Feature; readonly audiences: Readonly<Record<string, Audience>> } => {
    const targets = configuration.targets.map(toTarget)
    return {
      feature: {
        _id,
        key,
        type,
        settings,
        variations: variations.map((variation) => toVariation(variation, carried)),
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

function toVariation(variation: Variation, carried: readonly ConfigView<'variables'>[]): Variation {
  const values = new Map(variation.variables.map(({ _var, value }) => [_var, value]))
  return {
    _id: variation._id,
    key: variation.key,
    name: variation.name,
    // Some engines refuse a gap.
    variables: carried.map(({ _id, type }) => ({ _var: _id, value: values.get(_id) ?? zeroValues[type] }))
  }
}

/** Feature id → the variables it carries. */
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

/** Variable key → the value of the feature's off variation: the one with that key, or else the first, which is the control. */
const toOffValues = memoizeByIdentity(
  (feature: ConfigView<'features'>, ...carried: readonly ConfigView<'variables'>[]): readonly [string, OffValue][] => {
    const off = feature.variations.find(({ key }) => key === 'variation-off') ?? feature.variations[0]
    if (!off) return []
    const { variables } = toVariation(off, carried)
    return carried.map(({ key }, index) => [key, { variant: off.key, value: variables[index]?.value ?? null }])
  }
)
