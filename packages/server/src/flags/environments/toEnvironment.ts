import type { SdkKeyType } from '@burgee/contract'
import { type Environment, isProtected, type SdkKey } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdBy } from '../../access/createdBy.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { digestSdkKey } from '../../lib/secrets/checksum.ts'
import type {
  StoredEnvironment,
  StoredEnvironmentUse,
  SdkKey as StoredSdkKey
} from '../../storage/resources/project.ts'
import { canUpdateEnvironment } from './protection.ts'

/**
 * Serializes an environment for a caller. Without permission to change a protected one, and for callers that are
 * limited to other environments, it has no SDK keys.
 */
export function toEnvironment(
  environment: StoredEnvironment,
  caller: TokenCaller,
  use: Pick<StoredEnvironmentUse, 'firstEvaluationAt' | 'keys'>
): Environment {
  const { sdkKeys, userSigningSecrets: _secrets, ...members } = environment
  const isChangeable = canUpdateEnvironment(environment, caller)
  const isOutside = caller.access.environments?.has(environment._id) === false
  const keys = (type: SdkKeyType) => sdkKeys[type].map((key) => toSdkKey(key, use.keys[digestSdkKey(key.key)]))
  return {
    ...members,
    _createdBy: createdBy(environment),
    ...(isOutside || (isProtected(environment) && !isChangeable)
      ? {}
      : { sdkKeys: { mobile: keys('mobile'), client: keys('client'), server: keys('server') } }),
    ...omitUndefined({ firstEvaluationAt: use.firstEvaluationAt }),
    readonly: !isChangeable
  }
}

function toSdkKey(
  { warnedOf: _, allowedNetworks, allowedOrigins, ...key }: StoredSdkKey,
  lastUsedAt: string | undefined
): SdkKey {
  return {
    ...key,
    compromised_url: '',
    ...omitUndefined({ lastUsedAt }),
    ...(allowedNetworks ? { allowedNetworks: [...allowedNetworks] } : {}),
    ...(allowedOrigins ? { allowedOrigins: [...allowedOrigins] } : {})
  }
}
