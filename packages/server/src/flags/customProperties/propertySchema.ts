import type { CustomProperty, UpdateCustomProperty } from '@burgee/contract/schemas'
import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../lib/errors.ts'

/** The schema of a property's values. */
type PropertySchema = NonNullable<CustomProperty['schema']>

/** Returns a schema with its type; a schema without one that lists values is an enum. */
export function toPropertySchema(given: NonNullable<UpdateCustomProperty['schema']>): PropertySchema {
  const { schemaType = given.enumSchema ? 'enum' : null, required, enumSchema } = given
  return {
    schemaType,
    ...(required === undefined ? {} : { required }),
    ...(enumSchema === undefined ? {} : { enumSchema })
  }
}

/** Asserts that a schema suits the type of its property. @throws {HttpError} 400 with every issue. */
export function assertPropertySchema({ type, schema }: Pick<CustomProperty, 'type' | 'schema'>): void {
  if (schema?.schemaType !== 'enum' && schema?.enumSchema === undefined) return
  if (type === 'Boolean') {
    throw badRequest(
      `schema should not be an enum where type is Boolean, got ${formatValue(schema)}: only types String and Number support enums`
    )
  }
  if (!schema.enumSchema) throw badRequest('schema.enumSchema is required where schemaType is enum')
  const wanted = type === 'Number' ? 'number' : 'string'
  const issues = schema.enumSchema.allowedValues.flatMap(({ value }, index) => {
    if (typeof value === wanted) return []
    return [
      `schema.enumSchema.allowedValues.${index}.value should be a ${wanted} where type is ${type}, got ${formatValue(value)}`
    ]
  })
  if (issues.length > 0) throw badRequest(issues)
}
