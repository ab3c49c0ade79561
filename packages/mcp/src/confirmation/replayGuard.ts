import { CONFIRMATION_SECONDS } from './requestState.ts'

/** Ensures that each confirmation is used at most once. */
export interface ReplayGuard {
  /** Returns true the first time an id is claimed. */
  readonly claim: (id: string, now: number) => Promise<boolean>
}

/** Claims an id for a time in milliseconds. Returns false if it was claimed before. */
type Claim = (id: string, ms: number) => Promise<boolean>

/** Creates a guard of several tool servers that share their claims. */
export function createSharedReplayGuard(claim: Claim): ReplayGuard {
  return { claim: (id) => claim(id, CONFIRMATION_SECONDS * 1000) }
}

/** Creates a guard that remembers ids until their confirmations expire. */
export function createReplayGuard(): ReplayGuard {
  // Sorted by expiry.
  const expiries = new Map<string, number>()
  return {
    claim: async (id, now) => {
      for (const [claimed, expiry] of expiries) {
        if (expiry > now) break
        expiries.delete(claimed)
      }
      if (expiries.has(id)) return false
      expiries.set(id, now + CONFIRMATION_SECONDS * 1000)
      return true
    }
  }
}
