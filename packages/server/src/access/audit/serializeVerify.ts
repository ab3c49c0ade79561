import type { AuditVerification } from '@burgee/contract/schemas'

/** Checks the log of an organization, and whether it has an entry with this hash. */
type Verify = (organization: string, hash?: string) => Promise<AuditVerification>

/**
 * Has one check read the log at a time. Those who ask for the same while it waits for its turn share its answer; one that
 * has begun to read may have missed what they have just changed, so for them there is one more.
 */
export function serializeVerify(verify: Verify): Verify {
  const waiting = new Map<string, Promise<AuditVerification>>()
  let turn: Promise<unknown> = Promise.resolve()
  return (organization, hash) => {
    const name = JSON.stringify([organization, hash])
    const shared = waiting.get(name)
    if (shared !== undefined) return shared
    const verified = turn.then(() => {
      waiting.delete(name)
      return verify(organization, hash)
    })
    waiting.set(name, verified)
    turn = verified.catch(() => {})
    return verified
  }
}
