import type { Json, VariableType } from '@burgee/core'
import { changing } from './commands/changing.ts'
import { assertValuesFit, carry, fits } from './contents.ts'
import { find, given, newHandle, type Rule } from './state.ts'

/** Adds a variable; with a feature, the variable joins it. */
export function createVariable({
  key,
  type,
  feature,
  defaultValue
}: {
  key: string
  type: VariableType
  feature?: string
  defaultValue?: Json
}): Rule {
  return (model, faults) => {
    if (find(model.variables, key)) faults.add(409)
    if (defaultValue !== undefined && !fits(type, defaultValue)) faults.add(400)
    const handle = newHandle(model)
    const variable = { handle, key, name: key, type, status: 'active' as const }
    if (feature === undefined) {
      model.variables.push(variable)
      return
    }
    changing(feature, (_, __, carrier) => {
      if (carrier.status === 'archived') faults.add(412)
      model.variables.push({ ...variable, feature: carrier.handle })
      carry(model, carrier, [...carrier.carries, handle], defaultValue)
    })(model, faults)
  }
}

/** Changes a variable, which changes its feature too. */
export function updateVariable(
  reference: string,
  { key, name, type }: { key?: string; name?: string; type?: VariableType }
): Rule {
  return (model, faults) => {
    const variable = find(model.variables, reference)
    if (!variable) {
      faults.add(404)
      return
    }
    if (key !== undefined && model.variables.some((other) => other !== variable && other.key === key)) faults.add(409)
    const change = () => Object.assign(variable, given({ key, name, type }))
    const carrier = model.features.find(({ handle }) => handle === variable.feature)
    if (!carrier) {
      change()
      return
    }
    changing(carrier.key, () => {
      if (carrier.status === 'archived') faults.add(412)
      change()
      assertValuesFit(model, faults, carrier)
    })(model, faults)
  }
}

/** Only a free variable can be archived or restored alone. */
export function updateVariableStatus(reference: string, status: 'active' | 'archived'): Rule {
  return (model, faults) => {
    const variable = find(model.variables, reference)
    if (!variable) faults.add(404)
    else if (variable.status !== status && variable.feature !== undefined) faults.add(412)
    else variable.status = status
  }
}

/** Only a free variable can be deleted. */
export function deleteVariable(reference: string): Rule {
  return (model, faults) => {
    const variable = find(model.variables, reference)
    if (!variable) faults.add(404)
    else if (variable.feature !== undefined) faults.add(412)
    else model.variables = model.variables.filter((other) => other !== variable)
  }
}
