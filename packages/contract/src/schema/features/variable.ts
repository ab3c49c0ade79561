import { z } from 'zod'
import {
  ChangeSource,
  Description,
  Id,
  Json,
  Name,
  NameInput,
  Reference,
  recordFields,
  Tags,
  TagsInput,
  UserReference
} from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { Metadata } from '../common/metadata.ts'
import { VariableValue } from '../common/variableValue.ts'
import { variable } from '../examples/checkout.ts'
import { ValidationSchema } from './validationSchema.ts'

/** The maximum number of variables of a feature. */
export const MAX_VARIABLES = 1000

/** The type of a variable's values. */
export const VariableType = z
  .enum(['String', 'Boolean', 'Number', 'JSON'])
  .meta({ description: 'The type of the variable.' })
export type VariableType = z.infer<typeof VariableType>

/** The status of a variable. */
export const VariableStatus = z
  .enum(['active', 'archived'])
  .meta({ description: 'Whether the variable is in use or archived.' })
export type VariableStatus = z.infer<typeof VariableStatus>

/** A value that applications read by key: a flag. The values are in the variations of its feature. */
export const Variable = z
  .object({
    ...recordFields,
    _project: Id,
    _feature: Id.exactOptional().meta({ description: 'Id of its feature.' }),
    key: Key,
    name: Name.exactOptional(),
    description: Description.exactOptional(),
    type: VariableType,
    status: VariableStatus,
    source: ChangeSource,
    _createdBy: UserReference.exactOptional(),
    validationSchema: ValidationSchema.exactOptional().meta({
      description: 'The allowed values: an object with `schemaType` (enum, regex or jsonSchema).'
    }),
    persistent: z
      .boolean()
      .exactOptional()
      .meta({ description: 'Whether the variable is kept when its feature is complete.' }),
    metadata: Metadata.exactOptional(),
    defaultValue: VariableValue.exactOptional().meta({
      description: 'The default value in manifests of OpenFeature, if it was set there. Evaluations do not use it.'
    }),
    tags: Tags.exactOptional()
  })
  .meta({ id: 'Variable', example: variable })
export type Variable = z.infer<typeof Variable>

/**
 * The body that creates a variable. In the body of a feature, it can also name an existing variable without a feature.
 */
export const CreateVariable = Variable.pick({
  key: true,
  type: true,
  name: true,
  description: true,
  validationSchema: true,
  persistent: true,
  metadata: true,
  tags: true
})
  .extend({
    name: NameInput.exactOptional(),
    tags: TagsInput.exactOptional(),
    _feature: Reference.exactOptional().meta({
      description: 'Key or id of the feature to add it to.'
    }),
    defaultValue: VariableValue.exactOptional().meta({
      description: 'The initial value in each variation.'
    })
  })
  .strict()
  .meta({
    id: 'CreateVariable',
    example: { key: 'button-color', type: 'String', name: 'Colour of the button' }
  })
export type CreateVariable = z.infer<typeof CreateVariable>

/** The body that updates a variable. */
export const UpdateVariable = CreateVariable.omit({ defaultValue: true })
  .extend({
    _feature: Reference.meta({
      description: 'Key or id of the feature that it belongs to, or of the one to add it to if it belongs to none.'
    }),
    validationSchema: ValidationSchema.nullable().meta({
      description: 'The allowed values; `null` removes the restriction.'
    }),
    metadata: Metadata.nullable().meta({
      description: 'Replaces all metadata; `null` removes it.'
    })
  })
  .partial()
  .meta({ id: 'UpdateVariable', example: { name: 'Colour of the button', persistent: true } })
export type UpdateVariable = z.infer<typeof UpdateVariable>

/** The body that archives or restores a variable. */
export const UpdateVariableStatus = z
  .strictObject({ status: VariableStatus })
  .meta({ id: 'UpdateVariableStatus', example: { status: 'archived' } })
export type UpdateVariableStatus = z.infer<typeof UpdateVariableStatus>

/** The body that validates values of a variable, which need not exist. */
export const ValidateVariableValue = z
  .strictObject({
    type: VariableType,
    validationSchema: ValidationSchema.exactOptional().meta({
      description: 'The allowed values: an object with `schemaType` (enum, regex or jsonSchema).'
    }),
    values: z
      .array(Json)
      .min(1, 'should have at least one value')
      .max(1000, 'should have at most 1000 values')
      .meta({ description: 'The values to validate, a list of at most 1,000.' })
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
  .meta({
    id: 'ValueChecks',
    example: {
      values: [
        { isValid: true, issues: [] },
        { isValid: false, issues: ['should be one of "blue", "green", got "red"'] }
      ]
    }
  })
export type ValueChecks = z.infer<typeof ValueChecks>
