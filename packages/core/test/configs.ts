import type { Audience, Config, Feature, Operator, Project, Target, Variation } from '../src/index.ts'

/** Builds a config from its parts. */
export function configWith(parts: {
  features?: readonly Feature[]
  variables?: Config['variables']
  audiences?: Readonly<Record<string, Audience>> | undefined
  settings?: Project['settings'] | undefined
}): Config {
  return {
    project: { _id: 'project', key: 'project', a0_organization: 'organization', settings: parts.settings ?? {} },
    environment: { _id: 'environment', key: 'environment' },
    features: parts.features ?? [],
    variables: parts.variables ?? [{ _id: 'variable', key: 'variable', type: 'String' }],
    variableHashes: {},
    ...(parts.audiences ? { audiences: parts.audiences } : {})
  }
}

/** Builds a feature with the variations `a`, `b` and `c`, whose values are their keys. */
export function featureWith(parts: {
  _id?: string
  key?: string
  targets?: readonly Target[]
  variations?: readonly Variation[]
  settings?: Feature['settings'] | undefined
}): Feature {
  const key = parts.key ?? 'feature'
  return {
    // The vectors of opt-in filters use this id.
    _id: parts._id ?? 'f1',
    key,
    type: 'release',
    ...(parts.settings ? { settings: parts.settings } : {}),
    variations: parts.variations ?? ['a', 'b', 'c'].map((name) => variationWith(name, 'variable')),
    configuration: { _id: `configuration of ${key}`, targets: parts.targets ?? [targetWith({})] }
  }
}

export function variationWith(name: string, variable: string): Variation {
  return { _id: name, key: name, name, variables: [{ _var: variable, value: name }] }
}

/** Builds a target that serves variation `a` to all users by default. */
export function targetWith(parts: Partial<Omit<Target, '_audience'>> & { filters?: Operator }): Target {
  const { filters = allUsers, ...rest } = parts
  return { _id: 'target', distribution: [{ _variation: 'a', percentage: 1 }], ...rest, _audience: { filters } }
}

export const allUsers: Operator = { operator: 'and', filters: [{ type: 'all' }] }
