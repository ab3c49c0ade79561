import { z } from 'zod'
import { variable } from './examples/checkout.ts'
import { ChangeSource, Description, Id, Name, Reference, recordFields, Tags, UserReference } from './fields.ts'
import { Key } from './key.ts'
import { Metadata } from './metadata.ts'
import { ValidationSchema } from './validationSchema.ts'
import { VariableValue } from './variableValue.ts'

/** How many variables a feature can have. */
export const MAX_VARIABLES = 1000

/** The types a variable's values can have. */
export const VariableType = z.enum(['String', 'Boolean', 'Number', 'JSON'])
export type VariableType = z.infer<typeof VariableType>

/** Whether a variable is in use or put away. */
export const VariableStatus = z.enum(['active', 'archived'])
export type VariableStatus = z.infer<typeof VariableStatus>

/** What an application reads by its key. Its values are in the variations of the feature it belongs to. */
export const Variable = z
  .object({
    ...recordFields,
    _project: Id,
    _feature: Id.exactOptional().meta({ description: 'Id of the feature it belongs to.' }),
    key: Key,
    name: Name.exactOptional(),
    description: Description.exactOptional(),
    type: VariableType,
    status: VariableStatus,
    source: ChangeSource,
    _createdBy: UserReference.exactOptional(),
    validationSchema: ValidationSchema.exactOptional(),
    persistent: z
      .boolean()
      .exactOptional()
      .meta({ description: 'Whether it is to stay when its feature is complete.' }),
    metadata: Metadata.exactOptional(),
    tags: Tags.exactOptional()
  })
  .meta({ id: 'Variable', example: variable })
export type Variable = z.infer<typeof Variable>

/** The body that creates a variable. Among the variables of a feature it also stands for one that is there and free. */
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
    _feature: Reference.exactOptional().meta({ description: 'Key or id of the feature to add it to.' }),
    defaultValue: VariableValue.exactOptional().meta({
      description: 'The value that every variation of the feature starts with.'
    })
  })
  .strict()
  .meta({
    id: 'CreateVariable',
    example: { key: 'button-color', type: 'String', name: 'Colour of the button', _feature: 'new-checkout' }
  })
export type CreateVariable = z.infer<typeof CreateVariable>

/** The body that changes a variable. */
export const UpdateVariable = CreateVariable.omit({ defaultValue: true })
  .extend({
    _feature: Reference.meta({
      description: 'Key or id of the feature that it belongs to, or of the one to add it to if it belongs to none.'
    }),
    validationSchema: ValidationSchema.nullable().meta({ description: 'null removes it.' }),
    metadata: Metadata.nullable().meta({
      description: 'Takes the place of all facts that were there; null removes them.'
    })
  })
  .partial()
  .meta({ id: 'UpdateVariable', example: { name: 'Colour of the button', persistent: true } })
export type UpdateVariable = z.infer<typeof UpdateVariable>

/** The body that puts a variable away, or takes it out again. */
export const UpdateVariableStatus = z
  .strictObject({ status: VariableStatus })
  .meta({ id: 'UpdateVariableStatus', example: { status: 'archived' } })
export type UpdateVariableStatus = z.infer<typeof UpdateVariableStatus>
