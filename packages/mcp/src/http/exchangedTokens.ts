import type { TokenSource } from '@burgee/contract/client'

/** A token that another was exchanged for. */
export interface Exchanged {
  readonly token: string
  /** Epoch seconds. */
  readonly expiresAt: number
}

/** How long before its end a token is not used any more, in milliseconds. */
const MARGIN_MS = 15_000

/** Exchanges a token when another is first needed, and again shortly before that one ends. */
export function exchangedTokens(exchange: () => Promise<Exchanged>, now: () => number): TokenSource {
  let held: Promise<Exchanged> | undefined

  /** Calls that come meanwhile wait for the same exchange; a failure is not kept. */
  const renew = (): Promise<Exchanged> => {
    const exchanged = exchange()
    held = exchanged
    exchanged.catch(() => {
      if (held === exchanged) held = undefined
    })
    return exchanged
  }

  return {
    getToken: async () => {
      const before = held
      const one = await (before ?? renew())
      if (one.expiresAt * 1000 - MARGIN_MS > now()) return one.token
      return (await (held === undefined || held === before ? renew() : held)).token
    },
    invalidate: () => {
      held = undefined
      return true
    }
  }
}
