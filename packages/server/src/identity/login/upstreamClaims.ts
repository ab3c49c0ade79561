import { UserAccount } from '@burgee/contract/schemas'

/** What an identity provider tells of somebody. */
export interface UpstreamClaims {
  readonly issuer: string
  readonly subject: string
  /** In lower case; absent when it tells none. */
  readonly email: string | undefined
  readonly isEmailVerified: boolean
  readonly name: string | undefined
  readonly groups: readonly string[]
}

/** The claims of an ID token, and of what else a provider answers about somebody. */
export interface OidcClaims {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** Reads what is needed of claims whose truth has been established. */
export function toUpstreamClaims(
  claims: OidcClaims,
  { issuer, groupsClaim }: { readonly issuer: string; readonly groupsClaim: string }
): UpstreamClaims {
  const { sub, email, email_verified, name, preferred_username } = claims
  return {
    issuer,
    subject: sub,
    email: UserAccount.shape.email.safeParse(email).data?.toLowerCase(),
    isEmailVerified: email_verified === true,
    name: [name, preferred_username].map(nameIn).find((text) => text !== ''),
    groups: groupsIn(claims[groupsClaim])
  }
}

/** A text as it can be somebody's name here. */
function nameIn(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .trim()
    .slice(0, LONGEST_NAME)
    .replace(/[\p{Cc}\p{Surrogate}]/gu, '')
    .trim()
}

/** One group, or a list of them, in an order of their own so that they can be compared. */
function groupsIn(value: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value]
  const groups = listed.filter((group) => typeof group === 'string' && group !== '' && group.length <= LONGEST_GROUP)
  // Nothing but texts is left.
  return [...new Set(groups as string[])].sort().slice(0, MOST_GROUPS)
}

const LONGEST_NAME = 100
const LONGEST_GROUP = 200
const MOST_GROUPS = 1000
