import { createHash } from 'node:crypto'
import { type Permission, permissions } from '@burgee/contract'
import type { Workload } from '@burgee/contract/schemas'
import { indexByKeyOrId } from '../../../access/lookup.ts'
import {
  formatWorkloadSubject,
  isTrustActive,
  toWorkloadIdentity
} from '../../../access/permissions/workloadIdentity.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import { createRefusingLimiter } from '../../../lib/limits/rateLimiter.ts'
import { SECOND } from '../../../lib/time.ts'
import { newRecordFields } from '../../../storage/newRecordFields.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'
import { DuplicateError, type Store } from '../../../storage/store.ts'
import type { SigningKeys } from '../../keys/signingKeys.ts'
import { OAuthHttpError } from '../../oauth/oauthError.ts'
import { trustGeneration } from '../../revocation/generations.ts'
import { signAccessToken } from '../../tokens/accessTokenClaims.ts'
import type { IssuerKeys } from './issuerKeys.ts'
import { textOf } from './matchConditions.ts'
import { SubjectTokenRefusal } from './refusal.ts'
import { selectTrust, type VerifiedFacts } from './selectTrust.ts'
import { parseSubjectToken, type SubjectToken } from './subjectToken.ts'
import type { WorkloadGrant } from './workloadGrant.ts'
import { workloadOf } from './workloadOf.ts'

/** An access token of a CI job. */
export interface IssuedWorkloadToken {
  readonly token: string
  readonly trust: StoredWorkloadTrust
  readonly scope: string
  /** In seconds. */
  readonly expiresIn: number
}

/** Exchanges the identity token of a CI job for an access token. */
export type ExchangeSubjectToken = (
  grant: WorkloadGrant,
  context: {
    /** The network of the caller. */
    readonly network: string
    readonly onVerified: (facts: Partial<VerifiedFacts>) => void
  }
) => Promise<IssuedWorkloadToken>

interface Dependencies {
  readonly store: Store
  readonly keys: SigningKeys
  readonly ids: IdGenerator
  readonly now: () => number
  readonly publicUrl: () => string
  readonly issuerKeys: IssuerKeys
  /** The allowed clock skew, in seconds. */
  readonly workloadClockSkew: number
}

/** Exchanges per minute and trust. */
const EXCHANGES_PER_MINUTE = 30

/** Refused tokens per minute and network. */
const REFUSALS_PER_MINUTE = 10

/**
 * Creates the exchange of identity tokens of CI jobs (RFC 8693), with the checks of docs/reference/oauth.md in the
 * same order. Errors are `SubjectTokenRefusal`, an `OAuthHttpError`, or an `HttpError` 429 or 503.
 */
export function createSubjectTokenExchange(dependencies: Dependencies): ExchangeSubjectToken {
  const { store, ids, now, workloadClockSkew } = dependencies
  const skewMs = workloadClockSkew * SECOND
  const refusals = createRefusingLimiter({
    perMinute: REFUSALS_PER_MINUTE,
    reason: `too many refused subject tokens (limit: ${REFUSALS_PER_MINUTE} per minute)`
  })
  const exchanges = createRefusingLimiter({
    perMinute: EXCHANGES_PER_MINUTE,
    reason: `too many tokens of this trust (limit: ${EXCHANGES_PER_MINUTE} per minute)`
  })

  const exchange: ExchangeSubjectToken = async ({ subjectToken, requested, trust: named }, { onVerified }) => {
    const at = now()
    const token = parseSubjectToken(subjectToken)
    const { items } = await store.collection('workloadTrusts').list({ where: { issuer: token.issuer } })
    const candidates = named === undefined ? items : [indexByKeyOrId(items)(named) ?? []].flat()
    const trusts = candidates.filter((trust) => isTrustActive(trust, at))
    const trust = await selectTrust(token, trusts, { ...dependencies, at, skewMs, onVerified })
    onVerified({ trust: trust.key })
    const granted = grantedPermissions(trust, requested)
    await exchanges.assertAllowed(trust._id)
    const expiresAt = Math.min(at + trust.grants.maxLifetime * SECOND, Date.parse(trust.expiresAt ?? '9999-12-31'))
    const [workload, tokenId, scope] = [workloadOf(token.claims), ids.id(), granted.join(' ')]
    await recordUse(token, { trust, workload, tokenId, at, expiresAt })
    await exchanges.record(trust._id)
    const subject = formatWorkloadSubject(trust)
    const contents = {
      subject,
      clientId: subject,
      organization: trust._organization,
      permissions: granted,
      scope,
      at,
      expiresAt: Math.floor(expiresAt / SECOND),
      // Of the trust as it was read before the checks: a change since then ends the token.
      generations: { [subject]: trustGeneration(trust) },
      tokenId
    }
    // The id of the trust, since its key can be reused.
    const signed = await signAccessToken(dependencies, contents, { trust: trust._id, workload })
    return { token: signed, trust, scope, expiresIn: contents.expiresAt - Math.floor(at / SECOND) }
  }

  /** Records that a token was used. The unique index of the collection prevents reuse. @throws {SubjectTokenRefusal} */
  const recordUse = async ({ text, issuer, claims }: SubjectToken, issued: IssuedFor): Promise<void> => {
    const { trust, workload, tokenId, at, expiresAt } = issued
    // Excludes the signature, which is malleable for some algorithms.
    const id = textOf(claims, 'jti') ?? text.slice(0, text.lastIndexOf('.'))
    const digest = createHash('sha256')
      .update(JSON.stringify([issuer, id]))
      .digest('hex')
    const keptUntil = Math.max(expiresAt, Number(claims.exp) * SECOND + skewMs)
    const ofTrust = { _trust: trust._id, generation: trustGeneration(trust) }
    const record = { ...newRecordFields(at, ids), digest, ...ofTrust, tokenId, workload, expiresAt, keptUntil }
    try {
      await store.collection('workloadTokens').insert(record)
    } catch (error) {
      throw error instanceof DuplicateError ? new SubjectTokenRefusal('token_reused') : error
    }
  }

  return async (grant, context) => {
    await refusals.assertAllowed(context.network)
    try {
      return await exchange(grant, context)
    } catch (error) {
      if (error instanceof SubjectTokenRefusal) await refusals.record(context.network)
      throw error
    }
  }
}

interface IssuedFor {
  readonly trust: StoredWorkloadTrust
  readonly workload: Workload
  readonly tokenId: string
  readonly at: number
  readonly expiresAt: number
}

/** Returns the requested permissions that the trust grants in any project. @throws {OAuthHttpError} 400 if none */
function grantedPermissions(
  trust: StoredWorkloadTrust,
  requested: ReadonlySet<Permission> | undefined
): readonly Permission[] {
  const { access } = toWorkloadIdentity(trust)
  const granted = permissions.filter((name) => access.allowsAnywhere(name) && (requested?.has(name) ?? true))
  if (granted.length > 0) return granted
  throw new OAuthHttpError(400, 'invalid_scope', 'the trust grants nothing of this scope')
}
