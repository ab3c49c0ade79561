import { hkdfSync } from 'node:crypto'
import type { SigningKeys } from './signingKeys.ts'

/**
 * Derives the secrets for a purpose from the signing keys, so that nothing else has to be stored. Sign with the first
 * and verify with all. They change when the signing keys are rotated.
 */
export function deriveSecrets(keys: Pick<SigningKeys, 'privateJwks'>, purpose: string): readonly [Buffer, ...Buffer[]] {
  const [first, ...others] = keys.privateJwks.map(({ d = '' }) => {
    return Buffer.from(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', `burgee ${purpose}`, 32))
  })
  if (!first) throw new Error('there is no signing key')
  return [first, ...others]
}
