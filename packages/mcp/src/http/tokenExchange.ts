import { cachedTokenSource, type TokenSource } from '@burgee/contract/client'

/** The result of a token exchange. */
export interface ExchangedToken {
  readonly token: string
  /** Epoch seconds. */
  readonly expiresAt: number
}

/** How long before its expiry a token is renewed, in milliseconds. */
const MARGIN_MS = 15_000

/** Creates a source of tokens that are exchanged on first use, and again shortly before they expire. */
export function createTokenExchange(exchange: () => Promise<ExchangedToken>, now: () => number): TokenSource {
  const request = async () => {
    const { token, expiresAt } = await exchange()
    return { token, expiresAt: expiresAt * 1000 }
  }
  return cachedTokenSource(request, now, MARGIN_MS)
}
