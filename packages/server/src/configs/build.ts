import type { SdkKeyType } from '@burgee/contract'
import type { Audience, Config, Feature, OffValue, Target, Variation } from '@burgee/core'
import type { StoredEnvironment, StoredProject, StoredTarget } from '../store/resources.ts'
import { zeros } from '../variables/zeros.ts'
import type { Read } from './reach.ts'
import { safeDistribution } from './safeDistribution.ts'
import { safeFilters } from './safeFilters.ts'
import { safeRollout } from './safeRollout.ts'

/** Everything a config is built from: one environment, and what its project has. */
export interface BuildInput {
  readonly project: StoredProject
  readonly environment: StoredEnvironment
  readonly features: readonly Read<'features'>[]
  /** Those of this environment. */
  readonly configurations: readonly Read<'configurations'>[]
  readonly variables: readonly Read<'variables'>[]
  readonly audiences: readonly Read<'audiences'>[]
}

/**
 * Builds the config document that holders of one type of key evaluate: the features that are live in the environment
 * and visible to that type (`evaluation.md` §5.5), written so that every engine reads them alike (§11).
 */
export function build(sources: BuildInput, keyType: SdkKeyType): Config {
  const { project, environment } = sources
  const visible = sources.features.filter((feature) => isVisible(feature, project, keyType))
  const seen = new Set(visible.map(({ _id }) => _id))
  const variables = sources.variables.filter(({ status, _feature }) => {
    return status === 'active' && (_feature === undefined || seen.has(_feature))
  })
  const carriedBy = groupByFeature(variables)
  const audiences: Record<string, Audience> = {}
  const keep = (made: Readonly<Record<string, Audience>>) => Object.assign(audiences, made)
  for (const audience of sources.audiences) {
    const safe = safeFilters(audience._id, audience.filters)
    keep({ ...safe.audiences, [audience._id]: { filters: safe.filters } })
  }
  const configurations = new Map(sources.configurations.map((configuration) => [configuration._feature, configuration]))
  const features = visible.flatMap((feature): Feature[] => {
    const configuration = configurations.get(feature._id)
    if (feature.status === 'archived' || configuration?.status !== 'active') return []
    return [
      {
        _id: feature._id,
        key: feature.key,
        type: feature.type,
        settings: feature.settings,
        variations: feature.variations.map((variation) => toVariation(variation, carriedBy.get(feature._id) ?? [])),
        configuration: {
          _id: configuration._id,
          targets: configuration.targets.map((target) => toTarget(target, keep))
        }
      }
    ]
  })
  return {
    project: {
      _id: project._id,
      key: project.key,
      a0_organization: project._organization,
      settings: { ...project.settings }
    },
    environment: { _id: environment._id, key: environment.key },
    features,
    variables: variables.map(({ _id, key, type }) => ({ _id, key, type })),
    variableHashes: {},
    audiences,
    ...(environment.settings.ofrepOffValues ? { offValues: toOffValues(visible, carriedBy) } : {})
  }
}

/** Whether features choose which types of key see them; where they do not, every type sees everything. */
export function choosesVisibility({ settings }: StoredProject): boolean {
  return settings.sdkTypeVisibility.enabledInFeatureSettings
}

function isVisible(feature: Read<'features'>, project: StoredProject, keyType: SdkKeyType): boolean {
  return !choosesVisibility(project) || feature.sdkVisibility[keyType]
}

function toTarget(target: StoredTarget, keep: (audiences: Readonly<Record<string, Audience>>) => void): Target {
  const { filters, audiences } = safeFilters(target._id, target.audience.filters)
  keep(audiences)
  return {
    _id: target._id,
    ...(target.name ? { name: target.name } : {}),
    _audience: { filters },
    distribution: safeDistribution(target.distribution),
    ...(target.rollout ? { rollout: safeRollout(target.rollout) } : {}),
    ...(target.bucketingKey ? { bucketingKey: target.bucketingKey } : {})
  }
}

function toVariation(variation: Variation, carried: readonly Read<'variables'>[]): Variation {
  const values = new Map(variation.variables.map(({ _var, value }) => [_var, value]))
  return {
    _id: variation._id,
    key: variation.key,
    name: variation.name,
    // Some engines refuse a gap.
    variables: carried.map(({ _id, type }) => ({ _var: _id, value: values.get(_id) ?? zeros[type] }))
  }
}

type CarriedVariables = ReadonlyMap<string, readonly Read<'variables'>[]>

/** Feature id → the variables it carries. */
function groupByFeature(variables: readonly Read<'variables'>[]): CarriedVariables {
  const groups = new Map<string, Read<'variables'>[]>()
  for (const variable of variables) {
    if (variable._feature === undefined) continue
    const group = groups.get(variable._feature)
    if (group) group.push(variable)
    else groups.set(variable._feature, [variable])
  }
  return groups
}

/** The values of each feature's off variation: the one with that key, or else the first, which is the control. */
function toOffValues(
  features: readonly Read<'features'>[],
  carriedBy: CarriedVariables
): Readonly<Record<string, OffValue>> {
  const entries = features.flatMap((feature) => {
    const off = feature.variations.find(({ key }) => key === 'variation-off') ?? feature.variations[0]
    const carried = carriedBy.get(feature._id) ?? []
    if (!off) return []
    const { variables } = toVariation(off, carried)
    return carried.map(({ key }, index): [string, OffValue] => {
      return [key, { variant: off.key, value: variables[index]?.value ?? null }]
    })
  })
  return Object.fromEntries(entries)
}
