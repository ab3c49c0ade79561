import { z } from 'zod'
import { Json } from '../common/fields.ts'
import { ValidationSchema } from './validationSchema.ts'
import { VariableType } from './variable.ts'

/** The body that validates values of a variable, which need not exist. */
export const ValidateVariableValue = z
  .strictObject({
    type: VariableType,
    validationSchema: ValidationSchema.exactOptional(),
    values: z.array(Json).min(1, 'should have at least one value').max(1000, 'should have at most 1000 values')
  })
  .meta({
    id: 'ValidateVariableValue',
    example: {
      type: 'String',
      validationSchema: {
        schemaType: 'enum',
        enumValues: ['blue', 'green'],
        description: 'A colour.',
        exampleValue: 'blue'
      },
      values: ['blue', 'red']
    }
  })
export type ValidateVariableValue = z.infer<typeof ValidateVariableValue>

/** Whether a value is valid. */
export const ValueCheck = z
  .object({
    isValid: z.boolean(),
    issues: z.array(z.string()).meta({ description: 'What is wrong with the value; empty if it is valid.' })
  })
  .meta({ id: 'ValueCheck', example: { isValid: false, issues: ['should be one of "blue", "green", got "red"'] } })
export type ValueCheck = z.infer<typeof ValueCheck>

/** Whether the values of a request are valid. */
export const ValueChecks = z
  .object({ values: z.array(ValueCheck).meta({ description: 'In the order of the request.' }) })
  .meta({ id: 'ValueChecks' })
export type ValueChecks = z.infer<typeof ValueChecks>
