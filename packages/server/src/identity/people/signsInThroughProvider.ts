import type { StoredUser } from '../../storage/resources/organization.ts'

/**
 * Whether a person signs in through the configured identity provider, and therefore not with a password, so that the
 * provider can refuse people who have left. On a server without that provider, an assigned password is accepted.
 */
export function signsInThroughProvider(
  { identity }: Pick<StoredUser, 'identity'>,
  issuer: string | undefined
): boolean {
  return identity !== undefined && identity.issuer === issuer
}
