/** The span context in a `traceparent` header. */
export interface RemoteSpanContext {
  readonly traceId: string
  readonly spanId: string
  /** Bit 0 is the sampled flag. */
  readonly traceFlags: number
  readonly isRemote: true
}

/** Parses a `traceparent` header (W3C Trace Context §3.2). Returns undefined if it is malformed or all zeros. */
export function parseTraceparent(header: string | undefined): RemoteSpanContext | undefined {
  const match = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(
    header ?? ''
  )
  const [, version, traceId, spanId, flags, more] = match ?? []
  if (!traceId || !spanId || !flags) return undefined
  // Only future versions may have more fields.
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
