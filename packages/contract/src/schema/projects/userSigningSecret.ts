import { z } from 'zod'
import { DateTime, Id } from '../common/fields.ts'
import { createdAt, ids } from '../examples/shop.ts'

/** The maximum number of signing secrets per environment: the current one and its replacement. */
export const MAX_USER_SIGNING_SECRETS = 2

/** A secret with which an application signs its users for one environment. */
export const UserSigningSecret = z
  .object({
    _id: Id,
    createdAt: DateTime,
    secret: z.string().meta({ description: 'The key of the HMAC, as UTF-8 text.' })
  })
  .meta({
    id: 'UserSigningSecret',
    example: {
      _id: ids.production,
      createdAt,
      secret: 'burgee_user_secret_YW4gZXhhbXBsZSBvZiBhIHNpZ25pbmcgc2VjcmV0ISE2spMA7'
    }
  })
export type UserSigningSecret = z.infer<typeof UserSigningSecret>
