import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../../lib/errors.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'

/**
 * Asserts that the audience of a trust is not the default audience of GitHub: any service that receives such a token
 * could replay it here.
 * @throws {HttpError} 400
 */
export function assertUsableAudience({ issuer, audience }: StoredWorkloadTrust): void {
  if (isDefaultAudience(issuer, audience)) {
    throw badRequest(
      `audience should be an address of this server, got ${formatValue(audience)}: tokens for any service have it by default`
    )
  }
}

/** The default audience of GitHub is the URL of the owner of the repository. */
function isDefaultAudience(issuer: string, audience: string): boolean {
  if (!URL.canParse(audience)) return false
  const { host } = new URL(audience)
  const isEnterprise = issuer.includes('/_services/token') && host === new URL(issuer).host
  return host === 'github.com' || isEnterprise
}
