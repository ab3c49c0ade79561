import { maskSecret } from '../../lib/secrets/mask.ts'

/** Identifies the SDK keys that must not be stored. */
export interface KeyRedaction {
  /** The key of the request. SDKs report the URL of the config they downloaded, which contains it. */
  readonly sdkKey: string
  /** Whether a text is an SDK key of this server. */
  readonly isSdkKey: (text: string) => boolean
}

/** Masks the key of the request and every server key of this server, for example one that leaked into a web page. */
export function redactKeys<T>(value: T, keys: KeyRedaction): T {
  const { sdkKey } = keys
  const json = JSON.stringify(value)
  if (!json.includes(sdkKey) && !json.includes(KEY_PREFIX)) return value
  const masked = maskServerKeys(json.replaceAll(sdkKey, maskSecret(sdkKey)), keys)
  // Masking replaces characters inside strings only, so the type stays the same.
  return masked === json ? value : (JSON.parse(masked) as T)
}

/** Text in the form of a key can be part of other text, so each possible start is tried. */
function maskServerKeys(json: string, { isSdkKey }: KeyRedaction): string {
  let masked = ''
  let end = 0
  for (let start = json.indexOf(KEY_PREFIX); start !== -1; start = json.indexOf(KEY_PREFIX, Math.max(start + 1, end))) {
    const key = KEY_LENGTHS.map((length) => json.slice(start, start + length)).find(isSdkKey)
    if (key === undefined) continue
    masked += json.slice(end, start) + maskSecret(key)
    end = start + key.length
  }
  return masked + json.slice(end)
}

/** The prefix of every server key. */
export const KEY_PREFIX = 'server-'

/** The lengths of server keys (lib/idGenerator.ts): with a checksum, and of earlier versions. */
const KEY_LENGTHS: readonly number[] = ['server-burgee_'.length + 38, KEY_PREFIX.length + 32]
