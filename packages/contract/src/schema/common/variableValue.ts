import { z } from 'zod'
import { Json } from './fields.ts'
import { recordOf } from './recordOf.ts'

/** A value of a variable. */
export const VariableValue = z
  .union([z.string(), z.number(), z.boolean(), z.record(z.string(), Json)], {
    error: () => 'should be a string, a number, a boolean or a JSON object'
  })
  .meta({ id: 'VariableValue', description: 'Has the type of the variable. JSON values are objects.' })
export type VariableValue = z.infer<typeof VariableValue>

/** Values by variable key. */
export const VariableValues = recordOf(VariableValue)
export type VariableValues = z.infer<typeof VariableValues>
