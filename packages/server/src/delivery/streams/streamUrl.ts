import { operations } from '@burgee/contract'
import { withoutTrailingSlashes } from '@burgee/kit/text'

/** The URL of a stream with these parameters; relative to the origin that callers use if there is no public URL. */
export function streamUrl(publicUrl: string, parameters: Readonly<Record<string, string>>): string {
  return `${withoutTrailingSlashes(publicUrl)}${operations.streamEvents.path}?${new URLSearchParams(parameters)}`
}

/**
 * How long a client stays connected while it is in the background, in milliseconds: the default of OFREP and of SDKs.
 */
export const INACTIVITY_DELAY_MS = 120_000
