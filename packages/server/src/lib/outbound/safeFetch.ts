/** A POST request to a user-supplied URL. */
export interface OutboundRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The result of an outbound request. */
export type OutboundResponse =
  | {
      readonly type: 'answered'
      readonly status: number
      /** The wait that `Retry-After` asks for, in milliseconds. */
      readonly retryAfterMs?: number
      /** The beginning of the response body, without secrets of the request. */
      readonly excerpt: string
      readonly durationMs: number
    }
  | {
      readonly type: 'failed'
      /** Why there is no response, as text for users. */
      readonly reason: string
      readonly durationMs: number
    }

/**
 * Posts to a user-supplied URL. Never rejects, and ends at its deadline or at the signal, even if the receiver hangs,
 * sends slowly or endlessly, or resets the connection. Refuses destinations that are not public, and follows no
 * redirects. See docs/operations/outbound-requests.md.
 */
export type SafeFetch = (request: OutboundRequest, signal?: AbortSignal) => Promise<OutboundResponse>
