import type { StoredUser } from '../../storage/resources/organization.ts'

/**
 * Whether a person signs in through the configured identity provider, and therefore not with a password: the provider
 * would not be asked about a leaver. Without that provider, an assigned password is the way back.
 */
export function signsInThroughProvider(
  { identity }: Pick<StoredUser, 'identity'>,
  issuer: string | undefined
): boolean {
  return identity !== undefined && identity.issuer === issuer
}
