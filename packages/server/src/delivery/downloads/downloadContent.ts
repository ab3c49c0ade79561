import type { ConfigDocument } from '@burgee/contract/schemas'
import { type Config, withOverrides } from '@burgee/core'
import { omitUndefined } from '../../lib/object.ts'
import type { KeyConfig } from '../configs/configs.ts'
import { streamUrl } from '../streams/streamUrl.ts'

/** A body of the contract that is a config, as it is made here: every member that the contract demands, those of the config in core's types. */
export type DownloadContent<Body> = {
  readonly [M in keyof Body]: M extends keyof Config ? NonNullable<Config[M]> : Readonly<Body[M]>
}

/** What the holder of an SDK key downloads. Engines of existing SDKs know no overrides but those that are rules. */
export function buildDownloadContent(
  { config, overrides, sdkKey }: KeyConfig,
  publicUrl: string | undefined
): DownloadContent<ConfigDocument> {
  return {
    // What a config can do without, SDKs cannot.
    variableHashes: {},
    audiences: {},
    debugUsers: [],
    ...withOverrides(config, overrides),
    ...omitUndefined({ sse: publicUrl === undefined ? undefined : streamOf(sdkKey, publicUrl) })
  }
}

/** Where the holder of an SDK key is told of changes. */
function streamOf(sdkKey: string, publicUrl: string): ConfigDocument['sse'] {
  const { origin, pathname, search } = new URL(streamUrl(publicUrl, { sdkKey }))
  return { hostname: origin, path: `${pathname}${search}` }
}
