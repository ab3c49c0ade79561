import type { TokenSource } from '@burgee/contract/client'

/** The result of a token exchange. */
export interface ExchangedToken {
  readonly token: string
  /** Epoch seconds. */
  readonly expiresAt: number
}

/** How long before its expiry a token is renewed, in milliseconds. */
const MARGIN_MS = 15_000

/** Returns tokens that are exchanged on first use, and again shortly before they expire. */
export function exchangedTokens(exchange: () => Promise<ExchangedToken>, now: () => number): TokenSource {
  let held: Promise<ExchangedToken> | undefined

  /** Concurrent calls share one exchange; a failed exchange is not cached. */
  const renew = (): Promise<ExchangedToken> => {
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
      const exchanged = await (before ?? renew())
      if (exchanged.expiresAt * 1000 - MARGIN_MS > now()) return exchanged.token
      return (await (held === undefined || held === before ? renew() : held)).token
    },
    invalidate: () => {
      held = undefined
      return true
    }
  }
}
