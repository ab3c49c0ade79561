import { z } from 'zod'
import { Json } from './json.ts'

/** What a variable can be worth. */
export const VariableValue = z
  .union([z.string(), z.number(), z.boolean(), z.record(z.string(), Json)], {
    error: () => 'should be a text, a number, a boolean or a JSON object'
  })
  .meta({ id: 'VariableValue', description: 'Of the type of the variable; values of type JSON are objects.' })
export type VariableValue = z.infer<typeof VariableValue>

/** A value for each of some variables, by key of the variable. */
export const VariableValues = z.record(z.string(), VariableValue)
export type VariableValues = z.infer<typeof VariableValues>
