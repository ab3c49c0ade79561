import { assertValuesFit, free } from '../contents.ts'
import { type Faults, type Model, type ModelFeature, type ModelVariable, type Rule, variablesOf } from '../state.ts'
import { changing } from './changing.ts'

/**
 * Reverts the changes of a feature since an entry of its log, including that entry; entries are counted from the
 * newest.
 */
export function revertFeature(reference: string, back: number): Rule {
  return changing(reference, (model, faults, feature) => {
    const index = feature.log.length - 1 - (back % feature.log.length)
    const past = feature.log[index]?.feature
    if (!past) {
      faults.add(412)
      return
    }
    const variables = variablesBefore(feature, index)
    assertRevertible(model, faults, feature, past, variables)
    const present = variablesOf(model, feature)
    for (const { handle } of present) {
      if (variables.has(handle)) replace(model, handle, settled(variables.get(handle)))
    }
    for (const [handle, variable] of variables) {
      if (variable?.feature === feature.handle) replace(model, handle, variable)
    }
    if (new Set(model.variables.map(({ key }) => key)).size < model.variables.length) faults.add(409).add(412)
    for (const member of ['fixed', 'control', 'description'] as const) delete feature[member]
    Object.assign(feature, structuredClone(past))
    for (const environment of Object.keys(feature.configurations)) {
      if (model.environments.some(({ handle }) => handle === environment)) continue
      delete feature.configurations[environment]
    }
    assertValuesFit(model, faults, feature)
  })
}

/** Returns the variable without its feature, as if it had left that before. */
function settled(variable: ModelVariable | undefined): ModelVariable | undefined {
  const before = structuredClone(variable)
  if (before?.feature !== undefined) free(before)
  return before
}

/** The variables modified since an entry, in their state before it. */
function variablesBefore({ log }: ModelFeature, index: number): Map<string, ModelVariable | undefined> {
  const variables = new Map<string, ModelVariable | undefined>()
  for (const entry of log.slice(index).reverse()) {
    for (const { handle, before } of entry.variables) variables.set(handle, before)
  }
  return variables
}

function replace(model: Model, handle: string, variable: ModelVariable | undefined): void {
  model.variables = model.variables.filter((other) => other.handle !== handle)
  if (variable) model.variables.push(structuredClone(variable))
}

function assertRevertible(
  model: Model,
  faults: Faults,
  feature: ModelFeature,
  past: Omit<ModelFeature, 'log'>,
  variables: ReadonlyMap<string, ModelVariable | undefined>
): void {
  if (model.features.some((other) => other !== feature && other.key === past.key)) faults.add(412)
  for (const variable of variables.values()) {
    if (variable?.feature !== feature.handle) continue
    const present = model.variables.find(({ handle }) => handle === variable.handle)
    if (present?.feature !== undefined && present.feature !== feature.handle) faults.add(412)
  }
  for (const [environment, { targets }] of Object.entries(past.configurations)) {
    if (!model.environments.some(({ handle }) => handle === environment)) continue
    for (const { who } of targets) {
      if (who === 'everybody' || 'users' in who) continue
      if (!model.audiences.some(({ handle }) => handle === who.audience)) faults.add(412)
    }
  }
}
