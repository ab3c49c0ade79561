import { UserAccount } from '@burgee/contract/schemas'
import { toDisplayName } from '../displayName.ts'

/** The claims that this server uses. */
export interface UpstreamClaims {
  readonly issuer: string
  readonly subject: string
  /** The id of the person that provisioning sends as `externalId`, if it differs from the subject. */
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

/** How the provider names its claims. */
export interface ClaimNames {
  readonly issuer: string
  /** The claim that lists the groups of a person. */
  readonly groupsClaim: string
  /** The claim with the `externalId` of provisioning; empty for the default of the issuer. */
  readonly externalIdClaim: string
}

/** Extracts the claims that this server uses from verified claims. */
export function toUpstreamClaims(
  claims: OidcClaims,
  { issuer, groupsClaim, externalIdClaim }: ClaimNames
): UpstreamClaims {
  const idClaim = externalIdClaim || defaultIdClaim(issuer)
  const id = idClaim === undefined ? undefined : claims[idClaim]
  const { sub, email, email_verified, name, preferred_username } = claims
  return {
    issuer,
    subject: sub,
    objectId: typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH ? id : undefined,
    email: UserAccount.shape.email.safeParse(email).data?.toLowerCase(),
    isEmailVerified: email_verified === true,
    name: [name, preferred_username].map((text) => (typeof text === 'string' ? toDisplayName(text) : '')).find(Boolean),
    groups: toGroups(claims[groupsClaim]),
    factors: toFactors(claims.amr)
  }
}

/**
 * Returns `oid` for Microsoft Entra ID, also of a national cloud: its `sub` differs between applications, and people
 * cannot set `oid`. At other providers the claim may have any meaning.
 */
function defaultIdClaim(issuer: string): string | undefined {
  return ENTRA_ID_HOSTS.has(new URL(issuer).host) ? 'oid' : undefined
}

const ENTRA_ID_HOSTS: ReadonlySet<string> = new Set([
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
  'login.chinacloudapi.cn',
  'sts.windows.net',
  'sts.chinacloudapi.cn'
])

function toFactors(amr: unknown): UpstreamClaims['factors'] {
  if (amr === undefined || amr === null) return 'unknown'
  return Array.isArray(amr) && amr.includes('mfa') ? 'several' : 'one'
}

/** Returns the groups, sorted so that they can be compared. The claim may be a string or a list. */
function toGroups(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const groups = values.filter((group) => typeof group === 'string' && group !== '' && group.length <= MAX_GROUP_LENGTH)
  // Only strings are left.
  return [...new Set(groups as string[])].sort().slice(0, MAX_GROUPS)
}

const MAX_ID_LENGTH = 255
const MAX_GROUP_LENGTH = 200
const MAX_GROUPS = 1000
