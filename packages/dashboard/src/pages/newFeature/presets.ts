import type { CreateFeature, TargetInput, VariableType } from '@burgee/contract/schemas'

export type FeatureType = NonNullable<CreateFeature['type']>

interface PresetVariation {
  readonly key: string
  readonly name: string
  /** The value of each type, as it is typed. */
  readonly values: Readonly<Record<VariableType, string>>
}

/** What a type of feature is for, and what it starts with. */
export interface Preset {
  readonly type: FeatureType
  readonly title: string
  readonly purpose: string
  readonly variations: readonly PresetVariation[]
  /** The key of the variation that results compare the others with, if it is not the first. */
  readonly control?: string
}

function variation(name: string, key: string, values: readonly [string, string, string, string]): PresetVariation {
  const [flag, text, number, json] = values
  return { key, name, values: { Boolean: flag, String: text, Number: number, JSON: json } }
}

const configurations = [
  variation('Configuration 1', 'configuration-1', ['true', 'one', '1', '{"value": 1}']),
  variation('Configuration 2', 'configuration-2', ['false', 'two', '2', '{"value": 2}'])
]

export const presets: readonly Preset[] = [
  {
    type: 'release',
    title: 'Release',
    purpose: 'Release new functionality, to everyone or gradually.',
    variations: [
      variation('On', 'variation-on', ['true', 'on', '1', '{"status": "on"}']),
      variation('Off', 'variation-off', ['false', 'off', '0', '{"status": "off"}'])
    ],
    control: 'variation-off'
  },
  {
    type: 'experiment',
    title: 'Experiment',
    purpose: 'Compare variations to find out which performs best.',
    variations: [
      variation('Control', 'control', ['false', 'control', '0', '{"variation": "control"}']),
      variation('Variation A', 'variation-a', ['true', 'a', '1', '{"variation": "a"}']),
      variation('Variation B', 'variation-b', ['true', 'b', '2', '{"variation": "b"}'])
    ]
  },
  {
    type: 'ops',
    title: 'Ops',
    purpose: 'Change how a running system behaves without a deployment.',
    variations: configurations
  },
  {
    type: 'permission',
    title: 'Permission',
    purpose: 'Give selected users long-term access.',
    variations: configurations
  }
]

/** Returns the preset of a type. */
export function presetOf(type: FeatureType): Preset {
  const found = presets.find((preset) => preset.type === type)
  if (!found) throw new TypeError(`there is no preset for the type ${type}`)
  return found
}

/** The target that a type starts with, and in words. */
export interface PresetTarget {
  readonly target: TargetInput
  readonly sentence: string
}

/** Returns the first target of a feature. `email` is that of the person who creates it, if it is known. */
export function presetTarget({ type, variations }: Preset, email: string | undefined): PresetTarget {
  const [first, second] = variations
  const serve = (key = '') => [{ _variation: key, percentage: 1 }]
  if (type === 'experiment') {
    return {
      target: { name: 'All users', audience: allUsers, distribution: evenly(variations.map(({ key }) => key)) },
      sentence: 'Each variation gets an equal share of all users.'
    }
  }
  if (type === 'ops' && email !== undefined) {
    return {
      target: { name: 'Its creator', audience: withEmail('=', email), distribution: serve(second?.key) },
      sentence: `Users where email is ${email} get ${second?.name}.`
    }
  }
  const domain = type === 'permission' ? /@[^@]+$/.exec(email ?? '')?.[0] : undefined
  if (domain !== undefined) {
    return {
      target: { name: 'Internal users', audience: withEmail('endWith', domain), distribution: serve(first?.key) },
      sentence: `Users where email ends with ${domain} get ${first?.name}.`
    }
  }
  return {
    target: { name: 'All users', audience: allUsers, distribution: serve(first?.key) },
    sentence: `Everyone gets ${first?.name}.`
  }
}

const allUsers: TargetInput['audience'] = { filters: { operator: 'and', filters: [{ type: 'all' }] } }

function withEmail(comparator: '=' | 'endWith', value: string): TargetInput['audience'] {
  return {
    filters: { operator: 'and', filters: [{ type: 'user', subType: 'email', comparator, values: [value] }] }
  }
}

/** Shares in hundredths of a percent that add up to 1: 0.3334, 0.3333, 0.3333. */
function evenly(keys: readonly string[]): TargetInput['distribution'] {
  const share = Math.floor(10_000 / keys.length)
  const rest = 10_000 - share * keys.length
  return keys.map((key, index) => ({ _variation: key, percentage: (share + (index < rest ? 1 : 0)) / 10_000 }))
}
