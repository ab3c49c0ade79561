import { HttpError } from '../../../lib/errors.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'
import type { IssuerKeys } from './issuerKeys.ts'
import { textOf } from './matchConditions.ts'
import { refusalReasons, SubjectTokenRefusal } from './refusal.ts'
import type { SubjectToken } from './subjectToken.ts'
import { findMismatch, verifySubjectToken } from './verifySubjectToken.ts'
import { toLoggedText } from './workloadOf.ts'

/** The facts of a subject token for the access log, once its signature is verified. */
export type VerifiedFacts = Readonly<Record<'iss' | 'sub' | 'jti' | 'trust', string>>

interface SelectionOptions {
  readonly issuerKeys: IssuerKeys
  readonly at: number
  readonly skewMs: number
  readonly onVerified: (facts: Partial<VerifiedFacts>) => void
}

/**
 * Returns the one trust that accepts a token.
 * @throws {SubjectTokenRefusal} with the reason of the trust that passed the most checks, {HttpError} 503 if the keys
 * of the issuer cannot be read.
 */
export async function selectTrust(
  token: SubjectToken,
  trusts: readonly StoredWorkloadTrust[],
  { onVerified, ...options }: SelectionOptions
): Promise<StoredWorkloadTrust> {
  const accepting: StoredWorkloadTrust[] = []
  let closest = new SubjectTokenRefusal('unknown_issuer')
  let outage: HttpError | undefined
  for (const trust of trusts) {
    try {
      await verifySubjectToken(token, trust, options)
      onVerified(factsOf(token))
      const reason = findMismatch(token, trust)
      if (reason !== undefined) throw new SubjectTokenRefusal(reason)
      accepting.push(trust)
    } catch (error) {
      if (error instanceof SubjectTokenRefusal) closest = laterRefusal(closest, error)
      else if (error instanceof HttpError) outage = error
      else throw error
    }
  }
  const [trust, another] = accepting
  if (another) throw new SubjectTokenRefusal('ambiguous_trust')
  if (!trust) throw outage ?? closest
  return trust
}

function laterRefusal(one: SubjectTokenRefusal, other: SubjectTokenRefusal): SubjectTokenRefusal {
  return refusalReasons.indexOf(other.reason) > refusalReasons.indexOf(one.reason) ? other : one
}

function factsOf({ issuer, claims }: SubjectToken): Partial<VerifiedFacts> {
  const [sub, jti] = [textOf(claims, 'sub'), textOf(claims, 'jti')]
  return {
    iss: toLoggedText(issuer),
    ...(sub === undefined ? {} : { sub: toLoggedText(sub) }),
    ...(jti === undefined ? {} : { jti: toLoggedText(jti) })
  }
}
