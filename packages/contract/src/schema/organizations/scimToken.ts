import { z } from 'zod'
import { DateTime, recordFields, UserReference } from '../common/fields.ts'
import { admin, ids, timestamps } from '../examples/shop.ts'

const ScimTokenName = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'should be 1 to 100 letters, digits, "_", "." and "-"')
  .meta({ description: 'Unique. Audit entries name the token as `<name>@scim`.', example: 'okta' })

const okta = { _id: ids.client, ...timestamps, name: 'okta', _createdBy: admin }

/** The token of an identity provider that provisions people and groups by SCIM. */
export const ScimToken = z
  .object({
    ...recordFields,
    name: ScimTokenName,
    expiresAt: DateTime.exactOptional().meta({ description: 'Absent: the token does not expire.' }),
    lastUsedAt: DateTime.exactOptional().meta({
      description: 'The last use, rounded to the hour. Absent: never used.'
    }),
    _createdBy: UserReference
  })
  .meta({ id: 'ScimToken', example: okta })
export type ScimToken = z.infer<typeof ScimToken>

/** The body that creates a SCIM token. */
export const CreateScimToken = z
  .strictObject({
    name: ScimTokenName,
    expiresAt: DateTime.exactOptional().meta({ description: 'Default: the token does not expire.' })
  })
  .meta({ id: 'CreateScimToken', example: { name: 'okta' } })
export type CreateScimToken = z.infer<typeof CreateScimToken>

/** A new SCIM token with its secret. */
export const CreatedScimToken = ScimToken.extend({
  secret: z.string().meta({ description: 'The bearer token. Cannot be read again.' })
}).meta({ id: 'CreatedScimToken', example: { ...okta, secret: 'made-up-and-shown-once' } })
