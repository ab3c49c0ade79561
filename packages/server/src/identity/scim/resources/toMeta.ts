import type { RecordFields } from '../../../storage/resources/recordFields.ts'
import type { ScimObject } from '../protocol/attribute.ts'
import type { ResourceSchema } from '../protocol/schemas.ts'

/** Returns the metadata of a resource. Responses add the version. */
export function toMeta(
  { _id, createdAt, updatedAt }: RecordFields,
  { name, endpoint }: ResourceSchema,
  baseUrl: string
): ScimObject {
  const location = `${baseUrl}${endpoint}/${_id}`
  return { resourceType: name, created: createdAt, lastModified: updatedAt, location }
}
