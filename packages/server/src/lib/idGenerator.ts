import { randomBytes } from 'node:crypto'
import type { SdkKeyType } from '@burgee/contract'

/** Where ids and keys come from; handed in, so that tests can foresee them. */
export interface IdGenerator {
  /** A resource id: 24 lower-case hexadecimal characters. */
  readonly id: () => string
  /** An SDK key: its type, a hyphen, and 32 random URL-safe characters. */
  readonly sdkKey: (type: SdkKeyType) => string
  /** The secret of a client: 32 random bytes in URL-safe characters. */
  readonly secret: () => string
  /** What deliveries of a webhook are signed with, in the form of Standard Webhooks 1.0.0. */
  readonly webhookSecret: () => string
}

/** Ids and keys nobody can guess. */
export const randomIdGenerator: IdGenerator = {
  id: () => randomBytes(12).toString('hex'),
  sdkKey: (type) => `${type}-${randomBytes(24).toString('base64url')}`,
  secret: () => randomBytes(32).toString('base64url'),
  webhookSecret: () => `whsec_${randomBytes(32).toString('base64')}`
}
