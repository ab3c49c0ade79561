import type { ValidationSchema, Variable, VariableType } from '@burgee/contract/schemas'
import { parseValue, toText } from '../../components/values/valueText.ts'

/** The kinds of constraints on values. */
export type SchemaKind = 'none' | ValidationSchema['schemaType']

/** Constraints on values as they are typed. */
export interface SchemaForm {
  readonly kind: SchemaKind
  /** Of an enum: one value per line. */
  readonly choices: string
  readonly pattern: string
  readonly json: string
  readonly description: string
  readonly example: string
}

/** The kinds of constraints that values of a type can have. */
export const schemaKinds: Readonly<Record<VariableType, readonly SchemaKind[]>> = {
  String: ['none', 'enum', 'regex'],
  Number: ['none', 'enum'],
  Boolean: ['none'],
  JSON: ['none', 'jsonSchema']
}

/** The form of the constraints of a variable. */
export function toSchemaForm({ validationSchema: schema }: Pick<Variable, 'validationSchema'>): SchemaForm {
  return {
    kind: schema?.schemaType ?? 'none',
    choices: schema?.schemaType === 'enum' ? schema.enumValues.join('\n') : '',
    pattern: schema?.schemaType === 'regex' ? schema.regexPattern : '',
    json: schema?.schemaType === 'jsonSchema' ? schema.jsonSchema : '{\n  "type": "object"\n}',
    description: schema?.description ?? '',
    example: toText(schema?.exampleValue)
  }
}

/** The constraints that a form describes: `null` for none. Or what is wrong, by field. */
export type ReadSchema =
  | { readonly schema: ValidationSchema | null }
  | { readonly problems: Partial<Record<keyof SchemaForm, string>> }

/** Reads a form. The server checks patterns and JSON Schemas. */
export function readSchemaForm(type: VariableType, form: SchemaForm): ReadSchema {
  const { kind, description } = form
  if (kind === 'none') return { schema: null }
  if (description.trim() === '') return { problems: { description: 'Describe the valid values.' } }
  const example = parseValue(type, form.example)
  if ('problem' in example) return { problems: { example: example.problem } }
  const shared = { description, exampleValue: example.value }
  switch (kind) {
    case 'regex':
      return { schema: { schemaType: kind, regexPattern: form.pattern, ...shared } }
    case 'jsonSchema':
      return { schema: { schemaType: kind, jsonSchema: form.json, ...shared } }
    case 'enum':
      return readChoices(type, form.choices, shared)
  }
}

function readChoices(
  type: VariableType,
  choices: string,
  shared: Pick<ValidationSchema, 'description' | 'exampleValue'>
): ReadSchema {
  const lines = [...new Set(choices.split('\n').filter((line) => line.trim() !== ''))]
  if (lines.length === 0) return { problems: { choices: 'List at least one value.' } }
  if (type !== 'Number') return { schema: { schemaType: 'enum', enumValues: lines, ...shared } }
  const numbers = lines.map((line) => Number(line.trim()))
  const wrong = lines.find((_, index) => !Number.isFinite(numbers[index]))
  if (wrong !== undefined) return { problems: { choices: `“${wrong}” is not a number.` } }
  return { schema: { schemaType: 'enum', enumValues: numbers, ...shared } }
}
