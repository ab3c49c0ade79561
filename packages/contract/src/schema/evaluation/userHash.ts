import { z } from 'zod'

/** The header with the signature of the user, in lower case. */
export const USER_HASH_HEADER = 'x-burgee-user-hash'

/** The signature of a user (docs/guides/signed-users.md). */
export const UserHash = z.string().meta({
  description:
    'The hexadecimal HMAC-SHA-256 of the user id with a signing secret of the environment. Verified for client and mobile keys if the environment has signed users.',
  example: '2a8901fc622772299b28d19d28cb8b1cd29a6959c108926a89f5a4dc827e24d6'
})

/** The header that signs the user of a request. */
export const UserHashHeaders = z.object({ [USER_HASH_HEADER]: UserHash.optional() })
