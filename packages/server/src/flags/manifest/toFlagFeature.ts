import type { CreateFeature, CreateManifestFlag } from '@burgee/contract/schemas'
import { variableType } from './manifestFlag.ts'

/** A feature of one variable, with the default value in its control variation. */
export function toFlagFeature({ key, name = key, type, description, defaultValue }: CreateManifestFlag): CreateFeature {
  const variable = {
    key,
    name,
    type: variableType(type),
    ...(description ? { description } : {})
  }
  const base = {
    key,
    name,
    type: 'release' as const,
    variables: [variable],
    ...(description ? { description } : {})
  }
  if (type !== 'boolean') {
    const variation = { key: 'default', name: 'Default', variables: { [key]: defaultValue } }
    return { ...base, variations: [variation], controlVariation: variation.key }
  }
  const variations = [
    { key: 'variation-on', name: 'Variation On', variables: { [key]: true } },
    { key: 'variation-off', name: 'Variation Off', variables: { [key]: false } }
  ]
  return { ...base, variations, controlVariation: defaultValue === true ? 'variation-on' : 'variation-off' }
}
