import { type Config, withOverrides } from '@burgee/core'
import type { Current } from '../configs/configs.ts'
import { streamAddress } from '../configs/streamAddress.ts'

/** A config as SDKs download it: with its overrides among the rules, and where changes of it are told. */
export type Content = Config & {
  readonly debugUsers: readonly string[]
  readonly sse: { readonly hostname: string; readonly path: string }
  readonly clientSDKKey?: string
}

/** What the holder of an SDK key downloads. Engines of existing SDKs know no overrides but those that are rules. */
export function contentFor({ config, overrides }: Current, sdkKey: string, publicUrl: string): Content {
  const { origin, pathname, search } = streamAddress(publicUrl, sdkKey)
  return {
    debugUsers: [],
    ...withOverrides(config, overrides),
    sse: { hostname: origin, path: `${pathname}${search}` }
  }
}
