import { changedVariables, changing } from './commands/changing.ts'
import type { ConfigurationInput, FeatureInput } from './commands/inputs.ts'
import { assertValuesFit, free, replaceVariables, replaceVariations } from './contents.ts'
import { type Faults, find, type Model, type ModelFeature, newHandle, type Rule, variablesOf } from './state.ts'
import { configure, fitShares, forgetEmpty, isMalformed, nothingSaid, toEverybody } from './targeting.ts'

/** Without variables and variations, a feature gets a Boolean variable with its own key, on and off. */
export function createFeature(input: FeatureInput & { key: string; name: string }): Rule {
  return (model, faults) => {
    const { key, name, variables, variations } = input
    const feature: ModelFeature = {
      handle: newHandle(model),
      key: '',
      name,
      tags: [],
      status: 'active',
      carries: [],
      variations: [],
      configurations: {},
      log: []
    }
    const before = structuredClone(model)
    model.features.push(feature)
    const isBare = !variables && !variations
    apply(model, faults, feature, isBare ? { ...input, ...onAndOff(key, name) } : input)
    forgetEmpty(feature)
    feature.log.push({ variables: changedVariables(before, model, feature) })
  }
}

/** The defaults of a new feature. */
function onAndOff(key: string, name: string): Pick<FeatureInput, 'variables' | 'variations'> {
  return {
    variables: [{ key, name, type: 'Boolean' }],
    variations: [
      { key: 'variation-on', name: 'Variation On', values: { [key]: true } },
      { key: 'variation-off', name: 'Variation Off', values: { [key]: false } }
    ]
  }
}

/** Lists replace lists; omitted members stay. */
export function updateFeature(reference: string, input: FeatureInput): Rule {
  const change = changing(
    reference,
    (model, faults, feature) => {
      const targets = Object.values(input.configurations ?? {}).some((said) => said.targets)
      if (feature.status === 'archived') faults.add(412)
      if (feature.status === 'complete' && (input.variations || targets)) faults.add(412)
      apply(model, faults, feature, input)
    },
    Object.values(input.configurations ?? {})
  )
  return (model, faults) => {
    if (!find(model.features, reference) && isMalformedList(input)) faults.add(400)
    change(model, faults)
  }
}

/** Whether variables or variations are listed twice, including by the one id that stands for all unknown ones. */
function isMalformedList({ variables = [], variations = [] }: FeatureInput): boolean {
  const isRepeated = (keys: readonly string[]) => new Set(keys).size < keys.length
  const unknown = variations.filter(({ was }) => was !== undefined)
  return [variables, variations].some((list) => isRepeated(list.map(({ key }) => key))) || unknown.length > 1
}

/** Like `updateFeature`, for one environment. */
export function updateConfiguration(reference: string, environment: string, input: ConfigurationInput): Rule {
  return (model, faults) => {
    if (input.targets?.some(isMalformed)) faults.add(400)
    if (find(model.environments, environment)) {
      updateFeature(reference, { configurations: { [environment]: input } })(model, faults)
    } else faults.add(404)
  }
}

/** `fixed` is the variation that all users get from a complete feature. */
export function updateStatus(reference: string, status: ModelFeature['status'], fixed?: string): Rule {
  return changing(reference, (model, faults, feature) => {
    const variation = fixed === undefined ? undefined : find(feature.variations, fixed)
    if (status === 'complete' && !variation) faults.add(400)
    const isSameAgain = feature.status === 'complete' && feature.fixed === variation?.handle
    if (status === 'complete' && variation) {
      for (const { handle } of model.environments) {
        const configuration = feature.configurations[handle] ?? nothingSaid()
        feature.configurations[handle] = configuration
        if (isSameAgain && configuration.targets.length > 0) continue
        configuration.targets = [toEverybody(model, variation)]
      }
    }
    feature.status = status
    delete feature.fixed
    if (status === 'complete' && variation) feature.fixed = variation.handle
    for (const variable of variablesOf(model, feature)) variable.status = status === 'archived' ? 'archived' : 'active'
  })
}

/** Turns a feature off everywhere, in any status. */
export function killFeature(reference: string): Rule {
  return changing(reference, (_, __, feature) => {
    for (const configuration of Object.values(feature.configurations)) configuration.isActive = false
  })
}

/** Deletes a feature with its variables, or frees them. */
export function deleteFeature(reference: string, deleteVariables: boolean): Rule {
  return (model, faults) => {
    const feature = find(model.features, reference)
    if (!feature) {
      faults.add(404)
      return
    }
    const variables = variablesOf(model, feature)
    model.features = model.features.filter((other) => other !== feature)
    if (deleteVariables) model.variables = model.variables.filter((variable) => !variables.includes(variable))
    else for (const variable of variables) free(variable)
  }
}

function apply(model: Model, faults: Faults, feature: ModelFeature, input: FeatureInput): void {
  const { key, name, description, tags, variables, variations, configurations = {} } = input
  if (key !== undefined) {
    if (model.features.some((other) => other !== feature && other.key === key)) faults.add(409)
    feature.key = key
  }
  if (name !== undefined) feature.name = name
  if (description !== undefined) feature.description = description
  if (tags !== undefined) feature.tags = tags
  const former = structuredClone(feature.variations)
  if (variables) replaceVariables(model, faults, feature, variables)
  if (variations) replaceVariations(model, faults, feature, variations)
  assertValuesFit(model, faults, feature)
  const said = new Set<string>()
  const targeted = new Set<string>()
  for (const [reference, configuration] of Object.entries(configurations)) {
    const environment = find(model.environments, reference)
    if (configuration.targets?.some(isMalformed) || !environment || said.has(environment.handle)) faults.add(400)
    if (!environment) continue
    said.add(environment.handle)
    if (configuration.targets) targeted.add(environment.handle)
    configure(model, faults, feature, environment.handle, configuration)
  }
  fitShares(faults, feature, former, targeted)
}
