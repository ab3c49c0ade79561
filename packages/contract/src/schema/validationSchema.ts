import { z } from 'zod'
import { discriminatedUnion } from './discriminatedUnion.ts'
import { Description } from './fields.ts'
import { VariableValue } from './variableValue.ts'

const shared = {
  description: Description.meta({ description: 'What a value should be, for those who enter one.' }),
  exampleValue: VariableValue.meta({
    description: 'A value that fits. Every variation of a feature starts with it when the variable is added.'
  })
} as const

/** How many values an enum can name. */
const MAX_CHOICES = 1000

const EnumSchema = z.strictObject({
  schemaType: z.literal('enum'),
  enumValues: z
    .union([z.array(z.string()).min(1).max(MAX_CHOICES), z.array(z.number()).min(1).max(MAX_CHOICES)], {
      error: () => 'should be a list of texts or a list of numbers, with at least one of them'
    })
    .meta({ description: 'For String and Number: the values it can have, at most 1,000.' }),
  ...shared
})

const RegexSchema = z.strictObject({
  schemaType: z.literal('regex'),
  regexPattern: z.string().min(1).max(1000).meta({ description: 'For String: what a value matches.' }),
  ...shared
})

const JsonSchema = z.strictObject({
  schemaType: z.literal('jsonSchema'),
  jsonSchema: z
    .string()
    .max(65_536)
    .refine(isObjectText, 'should be the JSON text of a JSON Schema')
    .meta({ description: 'For JSON: the JSON text of a JSON Schema.' }),
  ...shared
})

/** What the values of a variable should be. */
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
