import { UserAccount } from '@burgee/contract/schemas'

/** The claims that this server uses. */
export interface UpstreamClaims {
  readonly issuer: string
  readonly subject: string
  /** The claim `oid` of Entra ID, whose `sub` differs between applications. */
  readonly objectId: string | undefined
  /** In lower case; absent if the provider sends none. */
  readonly email: string | undefined
  readonly isEmailVerified: boolean
  readonly name: string | undefined
  readonly groups: readonly string[]
  /** The number of factors that the person used, from the claim `amr` (RFC 8176); `unknown` without the claim. */
  readonly factors: 'one' | 'several' | 'unknown'
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
  const { sub, oid, email, email_verified, name, preferred_username } = claims
  return {
    issuer,
    subject: sub,
    objectId: typeof oid === 'string' && oid.length <= MAX_ID_LENGTH ? oid : undefined,
    email: UserAccount.shape.email.safeParse(email).data?.toLowerCase(),
    isEmailVerified: email_verified === true,
    name: [name, preferred_username].map(toDisplayName).find((text) => text !== ''),
    groups: toGroups(claims[groupsClaim]),
    factors: toFactors(claims.amr)
  }
}

function toFactors(amr: unknown): UpstreamClaims['factors'] {
  if (!Array.isArray(amr)) return 'unknown'
  return amr.includes('mfa') ? 'several' : 'one'
}

/** Returns a display name that fits the schema. */
function toDisplayName(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .replace(/[\p{Cc}\p{Surrogate}]/gu, '')
    .trim()
}

/** Returns the groups, sorted so that they can be compared. The claim may be a string or a list. */
function toGroups(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const groups = values.filter((group) => typeof group === 'string' && group !== '' && group.length <= MAX_GROUP_LENGTH)
  // Only strings are left.
  return [...new Set(groups as string[])].sort().slice(0, MAX_GROUPS)
}

const MAX_ID_LENGTH = 255
const MAX_NAME_LENGTH = 100
const MAX_GROUP_LENGTH = 200
const MAX_GROUPS = 1000
