import type { Input, Operations } from '@burgee/contract'
import type { BucketedUserConfig } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { toSdkProject } from '../../../delivery/configs/buildConfig.ts'
import { toEtag } from '../../../delivery/configs/configVersions.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { assertObfuscation } from '../../../delivery/obfuscation/assertObfuscation.ts'
import { obfuscateBucketedConfig } from '../../../delivery/obfuscation/obfuscateBucketedConfig.ts'
import { INACTIVITY_DELAY_MS, streamUrl } from '../../../delivery/streams/streamUrl.ts'
import type { Handlers } from '../shared/handler.ts'
import { type EvaluationDependencies, resolveUser, toEvaluateOptions } from './resolveUser.ts'

interface Dependencies extends EvaluationDependencies {
  readonly now: () => number
  /** The public URL of the server, if it is known. */
  readonly publicUrl: () => string | undefined
}

/** Handlers of the bucketed configs that client and mobile SDKs download for one user. */
export function clientConfigs({
  now,
  publicUrl,
  ...dependencies
}: Dependencies): Pick<Handlers, 'getClientConfig' | 'getMobileConfig'> {
  const getConfig = async (
    { query }: Input<Operations['getClientConfig']>,
    caller: KeyConfig
  ): Promise<BucketedUserConfig> => {
    // SDKs set `sse` when a stream message caused the request. The read barrier has waited for its version.
    const {
      sdkKey: _,
      enableEdgeDB,
      obfuscated = false,
      sse: _sse,
      sseLastModified: _date,
      sseEtag: _tag,
      ...body
    } = query
    assertObfuscation(caller, obfuscated)
    const user = await resolveUser(body, caller, dependencies, enableEdgeDB)
    const bucketed = caller.evaluator.bucket(user, toEvaluateOptions(user, caller, now()))
    const isObfuscated = obfuscated && caller.project.settings.obfuscation.enabled
    return {
      ...(isObfuscated ? obfuscateBucketedConfig(bucketed, caller.config) : bucketed),
      project: toSdkProject(caller.project),
      ...omitUndefined({ sse: streamOf(caller, publicUrl()) }),
      etag: toEtag(caller.version)
    }
  }
  return { getClientConfig: getConfig, getMobileConfig: getConfig }
}

/** Returns the event stream for the caller's key; `undefined` if the public URL is not known. */
function streamOf({ sdkKey }: KeyConfig, publicUrl: string | undefined): BucketedUserConfig['sse'] {
  if (publicUrl === undefined) return undefined
  return { url: streamUrl(publicUrl, { sdkKey }), inactivityDelay: INACTIVITY_DELAY_MS }
}
