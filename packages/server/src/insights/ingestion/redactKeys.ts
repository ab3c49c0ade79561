import { maskSecret } from '../../lib/mask.ts'

/** The keys that must not be kept. */
export interface KeyRedaction {
  /** The one that the events came with: SDKs report which config they downloaded, and the key stands in its address. */
  readonly sdkKey: string
  /** Whether a text is an SDK key of this server. */
  readonly isSdkKey: (text: string) => boolean
}

/** Masks the caller's key. */
export function redactCallerKey<T>(said: T, { sdkKey }: KeyRedaction): T {
  return rewriteJson(said, (text) => text.replaceAll(sdkKey, maskSecret(sdkKey)))
}

/** Masks the caller's key, and the server keys of others: of one that got into a page, nothing is kept. */
export function redactKeys<T>(said: T, keys: KeyRedaction): T {
  // Names of flags can look like one.
  return rewriteJson(redactCallerKey(said, keys), (text) => {
    return text.replace(SERVER_KEY, (found) => (keys.isSdkKey(found) ? maskSecret(found) : found))
  })
}

/** Of the length that keys have (id.ts): what goes on after it may be part of the text around it. */
const SERVER_KEY = /server-[\w-]{32}/g

function rewriteJson<T>(said: T, rewrite: (json: string) => string): T {
  if (said === undefined) return said
  const text = JSON.stringify(said)
  const masked = rewrite(text)
  // What is masked was JSON and still is.
  return masked === text ? said : (JSON.parse(masked) as T)
}
