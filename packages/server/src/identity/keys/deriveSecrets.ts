import { hkdfSync } from 'node:crypto'
import type { SigningKeys } from './signingKeys.ts'

/**
 * Secrets for one purpose, made of the signing keys so that nothing more has to be kept: the first one to sign with, all
 * of them to verify with. They change when the signing keys do.
 */
export function deriveSecrets(keys: Pick<SigningKeys, 'privateJwks'>, purpose: string): readonly [Buffer, ...Buffer[]] {
  const [first, ...others] = keys.privateJwks.map(({ d = '' }) => {
    return Buffer.from(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', `burgee ${purpose}`, 32))
  })
  if (!first) throw new Error('there is no signing key')
  return [first, ...others]
}
