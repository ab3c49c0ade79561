import { z } from 'zod'
import { discriminatedUnion } from '../common/discriminatedUnion.ts'
import { Description } from '../common/fields.ts'
import { VariableValue } from '../common/variableValue.ts'

const shared = {
  description: Description.meta({ description: 'Help text for entering a value.' }),
  exampleValue: VariableValue.meta({
    description: 'A valid value. Variations start with it when the variable is added to a feature.'
  })
} as const

/** The maximum number of values of an enum. */
const MAX_CHOICES = 1000

const EnumSchema = z.strictObject({
  schemaType: z.literal('enum'),
  enumValues: z
    .union([z.array(z.string()).min(1).max(MAX_CHOICES), z.array(z.number()).min(1).max(MAX_CHOICES)], {
      error: () => 'should be a non-empty list of strings or of numbers'
    })
    .meta({ description: 'For String and Number: the allowed values, at most 1,000.' }),
  ...shared
})

const RegexSchema = z.strictObject({
  schemaType: z.literal('regex'),
  regexPattern: z.string().min(1).max(1000).meta({ description: 'For String: a pattern in RE2 syntax.' }),
  ...shared
})

const JsonSchema = z.strictObject({
  schemaType: z.literal('jsonSchema'),
  jsonSchema: z
    .string()
    .max(65_536)
    .refine(isObjectText, 'should be the JSON text of a JSON Schema')
    .meta({ description: 'For JSON: a JSON Schema as JSON text.' }),
  ...shared
})

/** Constraints on the values of a variable (docs/reference/management.md#variables). */
export const ValidationSchema = discriminatedUnion('schemaType', [EnumSchema, RegexSchema, JsonSchema]).meta({
  id: 'ValidationSchema',
  example: {
    schemaType: 'enum',
    enumValues: ['blue', 'green'],
    description: 'One of the colours of our brand.',
    exampleValue: 'blue'
  }
})
export type ValidationSchema = z.infer<typeof ValidationSchema>

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
