import type { SdkKeyType } from '@burgee/contract'
import { type Environment, isProtected } from '@burgee/contract/schemas'
import { createdBy } from '../../access/createdBy.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredEnvironment } from '../../storage/resources.ts'
import { canUpdateEnvironment } from './protection.ts'

/** An environment as a caller may see it. */
export function toEnvironment(environment: StoredEnvironment, caller: TokenCaller): Environment {
  const { sdkKeys, ...members } = environment
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
