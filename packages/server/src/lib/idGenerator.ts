import { randomBytes } from 'node:crypto'

/** Generates ids and keys; injected, so that tests can predict them. */
export interface IdGenerator {
  /** A resource id: 24 lower-case hexadecimal characters. */
  readonly id: () => string
  /** An SDK key: its type, a hyphen, and 32 random URL-safe characters. */
  readonly sdkKey: (type: string) => string
  /** The secret of an API client: 32 random bytes in URL-safe characters. */
  readonly secret: () => string
  /** The signing secret of a webhook (Standard Webhooks 1.0.0). */
  readonly webhookSecret: () => string
}

/** Generates ids and keys from cryptographic randomness. */
export const randomIdGenerator: IdGenerator = {
  id: () => randomBytes(12).toString('hex'),
  sdkKey: (type) => `${type}-${randomBytes(24).toString('base64url')}`,
  secret: () => randomBytes(32).toString('base64url'),
  webhookSecret: () => `whsec_${randomBytes(32).toString('base64')}`
}
