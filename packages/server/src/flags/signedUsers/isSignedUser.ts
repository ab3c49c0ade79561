import { createHmac, timingSafeEqual } from 'node:crypto'
import type { StoredEnvironment } from '../../storage/resources/project.ts'

/** Whether a text is the hexadecimal HMAC-SHA-256 of a user id with a signing secret of the environment. */
export function isSignedUser(
  { userSigningSecrets = [] }: Pick<StoredEnvironment, 'userSigningSecrets'>,
  user_id: string,
  userHash: string
): boolean {
  if (!SHA_256.test(userHash)) return false
  const given = Buffer.from(userHash, 'hex')
  return userSigningSecrets.some(({ secret }) => {
    return timingSafeEqual(given, createHmac('sha256', secret).update(user_id).digest())
  })
}

const SHA_256 = /^[\da-f]{64}$/i
