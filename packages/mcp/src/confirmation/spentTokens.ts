import { CONFIRMATION_SECONDS } from './requestStates.ts'

/** What was said yes to and done: a yes is good for one time. */
export interface SpentTokens {
  /** Whether this is the first time; from now on it is not. */
  readonly spend: (id: string, now: number) => boolean
}

/** Remembers ids for as long as what is sealed with them is good. */
export function createSpentTokens(): SpentTokens {
  const ends = new Map<string, number>()
  return {
    spend: (id, now) => {
      // The oldest stand first.
      for (const [one, end] of ends) {
        if (end > now) break
        ends.delete(one)
      }
      if (ends.has(id)) return false
      ends.set(id, now + CONFIRMATION_SECONDS * 1000)
      return true
    }
  }
}
