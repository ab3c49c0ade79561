/**
 * How long a client stays connected while it is in the background, in milliseconds: the default of OFREP and of SDKs.
 */
export const INACTIVITY_DELAY_MS = 120_000
