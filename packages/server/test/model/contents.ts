import type { Json, VariableType } from '@burgee/core'
import { changing } from './commands/changing.ts'
import type { VariableInput, VariationInput } from './commands/inputs.ts'
import {
  type Faults,
  find,
  type Model,
  type ModelFeature,
  type ModelVariation,
  newHandle,
  variablesOf
} from './state.ts'

/** Sets the variables of a feature. */
export function replaceVariables(
  model: Model,
  faults: Faults,
  feature: ModelFeature,
  inputs: readonly VariableInput[]
): void {
  if (new Set(inputs.map(({ key }) => key)).size < inputs.length) faults.add(400)
  const former = variablesOf(model, feature)
  releaseArchived(model, faults, inputs, feature)
  const listed = inputs.map(({ key, type, name }) => {
    const known = find(model.variables, key)
    if (!known) {
      const made = { handle: newHandle(model), key, name: name ?? key, type, status: 'active' as const }
      model.variables.push({ ...made, feature: feature.handle })
      return made.handle
    }
    if (known.feature !== feature.handle) {
      if (known.feature !== undefined || known.status === 'archived') faults.add(409)
      if (known.type !== type) faults.add(412)
      known.status = 'active'
    }
    known.feature = feature.handle
    known.type = type
    if (name !== undefined) known.name = name
    return known.handle
  })
  for (const variable of former) if (!listed.includes(variable.handle)) free(variable)
  carry(model, feature, listed)
}

/** Moves variables of archived features to another one, which changes the archived ones too. */
function releaseArchived(model: Model, faults: Faults, inputs: readonly VariableInput[], heir: ModelFeature): void {
  const keys = inputs.map(({ key }) => key)
  for (const carrier of model.features) {
    if (carrier === heir || carrier.status !== 'archived') continue
    const taken = variablesOf(model, carrier).filter(({ key }) => keys.includes(key))
    if (taken.length === 0) continue
    const kept = carrier.carries.filter((handle) => taken.every((variable) => variable.handle !== handle))
    changing(carrier.key, () => {
      for (const variable of taken) free(variable)
      carry(model, carrier, kept)
    })(model, faults)
  }
}

/** Removes a variable from its feature. */
export function free(variable: Model['variables'][number]): void {
  delete variable.feature
  variable.status = 'active'
}

/** Sets the variables of a feature: values of existing ones stay, new ones start empty. */
export function carry(model: Model, feature: ModelFeature, handles: readonly string[], first?: Json): void {
  feature.carries = [...handles]
  for (const variation of feature.variations) {
    const values = handles.map((handle) => [handle, variation.values[handle] ?? first ?? zeroOf(model, handle)])
    variation.values = Object.fromEntries(values)
  }
}

const zeros: Record<VariableType, Json> = { Boolean: false, String: '', Number: 0, JSON: {} }

function zeroOf(model: Model, handle: string): Json {
  return zeros[model.variables.find((variable) => variable.handle === handle)?.type ?? 'JSON']
}

/** Sets the variations of a feature. */
export function replaceVariations(
  model: Model,
  faults: Faults,
  feature: ModelFeature,
  inputs: readonly VariationInput[]
): void {
  const present = inputs.map(({ key, was }) => find(feature.variations, was ?? key))
  if (new Set(inputs.map(({ key }) => key)).size < inputs.length) faults.add(400)
  feature.variations = inputs.map(({ key, name, values, was }, index): ModelVariation => {
    const before = present[index]
    if ((was !== undefined && !before) || (before && present.indexOf(before) < index)) faults.add(400)
    const carried = variablesOf(model, feature)
    if (Object.keys(values).some((name) => !find(carried, name))) faults.add(412)
    const worth = carried.map((variable) => {
      return [variable.handle, values[variable.key] ?? before?.values[variable.handle] ?? zeros[variable.type]]
    })
    return { handle: before?.handle ?? newHandle(model), key, name, values: Object.fromEntries(worth) }
  })
  const [first] = feature.variations
  if (feature.variations.some(({ handle }) => handle === feature.control)) return
  delete feature.control
  if (first) feature.control = first.handle
}

/** Expects 400 for a new value of the wrong type, or 412 for an existing one. */
export function assertValuesFit(model: Model, faults: Faults, feature: ModelFeature): void {
  for (const { handle, type } of variablesOf(model, feature)) {
    for (const { values } of feature.variations) {
      if (fits(type, values[handle])) continue
      faults.add(400)
      faults.add(412)
    }
  }
}

/** Whether a value has this type. */
export function fits(type: VariableType, value: Json | undefined): boolean {
  return typeof value === { Boolean: 'boolean', String: 'string', Number: 'number', JSON: 'object' }[type]
}
