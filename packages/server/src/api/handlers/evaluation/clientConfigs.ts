import { hash } from 'node:crypto'
import type { BucketedUserConfig } from '@burgee/contract/schemas'
import { type BucketedText, bucketText, stringifyBucketed } from '@burgee/core/text'
import { omitUndefined, whenReady } from '@burgee/kit'
import { toSdkProject } from '../../../delivery/configs/buildConfig.ts'
import { toEtag } from '../../../delivery/configs/configVersions.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { assertObfuscation } from '../../../delivery/obfuscation/assertObfuscation.ts'
import { obfuscateBucketedConfig } from '../../../delivery/obfuscation/obfuscateBucketedConfig.ts'
import { INACTIVITY_DELAY_MS, streamUrl } from '../../../delivery/streams/streamUrl.ts'
import { toStrongEtag } from '../../../lib/etag.ts'
import { memoizeByIdentity } from '../../../lib/object.ts'
import type { Handlers } from '../shared/handler.ts'
import { JsonText } from '../shared/jsonText.ts'
import { type EvaluationDependencies, resolveUser, toEvaluateOptions } from './resolveUser.ts'
import { ResultFingerprints } from './resultFingerprints.ts'

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
  const fingerprints = new ResultFingerprints()
  const getConfig: Handlers['getClientConfig'] = ({ query }, caller, { isConditional }) => {
    const { enableEdgeDB, obfuscated = false } = query
    assertObfuscation(caller, obfuscated)
    const isObfuscated = obfuscated && caller.project.settings.obfuscation.enabled
    const variant = isObfuscated ? 'obfuscated ' : ''
    return whenReady(resolveUser(query, caller, dependencies, enableEdgeDB), (user) => {
      const options = toEvaluateOptions(user, caller, now())
      const shared = sharedText(caller, publicUrl())
      let text: BucketedText | undefined
      const evaluate = () => {
        text ??= isObfuscated
          ? stringifyBucketed(obfuscateBucketedConfig(caller.evaluator.bucket(user, options), caller.config))
          : bucketText(caller.evaluator, user, options)
        return text
      }
      const fingerprint = isConditional
        ? fingerprints.find({ caller, user, options, variant, evaluate: () => evaluate().fingerprint })
        : evaluate().fingerprint
      // The ETag begins with the config version, as the read barrier expects.
      const etag = toStrongEtag(`${caller.version.id}.${shared.fingerprint}.${fingerprint}`)
      return { etag, toBody: () => join(shared, evaluate()) }
    })
  }
  return { getClientConfig: getConfig, getMobileConfig: getConfig }
}

/** The members of a bucketed config that all users of a key get, as JSON text without the outer braces. */
interface SharedText {
  readonly first: string
  readonly last: string
  readonly fingerprint: string
}

const sharedText = memoizeByIdentity((caller: KeyConfig, publicUrl: string | undefined): SharedText => {
  const { _id, key } = caller.environment
  const first = membersOf({ project: toSdkProject(caller.project), environment: { _id, key } })
  const last = membersOf({ ...omitUndefined({ sse: streamOf(caller, publicUrl) }), etag: toEtag(caller.version) })
  return { first, last, fingerprint: hash('sha256', `${first}${last}`, 'hex').slice(0, FINGERPRINT_LENGTH) }
})

/** As many digits as the fingerprint of an evaluation has. */
const FINGERPRINT_LENGTH = 16

function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1)
}

function join(
  { first, last }: SharedText,
  { features, featureVariationMap, variables }: BucketedText
): JsonText<BucketedUserConfig> {
  const maps = `"featureVariationMap":${featureVariationMap},"variableVariationMap":{}`
  return new JsonText(`{${first},"features":${features},${maps},"variables":${variables},${last}}`)
}

/** Returns the event stream for the caller's key; `undefined` if the public URL is not known. */
function streamOf({ sdkKey }: KeyConfig, publicUrl: string | undefined): BucketedUserConfig['sse'] {
  if (publicUrl === undefined) return undefined
  return { url: streamUrl(publicUrl, { sdkKey }), inactivityDelay: INACTIVITY_DELAY_MS }
}
