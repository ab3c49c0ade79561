import type { CreateCustomProperty, CustomProperty } from '@burgee/contract/schemas'

/** The type of a custom property. */
export type PropertyType = CustomProperty['type']

/** A custom property as it is typed. */
export interface PropertyForm {
  readonly name: string
  /** Absent until it is typed: it follows the name. */
  readonly key: string | undefined
  /** Absent until it is typed: it follows the name. */
  readonly propertyKey: string | undefined
  readonly type: PropertyType
  /** One value per line, with an optional label after " = ". */
  readonly values: string
  readonly allowsOthers: boolean
  readonly isRequired: boolean
}

const SEPARATOR = ' = '

/** The form of a custom property, or of a new one. */
export function toPropertyForm(property?: CustomProperty): PropertyForm {
  const schema = property?.schema
  const values = schema?.schemaType === 'enum' ? (schema.enumSchema?.allowedValues ?? []) : []
  return {
    name: property?.name ?? '',
    key: property?.key,
    propertyKey: property?.propertyKey,
    type: property?.type ?? 'String',
    values: values
      .map(({ label, value }) => (label === String(value) ? label : `${value}${SEPARATOR}${label}`))
      .join('\n'),
    allowsOthers: schema?.enumSchema?.allowAdditionalValues ?? true,
    isRequired: schema?.required ?? false
  }
}

type Schema = NonNullable<CreateCustomProperty['schema']>

/** The schema that a form describes, or what is wrong with its list of values. */
export function readPropertySchema({
  type,
  values,
  allowsOthers,
  isRequired
}: PropertyForm): { readonly schema: Schema } | { readonly problem: string } {
  const lines = type === 'Boolean' ? [] : values.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return { schema: { schemaType: null, required: isRequired } }
  const allowed = lines.map(readLine)
  if (type === 'Number') {
    const wrong = allowed.find(({ value }) => !Number.isFinite(Number(value)))
    if (wrong) return { problem: `“${wrong.value}” is not a number.` }
  }
  const allowedValues = allowed.map(({ label, value }) => ({ label, value: type === 'Number' ? Number(value) : value }))
  return {
    schema: {
      schemaType: 'enum',
      required: isRequired,
      enumSchema: { allowedValues, allowAdditionalValues: allowsOthers }
    }
  }
}

function readLine(line: string): { readonly label: string; readonly value: string } {
  const [value = '', ...label] = line.trim().split(SEPARATOR)
  return { value, label: label.join(SEPARATOR) || value }
}
