import type { CreateFeature, Environment, VariableType } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { type FeatureType, type PresetTarget, presetOf } from './presets.ts'

/** What is filled in. */
export interface FeatureForm {
  readonly type: FeatureType
  readonly name: string
  readonly key: string
  readonly valueType: VariableType
  /** Texts of values by key of the variation; absent ones are those of the preset. */
  readonly values: Readonly<Record<string, string>>
  /** Keys of the environments to turn it on in. */
  readonly onIn: readonly string[]
}

type Configuration = NonNullable<CreateFeature['configurations']>[string]
type Value = string | number | boolean | Readonly<Record<string, unknown>>

/** A value as it is typed, or what is wrong with it. */
export type ReadValue = { readonly value: Value } | { readonly problem: string }

/** Reads the text of a value. */
export function readValue(type: VariableType, text: string): ReadValue {
  if (type === 'String') return { value: text }
  if (type === 'Boolean') return { value: text === 'true' }
  if (type === 'Number') {
    const value = Number(text)
    return text.trim() !== '' && Number.isFinite(value) ? { value } : { problem: 'Enter a number such as 12.5.' }
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: { ...value } }
  } catch {}
  return { problem: 'Enter a JSON object such as {"status": "on"}.' }
}

/** Returns the text of the value of a variation. */
export function valueText({ type, valueType, values }: FeatureForm, key: string): string {
  const preset = presetOf(type).variations.find((variation) => variation.key === key)
  return values[key] ?? preset?.values[valueType] ?? ''
}

/** Returns the values that cannot be read, by key of the variation. */
export function valueProblems(form: FeatureForm): Readonly<Record<string, string>> {
  const problems = presetOf(form.type).variations.flatMap(({ key }) => {
    const read = readValue(form.valueType, valueText(form, key))
    return 'problem' in read ? [[key, read.problem] as const] : []
  })
  return Object.fromEntries(problems)
}

/**
 * Returns the body that creates the feature. Each environment gets the target, so that it only has to be turned on;
 * a protected one only if it is turned on now.
 */
export function toBody(
  form: FeatureForm,
  { target }: PresetTarget,
  environments: readonly Pick<Environment, 'key' | 'type'>[]
): CreateFeature {
  const { type, name, key, valueType, onIn } = form
  const { control, ...preset } = presetOf(type)
  const variations = preset.variations.map((variation) => {
    const read = readValue(valueType, valueText(form, variation.key))
    return { key: variation.key, name: variation.name, variables: 'value' in read ? { [key]: read.value } : {} }
  })
  const configurations = environments.flatMap((environment): [string, Configuration][] => {
    const isOn = onIn.includes(environment.key)
    if (!isOn && isProtected(environment)) return []
    return [[environment.key, { status: isOn ? 'active' : 'inactive', targets: [target] }]]
  })
  return {
    type,
    name,
    key,
    variables: [{ key, name, type: valueType }],
    variations: variations as CreateFeature['variations'] & object,
    ...(control === undefined ? {} : { controlVariation: control }),
    configurations: Object.fromEntries(configurations)
  }
}
