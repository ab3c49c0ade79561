import { CONFIRMATION_SECONDS } from './requestState.ts'

/** Ensures that each confirmation is used at most once. */
export interface ReplayGuard {
  /** Returns true the first time an id is claimed. */
  readonly claim: (id: string, now: number) => boolean
}

/** Creates a guard that remembers ids until their confirmations expire. */
export function createReplayGuard(): ReplayGuard {
  // Sorted by expiry.
  const expiries = new Map<string, number>()
  return {
    claim: (id, now) => {
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
