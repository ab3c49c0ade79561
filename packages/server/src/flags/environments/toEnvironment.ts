import type { SdkKeyType } from '@burgee/contract'
import { type Environment, isProtected } from '@burgee/contract/schemas'
import { createdBy } from '../../access/createdBy.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredEnvironment } from '../../storage/resources/project.ts'
import { canUpdateEnvironment } from './protection.ts'

/** Serializes an environment for a caller. Without permission to change a protected one, it has no SDK keys. */
export function toEnvironment(environment: StoredEnvironment, caller: TokenCaller): Environment {
  const { sdkKeys, userSigningSecrets: _secrets, ...members } = environment
  const isChangeable = canUpdateEnvironment(environment, caller)
  const keys = (type: SdkKeyType) => sdkKeys[type].map((key) => ({ ...key, compromised_url: '' }))
  return {
    ...members,
    _createdBy: createdBy(environment),
    ...(isProtected(environment) && !isChangeable
      ? {}
      : { sdkKeys: { mobile: keys('mobile'), client: keys('client'), server: keys('server') } }),
    readonly: !isChangeable
  }
}
