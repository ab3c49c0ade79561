import type { Config, Feature, Json, Operator, Target, VariableType } from '@burgee/core'

/** The parts of a test config besides one feature for each variable. */
export type Parts = Partial<Omit<Config, 'features' | 'variables'>> & {
  readonly features?: readonly Feature[]
}

/** Returns a config in which each flag has one value for every user. */
export function configOf(values: Readonly<Record<string, Json>>, parts: Parts = {}): Config {
  const features = Object.entries(values).map(([key, value]) => featureOf(key, { [key]: value }))
  return {
    project: { _id: 'project', key: 'shop', a0_organization: 'organization', settings: {} },
    environment: { _id: 'production', key: 'production' },
    variables: Object.entries(values).map(([key, value]) => ({ _id: `id-${key}`, key, type: typeOf(value) })),
    variableHashes: {},
    ...parts,
    features: [...features, ...(parts.features ?? [])]
  }
}

/** Returns a feature with one variation of these values. */
export function featureOf(
  key: string,
  values: Readonly<Record<string, Json>>,
  targets: readonly Target[] = [targetOf(`target-${key}`)]
): Feature {
  return {
    _id: `feature-${key}`,
    key,
    type: 'release',
    variations: [
      {
        _id: 'on',
        key: 'variation-on',
        name: 'On',
        variables: Object.entries(values).map(([name, value]) => ({ _var: `id-${name}`, value }))
      }
    ],
    configuration: { _id: `configuration-${key}`, targets }
  }
}

/** Returns a target that serves the variation of `featureOf`, by default to every user. */
export function targetOf(
  _id: string,
  filters: Operator = { operator: 'and', filters: [{ type: 'all' }] },
  rest: Partial<Target> = {}
): Target {
  return { _id, _audience: { filters }, distribution: [{ _variation: 'on', percentage: 1 }], ...rest }
}

function typeOf(value: Json): VariableType {
  switch (typeof value) {
    case 'string':
      return 'String'
    case 'number':
      return 'Number'
    case 'boolean':
      return 'Boolean'
    default:
      return 'JSON'
  }
}
