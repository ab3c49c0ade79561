import type { Permission } from '@burgee/contract'
import type { Workload } from '@burgee/contract/schemas'
import { formatWorkloadSubject } from '../../../access/permissions/workloadIdentity.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'
import type { SigningKeys } from '../../keys/signingKeys.ts'
import { signToken } from '../../tokens/jwt.ts'
import { toIssuer } from '../../tokens/toIssuer.ts'

interface TokenContents {
  readonly trust: StoredWorkloadTrust
  readonly workload: Workload
  readonly permissions: readonly Permission[]
  readonly tokenId: string
  /** Epoch milliseconds, taken before the lookup of the trust, so that a change since then revokes the token. */
  readonly at: number
  /** Epoch seconds. */
  readonly expiresAt: number
}

/** Signs the access token of a CI job. It contains the id of the trust, not its key, which can be reused. */
export function issueWorkloadToken(
  { trust, workload, permissions, tokenId, at, expiresAt }: TokenContents,
  { keys, publicUrl }: { readonly keys: SigningKeys; readonly publicUrl: () => string }
): Promise<string> {
  const issuer = toIssuer(publicUrl())
  const subject = formatWorkloadSubject(trust)
  return signToken(keys, {
    iss: issuer,
    aud: issuer,
    sub: subject,
    azp: subject,
    client_id: subject,
    iat: Math.floor(at / 1000),
    iat_ms: at,
    exp: expiresAt,
    jti: tokenId,
    scope: permissions.join(' '),
    org_id: trust._organization,
    permissions,
    trust: trust._id,
    workload
  })
}
