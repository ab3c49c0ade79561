import type { RecordFields } from './recordFields.ts'

/** An authenticator app of a person. */
export interface StoredAuthenticatorApp extends RecordFields {
  /** Id of the person. */
  readonly _user: string
  readonly name: string
  /** The key in Base32. */
  readonly totpSecret: string
  /** The last time step whose code was accepted; codes of it and of earlier steps are refused. */
  readonly lastStep: number
  readonly lastUsedAt?: string
}

/** A passkey of a person. */
export interface StoredPasskey extends RecordFields {
  /** Id of the person. */
  readonly _user: string
  readonly name: string
  /** The id that the authenticator chose, in Base64url. */
  readonly credentialId: string
  /** The COSE public key, in Base64url. */
  readonly publicKey: string
  /** The signature counter of the authenticator; 0 if it has none. */
  readonly counter: number
  readonly transports?: readonly string[]
  readonly lastUsedAt?: string
}

/** The unused recovery codes of a person. */
export interface StoredRecoveryCodes extends RecordFields {
  /** Id of the person. */
  readonly _user: string
  /** Hashes of the codes. The codes are not stored. */
  readonly codeHashes: readonly string[]
}

/** A single-use value: the challenge of a passkey, or the unconfirmed key of an authenticator app. */
export interface StoredChallenge extends RecordFields {
  /** The purpose, the person and the id of the sign-in, session or token. A new challenge replaces the previous one. */
  readonly subject: string
  /** Id of the person, if known. */
  readonly _user?: string
  readonly challengeSecret: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}
