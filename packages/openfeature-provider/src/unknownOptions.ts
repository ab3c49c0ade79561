import { suggestion } from '@burgee/kit/text'
import type { ProviderOptions } from './options.ts'

type OptionName = ProviderOptions extends infer Options ? (Options extends unknown ? keyof Options : never) : never

/** All options. The compiler requires an entry for each. */
const known: Readonly<Record<OptionName, true>> = {
  url: true,
  sdkKey: true,
  source: true,
  bootstrap: true,
  cacheFile: true,
  maxAge: true,
  initTimeoutMs: true,
  staleAfterMs: true,
  errorAfterMs: true,
  pollIntervalMs: true,
  safetyPollMs: true,
  silenceMs: true,
  healthyAfterMs: true,
  requestTimeoutMs: true,
  maxBytes: true,
  retry: true,
  evaluation: true,
  events: true,
  flagMetadata: true,
  logger: true,
  fetch: true,
  random: true,
  now: true
}

/** Returns a warning for each option that does not exist. Without it, a misspelled one would have no effect, unnoticed. */
export function unknownOptions(options: object): readonly string[] {
  const names = Object.keys(known)
  return Object.keys(options)
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is not an option of BurgeeProvider${suggestion(name, names)}`)
}
