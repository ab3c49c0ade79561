import type { CustomProperty, UpdateCustomProperty } from '@burgee/contract/schemas'
import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../lib/errors.ts'

/** What a property says of its values. */
type PropertySchema = NonNullable<CustomProperty['schema']>

/** A schema as it is kept: one that names no type has one if it lists values. */
export function toPropertySchema(given: NonNullable<UpdateCustomProperty['schema']>): PropertySchema {
  const { schemaType = given.enumSchema ? 'enum' : null, required, enumSchema } = given
  return {
    schemaType,
    ...(required === undefined ? {} : { required }),
    ...(enumSchema === undefined ? {} : { enumSchema })
  }
}

/** Refuses a schema that values of the property's type could not follow. @throws {ApiError} 400 that names every mistake. */
export function assertPropertySchema({ type, schema }: Pick<CustomProperty, 'type' | 'schema'>): void {
  if (schema?.schemaType !== 'enum' && schema?.enumSchema === undefined) return
  if (type === 'Boolean') {
    throw badRequest(
      `schema should list no values where type is Boolean, got ${formatValue(schema)}: only String and Number have listed values`,
      'invalid_body'
    )
  }
  if (!schema.enumSchema)
    throw badRequest('schema.enumSchema should be given where schemaType is enum, got nothing', 'invalid_body')
  const wanted = type === 'Number' ? 'number' : 'string'
  const mistakes = schema.enumSchema.allowedValues.flatMap(({ value }, index) => {
    if (typeof value === wanted) return []
    return [
      `schema.enumSchema.allowedValues.${index}.value should be a ${wanted} as type says, got ${formatValue(value)}`
    ]
  })
  if (mistakes.length > 0) throw badRequest(mistakes, 'invalid_body')
}
