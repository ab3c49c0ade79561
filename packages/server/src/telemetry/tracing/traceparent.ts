/** A span of somebody else, as the header `traceparent` names it. */
export interface RemoteSpanContext {
  readonly traceId: string
  readonly spanId: string
  /** Bit 0 says whether it is recorded. */
  readonly traceFlags: number
  readonly isRemote: true
}

/** Reads the header `traceparent` (W3C Trace Context §3.2). What is malformed, or names nobody, is nothing. */
export function parseTraceparent(header: string | undefined): RemoteSpanContext | undefined {
  const match = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(
    header ?? ''
  )
  const [, version, traceId, spanId, flags, more] = match ?? []
  if (!traceId || !spanId || !flags) return undefined
  // Only versions to come may say more.
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
