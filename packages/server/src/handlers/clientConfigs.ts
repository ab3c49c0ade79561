import type { BucketedUserConfig, Input, Operations } from '@burgee/contract'
import type { SdkCaller } from '../caller.ts'
import { toSdkProject } from '../configs/build.ts'
import { streamAddress } from '../configs/streamAddress.ts'
import { demandObfuscation } from '../obfuscation/demandObfuscation.ts'
import { obfuscate } from '../obfuscation/obfuscate.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { optionsFor, resolveUser } from './user.ts'

interface Dependencies {
  readonly store: Store
  readonly now: () => number
  /** The address that the server is known by. */
  readonly publicUrl: () => string
}

/** Gives SDKs of browsers and apps everything that one user gets. */
export function clientConfigs({
  store,
  now,
  publicUrl
}: Dependencies): Pick<Handlers, 'getClientConfig' | 'getMobileConfig'> {
  const answer = async (
    { query }: Input<Operations['getClientConfig']>,
    caller: SdkCaller
  ): Promise<BucketedUserConfig> => {
    // The SDK says with `sse` that a message is why it asks. One node has the new config before it sends the message.
    const {
      sdkKey: _,
      enableEdgeDB,
      obfuscated = false,
      sse: _sse,
      sseLastModified: _date,
      sseEtag: _tag,
      ...body
    } = query
    demandObfuscation(caller, obfuscated)
    const user = await resolveUser(body, caller, store, enableEdgeDB)
    const bucketed = caller.evaluator.bucket(user, optionsFor(user, caller, now()))
    const isObfuscated = obfuscated && caller.project.settings.obfuscation.enabled
    return {
      ...(isObfuscated ? obfuscate(bucketed, caller.config) : bucketed),
      project: toSdkProject(caller.project),
      sse: { url: streamAddress(publicUrl(), caller.sdkKey).href, inactivityDelay: INACTIVITY_DELAY },
      etag: caller.version.etag
    }
  }
  return { getClientConfig: answer, getMobileConfig: answer }
}

/** After how long out of sight clients hang up, in milliseconds: what those do that are not told. */
const INACTIVITY_DELAY = 120_000
