import { UserAccount } from '@burgee/contract/schemas'

/** The claims that this server uses. */
export interface UpstreamClaims {
  readonly issuer: string
  readonly subject: string
  /** In lower case; absent if the provider sends none. */
  readonly email: string | undefined
  readonly isEmailVerified: boolean
  readonly name: string | undefined
  readonly groups: readonly string[]
}

/** The claims of an ID token, and those of the userinfo endpoint. */
export interface OidcClaims {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** Extracts the claims that this server uses from verified claims. */
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

/** Returns a display name that fits the schema. */
function nameIn(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .trim()
    .slice(0, LONGEST_NAME)
    .replace(/[\p{Cc}\p{Surrogate}]/gu, '')
    .trim()
}

/** Returns the groups, sorted so that they can be compared. The claim may be a string or a list. */
function groupsIn(value: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value]
  const groups = listed.filter((group) => typeof group === 'string' && group !== '' && group.length <= LONGEST_GROUP)
  // Only strings are left.
  return [...new Set(groups as string[])].sort().slice(0, MOST_GROUPS)
}

const LONGEST_NAME = 100
const LONGEST_GROUP = 200
const MOST_GROUPS = 1000
