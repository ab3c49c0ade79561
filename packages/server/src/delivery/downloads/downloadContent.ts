import type { ConfigDocument, EdgeConfig, ReceivedEdgeConfig } from '@burgee/contract/schemas'
import { type Config, withOverrides } from '@burgee/core'
import { omitUndefined } from '@burgee/kit'
import type { KeyConfig } from '../configs/keyConfig.ts'
import { streamUrl } from '../streams/streamUrl.ts'

/** A response body of the contract that contains a config, with the config's members in core's types. */
export type DownloadContent<Body> = Body extends EdgeConfig
  ? Readonly<ReceivedEdgeConfig>
  : { readonly [M in keyof Body]: M extends keyof Config ? NonNullable<Config[M]> : Readonly<Body[M]> }

/** Builds the document that an SDK key downloads. Engines of existing SDKs support overrides only as rules. */
export function buildDownloadContent(
  { config, overrides, sdkKey }: KeyConfig,
  publicUrl: string | undefined
): DownloadContent<ConfigDocument> {
  return {
    // Optional for configs, required by SDKs.
    variableHashes: {},
    audiences: {},
    debugUsers: [],
    ...withOverrides(config, overrides),
    ...omitUndefined({ sse: publicUrl === undefined ? undefined : streamOf(sdkKey, publicUrl) })
  }
}

/** The stream URL for an SDK key. */
function streamOf(sdkKey: string, publicUrl: string): ConfigDocument['sse'] {
  const { origin, pathname, search } = new URL(streamUrl(publicUrl, { sdkKey }))
  return { hostname: origin, path: `${pathname}${search}` }
}
