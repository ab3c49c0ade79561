/** After how long out of sight clients hang up on a stream, in milliseconds: what OFREP proposes, and what SDKs do that are not told. */
export const INACTIVITY_DELAY_MS = 120_000
