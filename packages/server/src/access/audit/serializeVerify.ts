import type { AuditVerification } from '@burgee/contract/schemas'
import { serialize } from '@burgee/kit'

/** Verifies the log of an organization, and whether it contains an entry with this hash. */
type Verify = (organization: string, hash?: string) => Promise<AuditVerification>

/**
 * Runs one verification at a time. Equal requests that wait share one result. A verification that has started may have
 * missed the caller's latest writes, so callers that arrive later wait for the next one.
 */
export function serializeVerify(verify: Verify): Verify {
  const waiting = new Map<string, Promise<AuditVerification>>()
  const inTurn = serialize()
  return (organization, hash) => {
    const name = JSON.stringify([organization, hash])
    const shared = waiting.get(name)
    if (shared !== undefined) return shared
    const verified = inTurn(() => {
      waiting.delete(name)
      return verify(organization, hash)
    })
    waiting.set(name, verified)
    return verified
  }
}
