import type { CreateFeature, Target, UpdateFeature, Variable, Variation } from '@burgee/contract/schemas'
import { findByKeyOrId, isRecord, omitUndefined } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import { formatQuoted } from '../../results/formatQuoted.ts'
import { ToolError } from '../../results/toolError.ts'
import type { ConfigurationState, FeatureState, VariableState } from './featureState.ts'

/** Returns a feature as the API would update it: lists are replaced as a whole, and omitted members are kept. */
export function applyUpdate(before: FeatureState, body: UpdateFeature): FeatureState {
  const { name, description, type, tags, settings, sdkVisibility, summary } = body
  const variables = body.variables ? applyVariables(before, body.variables) : before.variables
  const variations = applyVariations(before, body, variables)
  const after = {
    ...before,
    ...omitUndefined({ name, description, type, tags }),
    ...merged('settings', before, settings),
    ...merged('sdkVisibility', before, sdkVisibility),
    ...merged('summary', before, summary),
    variables,
    variations,
    ...controlOf(before, variations, body)
  }
  return { ...after, configurations: applyConfigurations(after, body.configurations ?? {}) }
}

type VariableInput = NonNullable<CreateFeature['variables']>[number]

/** Variables are identified by their keys. */
function applyVariables({ variables }: FeatureState, inputs: readonly VariableInput[]): readonly VariableState[] {
  return inputs.map(({ _feature: _, defaultValue: __, ...input }) => {
    return {
      ...variables.find(({ key }) => key === input.key),
      ...omitUndefined(input),
      key: input.key,
      type: input.type
    }
  })
}

/** Gives every variation a value for every variable: the given, the existing or an initial one, in this order. */
function applyVariations(
  before: FeatureState,
  { variations, variables: inputs = [] }: UpdateFeature,
  variables: readonly VariableState[]
): readonly Variation[] {
  const updates = variations?.map((input) => {
    const { _id, key, name } = input
    const known = before.variations.find((one) => (_id === undefined ? one.key === key : one._id === _id))
    return { _id: known?._id ?? `new ${key}`, key, name, variables: { ...known?.variables, ...input.variables } }
  })
  return (updates ?? before.variations).map((variation) => {
    const values = variables.map((variable) => {
      const first = inputs.find(({ key }) => key === variable.key)?.defaultValue
      return [variable.key, variation.variables?.[variable.key] ?? initialValue(variable, first)]
    })
    return { ...variation, variables: Object.fromEntries(values) }
  })
}

/** Returns the value of a variable in a variation without a value for it. */
function initialValue(
  { type, validationSchema }: Pick<Variable, 'type' | 'validationSchema'>,
  wanted: unknown
): unknown {
  return wanted ?? validationSchema?.exampleValue ?? { String: '', Boolean: false, Number: 0, JSON: {} }[type]
}

/** Returns the control variation, which keeps its role under a new key. If removed, the first variation replaces it. */
function controlOf(
  before: FeatureState,
  variations: readonly Variation[],
  { controlVariation: wanted, variations: replaced }: UpdateFeature
): Pick<FeatureState, 'controlVariation'> {
  if (wanted !== undefined)
    return { controlVariation: getVariation({ ...before, variations }, wanted, 'controlVariation').key }
  if (!replaced) return {}
  const known = before.variations.find(({ key }) => key === before.controlVariation)
  const present = variations.find(({ _id }) => _id === known?._id) ?? variations[0]
  return { controlVariation: present?.key ?? '' }
}

function applyConfigurations(
  after: FeatureState,
  updates: NonNullable<UpdateFeature['configurations']>
): readonly ConfigurationState[] {
  const environments = after.configurations.map(({ environment }) => environment)
  const unknown = Object.keys(updates).find((reference) => !findByKeyOrId(environments, reference))
  if (unknown !== undefined) {
    const wanted = `environments of the project by key or id (${environments.map(({ key }) => key).join(', ')})`
    throw new ToolError('VALIDATION_ERROR', `configurations must name ${wanted}, got ${formatValue(unknown)}`)
  }
  return after.configurations.map((configuration) => {
    const { _id, key } = configuration.environment
    const { status = configuration.status, targets: inputs } = updates[key] ?? updates[_id] ?? {}
    const targets = inputs?.map((input, index) => toTarget(input, index, after)) ?? configuration.targets
    const isEmpty = status === 'active' && targets.length === 0
    return { ...configuration, status, targets: isEmpty ? staticTargets(after) : targets }
  })
}

type TargetInput = NonNullable<NonNullable<UpdateFeature['configurations']>[string]['targets']>[number]

/** Converts a target. Without an id, it is new and reassigns its users. @throws {ToolError} for an unknown variation. */
function toTarget({ _id, distribution, rollout, ...input }: TargetInput, index: number, feature: FeatureState): Target {
  return {
    ...input,
    _id: _id ?? `new ${index}`,
    distribution: distribution.map(({ _variation, percentage }) => {
      return { _variation: getVariation(feature, _variation, '_variation')._id, percentage }
    }),
    ...(rollout ? { rollout: toUtc(rollout) } : {})
  }
}

/** Returns the targets of a complete feature that is turned on without targets: it serves its static variation. */
function staticTargets({ status, staticVariation = '', variations }: FeatureState): readonly Target[] {
  const variation = findByKeyOrId(variations, staticVariation)
  return status === 'complete' && variation ? [targetAllUsers(variation)] : []
}

/** Returns a target that serves one variation to all users. */
export function targetAllUsers({ _id: _variation }: Pick<Variation, '_id'>): Target {
  return {
    _id: 'new',
    name: 'All Users',
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation, percentage: 1 }]
  }
}

type Rollout = NonNullable<Target['rollout']>

function toUtc({ startDate, stages, ...rollout }: Rollout): Rollout {
  const moment = (date: string) => new Date(date).toISOString()
  return {
    ...rollout,
    startDate: moment(startDate),
    ...(stages ? { stages: stages.map((stage) => ({ ...stage, date: moment(stage.date) })) } : {})
  }
}

/** Returns the variation with this key or id. @throws {ToolError} that names the parameter when there is none. */
export function getVariation(
  { key, variations }: Pick<FeatureState, 'key' | 'variations'>,
  reference: string | undefined,
  parameter: string
): Variation {
  const variation = reference === undefined ? undefined : findByKeyOrId(variations, reference)
  if (variation) return variation
  const wanted = `the key or id of a variation of feature ${formatQuoted(key ?? '')}`
  const known = variations.map((one) => one.key).join(', ')
  throw new ToolError('VALIDATION_ERROR', `${parameter} must be ${wanted} (${known}), got ${formatValue(reference)}`)
}

function merged<Name extends 'settings' | 'sdkVisibility' | 'summary'>(
  name: Name,
  before: FeatureState,
  updates: object | undefined
): Partial<Pick<FeatureState, Name>> {
  if (!updates) return {}
  // The existing object has every member, and the update some of them.
  return { [name]: { ...before[name], ...omitUndefined(updates) } } as Partial<Pick<FeatureState, Name>>
}

/** Whether a value is valid for a variable of this type. */
export function isOfType(type: Variable['type'], value: unknown): boolean {
  if (type === 'JSON') return isRecord(value)
  if (type === 'Number') return Number.isFinite(value)
  return typeof value === type.toLowerCase()
}
