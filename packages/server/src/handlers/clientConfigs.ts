import type { BucketedUserConfig, Input, Operations } from '@burgee/contract'
import type { SdkCaller } from '../caller.ts'
import { toSdkProject } from '../configs/build.ts'
import { etagOf } from '../configs/versions.ts'
import { given } from '../given.ts'
import { demandObfuscation } from '../obfuscation/demandObfuscation.ts'
import { obfuscate } from '../obfuscation/obfuscate.ts'
import type { Store } from '../store/store.ts'
import { INACTIVITY_DELAY_MS } from '../streams/inactivityDelay.ts'
import { streamAddress } from '../streams/streamAddress.ts'
import type { Handlers } from './handler.ts'
import { optionsFor, resolveUser } from './user.ts'

interface Dependencies {
  readonly store: Store
  readonly now: () => number
  /** The address under which callers reach the server, where it is known. */
  readonly publicUrl: () => string | undefined
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
      ...given({ sse: streamOf(caller, publicUrl()) }),
      etag: etagOf(caller.version)
    }
  }
  return { getClientConfig: answer, getMobileConfig: answer }
}

/** Where a caller is told of changes. */
function streamOf({ sdkKey }: SdkCaller, publicUrl: string | undefined): BucketedUserConfig['sse'] {
  if (publicUrl === undefined) return undefined
  return { url: streamAddress(publicUrl, { sdkKey }), inactivityDelay: INACTIVITY_DELAY_MS }
}
