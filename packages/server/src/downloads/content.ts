import type { ConfigDocument } from '@burgee/contract'
import { type Config, withOverrides } from '@burgee/core'
import type { Current } from '../configs/configs.ts'
import { given } from '../given.ts'
import { streamAddress } from '../streams/streamAddress.ts'

/** A body of the contract that is a config, as it is made here: every member that the contract demands, those of the config in core's types. */
export type Sent<Body> = {
  readonly [M in keyof Body]: M extends keyof Config ? NonNullable<Config[M]> : Readonly<Body[M]>
}

/** What the holder of an SDK key downloads. Engines of existing SDKs know no overrides but those that are rules. */
export function contentFor(
  { config, overrides, sdkKey }: Current,
  publicUrl: string | undefined
): Sent<ConfigDocument> {
  return {
    // What a config can do without, SDKs cannot.
    variableHashes: {},
    audiences: {},
    debugUsers: [],
    ...withOverrides(config, overrides),
    ...given({ sse: publicUrl === undefined ? undefined : streamOf(sdkKey, publicUrl) })
  }
}

/** Where the holder of an SDK key is told of changes. */
function streamOf(sdkKey: string, publicUrl: string): ConfigDocument['sse'] {
  const { origin, pathname, search } = new URL(streamAddress(publicUrl, { sdkKey }))
  return { hostname: origin, path: `${pathname}${search}` }
}
