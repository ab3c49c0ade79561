import type { AddPasskey, PasskeyOptions } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { toIsoString } from '../../lib/time.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { StoredPasskey } from '../../storage/resources/secondFactor.ts'
import type { Store } from '../../storage/store.ts'

/** The WebAuthn relying party: this server. */
interface RelyingParty {
  /** The host of the public URL, to which passkeys are bound. */
  readonly id: string
  readonly origin: string
}

/** Returns the relying party of a public URL. */
export function toRelyingParty(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}

/** Creates a challenge of 32 bytes, in Base64url. */
export function createChallenge({ bytes }: Pick<IdGenerator, 'bytes'>): string {
  return bytes(32).toString('base64url')
}

/** Returns the options with which a browser creates a passkey of a person. */
export async function createRegistrationOptions(
  { _id, email, name }: StoredUser,
  passkeys: readonly StoredPasskey[],
  { id: rpID }: RelyingParty,
  challenge: string
): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: 'Burgee',
    rpID,
    userID: Uint8Array.from(Buffer.from(_id)),
    userName: email,
    userDisplayName: name,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      ...omitUndefined({ transports: transports && [...transports] })
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' }
  })
  // The options are JSON.
  return options as unknown as PasskeyOptions
}

/**
 * Verifies a new passkey, and returns the data to store.
 * @throws {Error} if it is not valid. The message is internal.
 */
export async function verifyRegistration(
  credential: AddPasskey['credential'],
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  expectedChallenge: string
): Promise<Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    // The library validates each member and throws on invalid ones.
    response: credential as unknown as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true
  })
  if (!verified) throw new Error('its signature is not valid')
  const { id, publicKey, counter, transports } = registrationInfo.credential
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    ...omitUndefined({ transports: toTransports(transports) })
  }
}

/** Returns the options with which a browser signs in by any passkey of this server. */
export async function createAuthenticationOptions({ id: rpID }: RelyingParty, challenge: string): Promise<object> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return generateAuthenticationOptions({
    rpID,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    userVerification: 'required'
  })
}

/**
 * Verifies a sign-in by passkey, and stores its counter.
 * @throws {Error} if it is not valid; the message has the reason.
 */
export async function verifyAuthentication(
  { store, now }: { readonly store: Store; readonly now: () => number },
  passkey: StoredPasskey,
  response: AuthenticationResponseJSON,
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  expectedChallenge: string
): Promise<void> {
  const { userHandle } = response.response
  if (userHandle !== undefined && userHandle !== null && userHandle !== toUserHandle(passkey._user)) {
    throw new Error('the userHandle is not that of the holder of the passkey')
  }
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { credentialId, publicKey, counter } = passkey
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin,
    expectedRPID,
    credential: { id: credentialId, publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')), counter },
    requireUserVerification: true
  })
  if (!verified) throw new Error('the signature of the passkey is not valid')
  const { newCounter } = authenticationInfo
  await store.transaction(async (transaction) => {
    const current = await transaction.collection('passkeys').get({ _id: passkey._id })
    if (!current || (newCounter > 0 && newCounter <= current.counter)) {
      throw new Error('the passkey has been removed or used since')
    }
    await transaction
      .collection('passkeys')
      .update(passkey._id, { counter: newCounter, lastUsedAt: toIsoString(now()) })
  })
}

/** Returns the user handle of an account in Base64url, as browsers send it (WebAuthn §5.4.3). */
function toUserHandle(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/** Returns the transports from the browser. They are stored without validation, so their size is limited. */
function toTransports(transports: unknown): string[] | undefined {
  if (!Array.isArray(transports)) return undefined
  return transports.filter((one) => typeof one === 'string' && one.length <= 32).slice(0, 10)
}
