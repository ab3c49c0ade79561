import { mask } from '../mask.ts'

/** Masks a key in what was said: SDKs report which config they downloaded, and the SDK key stands in its address. */
export function withoutKey<T extends object>(said: T, sdkKey: string): T {
  return rewritten(said, (text) => text.replaceAll(sdkKey, mask(sdkKey)))
}

/** Masks a key, and whatever has the form of a server key: of one that got into a page, nothing is kept. */
export function withoutKeys<T extends object>(said: T, sdkKey: string): T {
  return rewritten(said, (text) => text.replaceAll(sdkKey, mask(sdkKey)).replace(SERVER_KEY, mask))
}

const SERVER_KEY = /server-[\w-]{32,}/g

function rewritten<T extends object>(said: T, rewrite: (json: string) => string): T {
  const text = JSON.stringify(said)
  const masked = rewrite(text)
  // What is masked was JSON and still is.
  return masked === text ? said : (JSON.parse(masked) as T)
}
