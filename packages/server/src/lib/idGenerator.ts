import { randomBytes } from 'node:crypto'
import {
  appendChecksum,
  CLIENT_SECRET_PREFIX,
  SCIM_TOKEN_PREFIX,
  SDK_KEY_MARK,
  USER_SIGNING_SECRET_PREFIX
} from './secrets/checksum.ts'

/** Generates ids, keys and random bytes; injected, so that tests can predict them. */
export interface IdGenerator {
  /** This number of random bytes. */
  readonly bytes: (size: number) => Buffer
  /** A resource id: 24 lower-case hexadecimal characters. */
  readonly id: () => string
  /** An SDK key: `server-burgee_`, 32 random URL-safe characters, and a checksum. */
  readonly sdkKey: (type: string) => string
  /** The secret of an API client: `burgee_secret_`, 32 random bytes in URL-safe characters, and a checksum. */
  readonly secret: () => string
  /** A SCIM token: like the secret of an API client, with the prefix `burgee_scim_`. */
  readonly scimToken: () => string
  /** A secret that signs users: `burgee_user_secret_`, 32 random bytes in URL-safe characters, and a checksum. */
  readonly userSigningSecret: () => string
  /** The signing secret of a webhook (Standard Webhooks 1.0.0). */
  readonly webhookSecret: () => string
}

/** Generates ids, keys and bytes from cryptographic randomness. */
export const randomIdGenerator: IdGenerator = {
  bytes: (size) => randomBytes(size),
  id: () => randomBytes(12).toString('hex'),
  sdkKey: (type) => appendChecksum(`${type}-${SDK_KEY_MARK}${randomBytes(24).toString('base64url')}`),
  secret: () => appendChecksum(`${CLIENT_SECRET_PREFIX}${randomBytes(32).toString('base64url')}`),
  scimToken: () => appendChecksum(`${SCIM_TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`),
  userSigningSecret: () => appendChecksum(`${USER_SIGNING_SECRET_PREFIX}${randomBytes(32).toString('base64url')}`),
  webhookSecret: () => `whsec_${randomBytes(32).toString('base64')}`
}
