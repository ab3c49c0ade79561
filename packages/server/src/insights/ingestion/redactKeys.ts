import { maskSecret } from '../../lib/mask.ts'

/** Identifies the SDK keys that must not be stored. */
export interface KeyRedaction {
  /** The key of the request. SDKs report the URL of the config they downloaded, which contains it. */
  readonly sdkKey: string
  /** Whether a text is an SDK key of this server. */
  readonly isSdkKey: (text: string) => boolean
}

/** Masks the key of the request wherever it occurs in a JSON value. */
function redactCallerKey<T>(value: T, { sdkKey }: KeyRedaction): T {
  return rewriteJson(value, (json) => json.replaceAll(sdkKey, maskSecret(sdkKey)))
}

/** Masks the key of the request and every server key of this server, for example one that leaked into a web page. */
export function redactKeys<T>(value: T, keys: KeyRedaction): T {
  // Other text, such as a flag's name, can have the form of a key.
  return rewriteJson(redactCallerKey(value, keys), (json) => {
    return json.replace(SERVER_KEY, (match) => (keys.isSdkKey(match) ? maskSecret(match) : match))
  })
}

/**
 * Matches exactly the lengths of keys (lib/idGenerator.ts), since other characters may follow them: with a checksum, and
 * of earlier versions.
 */
const SERVER_KEY = /server-burgee_[\w-]{38}|server-[\w-]{32}/g

function rewriteJson<T>(value: T, rewrite: (json: string) => string): T {
  if (value === undefined) return value
  const json = JSON.stringify(value)
  const rewritten = rewrite(json)
  // Masking replaces characters inside strings only, so the type stays the same.
  return rewritten === json ? value : (JSON.parse(rewritten) as T)
}
