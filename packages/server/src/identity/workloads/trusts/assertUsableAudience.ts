import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../../lib/errors.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'

/**
 * Asserts that the audience of a trust is not the one that GitHub gives to tokens by default, which any service that a
 * workflow calls can use elsewhere.
 * @throws {HttpError} 400
 */
export function assertUsableAudience({ issuer, audience }: StoredWorkloadTrust): void {
  if (isDefaultAudience(issuer, audience)) {
    throw badRequest(
      `audience should be an address of this server, got ${formatValue(audience)}: tokens for any service have that one by default`
    )
  }
}

/** GitHub's default audience is the address of the owner of the repository. */
function isDefaultAudience(issuer: string, audience: string): boolean {
  if (!URL.canParse(audience)) return false
  const { host } = new URL(audience)
  const isEnterprise = issuer.includes('/_services/token') && host === new URL(issuer).host
  return host === 'github.com' || isEnterprise
}
