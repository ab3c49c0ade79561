import type { ManifestFlag, VariableType } from '@burgee/contract/schemas'
import type { Json } from '@burgee/core'
import { zeroValues } from '../../delivery/configs/zeroValues.ts'
import type { StoredFeature, StoredVariable } from '../../storage/resources/feature.ts'

/** Describes a variable as a flag of the manifest. */
export function toManifestFlag(variable: StoredVariable, feature: StoredFeature | undefined): ManifestFlag {
  const { key, name, description } = variable
  const values = valuesOf(variable, feature)
  const control = feature?.variations.find((one) => one.key === feature.controlVariation)
  const controlValue = control?.variables.find(({ _var }) => _var === variable._id)?.value
  // The type of the variable may have changed since its default was stored.
  const own = typeof variable.defaultValue === typeof zeroValues[variable.type] ? variable.defaultValue : undefined
  const defaultValue = own ?? controlValue ?? zeroValues[variable.type]
  return {
    key,
    name,
    type: manifestType(variable.type, [...values, defaultValue]),
    ...(description ? { description } : {}),
    // Stored values are validated by the type of their variable.
    defaultValue: defaultValue as ManifestFlag['defaultValue']
  }
}

function valuesOf({ _id }: StoredVariable, feature: StoredFeature | undefined): readonly Json[] {
  return (feature?.variations ?? []).flatMap(({ variables }) =>
    variables.filter(({ _var }) => _var === _id).map(({ value }) => value)
  )
}

function manifestType(type: VariableType, values: readonly Json[]): ManifestFlag['type'] {
  if (type === 'Number') return values.every(Number.isInteger) ? 'integer' : 'float'
  return { Boolean: 'boolean', String: 'string', JSON: 'object' }[type] as ManifestFlag['type']
}

/** Returns the type of the variable of a flag. */
export function variableType(type: ManifestFlag['type']): VariableType {
  return ({ boolean: 'Boolean', string: 'String', integer: 'Number', float: 'Number', object: 'JSON' } as const)[type]
}

/** Returns why a default value does not fit a type of the manifest. */
export function validateDefault(type: ManifestFlag['type'], value: unknown): string | undefined {
  const isValid = {
    boolean: typeof value === 'boolean',
    string: typeof value === 'string',
    integer: Number.isInteger(value),
    float: typeof value === 'number',
    object: typeof value === 'object'
  }[type]
  return isValid ? undefined : `should be of type ${type}, got ${JSON.stringify(value)}`
}
