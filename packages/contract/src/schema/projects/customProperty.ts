import { z } from 'zod'
import { Id, LineInput, Name, NameInput, recordFields, UserReference } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { admin, ids, planProperty, timestamps } from '../examples/shop.ts'

const AllowedValue = z.object({
  label: z.string(),
  value: z.union([z.string(), z.number()], { error: () => 'should be a string or a number' })
})
const EnumSchema = z.object({ allowedValues: z.array(AllowedValue).max(1000), allowAdditionalValues: z.boolean() })
const ValueSchema = z.object({
  schemaType: z.literal('enum').nullable().exactOptional(),
  required: z.boolean().exactOptional().meta({ description: 'Whether the property is required in generated types.' }),
  enumSchema: EnumSchema.exactOptional()
})

/** A custom attribute of users, for targeting. */
export const CustomProperty = z
  .object({
    ...recordFields,
    _project: Id,
    _createdBy: UserReference,
    key: Key,
    name: Name,
    propertyKey: z.string().min(1).max(100).meta({ description: 'The attribute of `customData`.' }),
    type: z.enum(['String', 'Boolean', 'Number']).meta({ description: 'The type of the values.' }),
    schema: ValueSchema.exactOptional().meta({ description: 'The allowed values, strings and numbers only.' }),
    hasUsage: z.boolean().exactOptional().meta({ description: 'Whether a target or an audience uses it.' })
  })
  .meta({
    id: 'CustomProperty',
    example: {
      _id: ids.customProperty,
      ...timestamps,
      _project: ids.project,
      _createdBy: admin,
      ...planProperty,
      hasUsage: false
    }
  })
export type CustomProperty = z.infer<typeof CustomProperty>

const CustomPropertyBody = CustomProperty.pick({ name: true, key: true, type: true, propertyKey: true })
  .extend({
    name: NameInput,
    schema: ValueSchema.extend({
      enumSchema: EnumSchema.extend({
        allowedValues: z.array(AllowedValue.extend({ label: LineInput }).strict()).max(1000)
      }).strict()
    })
      .partial()
      .strict()
      .meta({ description: 'The allowed values, and whether the property is required in generated types.' })
  })
  .strict()

/** The body that creates a custom property. */
export const CreateCustomProperty = CustomPropertyBody.partial({ schema: true }).meta({
  id: 'CreateCustomProperty',
  example: planProperty
})
export type CreateCustomProperty = z.infer<typeof CreateCustomProperty>

/** The body that updates a custom property. */
export const UpdateCustomProperty = CustomPropertyBody.partial().meta({
  id: 'UpdateCustomProperty',
  example: { name: 'Plan of the customer' }
})
export type UpdateCustomProperty = z.infer<typeof UpdateCustomProperty>
