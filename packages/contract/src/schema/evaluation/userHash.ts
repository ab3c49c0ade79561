import { z } from 'zod'

/** The header with the signature of the user, in lower case. */
export const USER_HASH_HEADER = 'x-burgee-user-hash'

/** The signature of a user (docs/guides/signed-users.md). */
export const UserHash = z.string().meta({
  description:
    'The hexadecimal HMAC-SHA-256 of the user id with a signing secret of the environment. Read for client and mobile keys if the environment has signed users.',
  example: '6e1b4b8f0a4ba0f9a4d7c6d26d5d1d4d9f8a1c1c0f1e2d3c4b5a69788796a5b4'
})

/** The header that signs the user of a request. */
export const UserHashHeaders = z.object({ [USER_HASH_HEADER]: UserHash.optional() })
