/** Something that is sent to an address that somebody gave us. */
export interface OutboundRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What came of it. */
export type OutboundResponse =
  | {
      readonly type: 'answered'
      readonly status: number
      /** What `Retry-After` asks for, in milliseconds from now. */
      readonly retryAfterMs?: number
      /** The beginning of what was answered, for people to read, without the secrets that were sent. */
      readonly excerpt: string
      readonly durationMs: number
    }
  | {
      readonly type: 'failed'
      /** Why nothing was answered, as people are told. */
      readonly reason: string
      readonly durationMs: number
    }

/**
 * Posts to an address that somebody gave us. It never throws, and takes no longer than its deadline, whatever the other end does: hang,
 * drip, flood or reset; a signal ends it earlier. Addresses that are not public are refused, redirects are not followed
 * (`reliability.md` §5).
 */
export type SafeFetch = (request: OutboundRequest, signal?: AbortSignal) => Promise<OutboundResponse>
